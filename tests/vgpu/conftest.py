"""Shared fixtures: CUDA C++ as a module of the virtual GPU, and Triton kernels run on it."""

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


@pytest.fixture
def reports():
    """The reports of the Triton kernels that the test launches on the virtual GPU."""
    from grader.vgpu import triton_driver

    found = []
    with triton_driver.active(lambda kernel, report: found.append(report)):
        yield found
