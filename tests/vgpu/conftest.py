"""Shared helpers: compile CUDA C++ to a module of the virtual GPU."""

from collections.abc import Callable
from functools import cache

import pytest

from grader.vgpu import Module
from grader.vgpu.nvrtc import compile as compile_cuda


@cache
def build(source: str) -> Module:
    return Module(compile_cuda(source, name="kernel.cu", arch="compute_80").image.decode())


@pytest.fixture(scope="session")
def cuda() -> Callable[[str], Module]:
    """cuda(source) compiles for compute_80; the file is called kernel.cu in reports."""
    return build
