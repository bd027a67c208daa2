"""Golden kernels: CUDA C++ sources with a NumPy reference each. Every kernel is called `k`.

A function decorated with @golden returns (arguments, {argument index: expected array}); it gets a seeded generator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Maker = Callable[[np.random.Generator], tuple[tuple[Any, ...], dict[int, Any]]]


@dataclass(frozen=True)
class Golden:
    name: str
    source: str
    grid: Any
    block: Any
    make: Maker
    smem: int
    tolerance: float
    printed: str


CASES: list[Golden] = []


def golden(body: str, grid: Any = 1, block: Any = 32, *, head: str = "", smem: int = 0, tolerance: float = 0.0,
           printed: str = ""):  # fmt: skip
    """Register a kernel given by its parameter list and body: "(int* out) { ... }"."""

    def register(make: Maker) -> Maker:
        source = f'{head}\nextern "C" __global__ void k{body.strip()}\n'
        CASES.append(Golden(make.__name__, source, grid, block, make, smem, tolerance, printed))
        return make

    return register


F, I, U = np.float32, np.int32, np.uint32  # noqa: E741
TID = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
