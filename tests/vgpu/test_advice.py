"""Slow kernels are named with the line to change; fast ones, and launches too small to tell, are left alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from golden import CASES
from test_golden import golden_basic, golden_numeric, golden_parallel

from grader.vgpu import nvrtc
from grader.vgpu.advice import MIN_WARPS, advise_statically
from grader.vgpu.profile import LaunchProfile
from grader.vgpu.ptx import Location
from grader.vgpu.resources import Resources, parse_resources


@dataclass(frozen=True)
class Slow:
    """A kernel of (const float* x, float* y, int n), slow at the line that holds the comment `//!`."""

    name: str
    kind: str
    said: str
    body: str
    block: object = 256

    @property
    def source(self) -> str:
        return f'extern "C" __global__ void k(const float* x, float* y, int n) {{\n{self.body}\n}}\n'

    @property
    def line(self) -> int:
        return next(number for number, text in enumerate(self.source.splitlines(), 1) if "//!" in text)


I = "int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"  # noqa: E741
TILE = "__shared__ float s[32][32]; int c = threadIdx.x, r = threadIdx.y;\n"
SQUARE = (32, 32)

SLOW = [
    Slow("strided_read", "uncoalesced access", "read at * 32 sectors per request where 4",
         I + "y[i] =\n x[i * 16];  //!"),
    Slow("every_other", "uncoalesced access", "read at * 8 sectors per request where 4",
         I + "y[i] =\n x[i * 2];  //!"),
    Slow("strided_write", "uncoalesced access", "write at * 32 sectors", I + "float v = x[i];\ny[i * 16] = v;  //!"),
    Slow("row_per_thread", "uncoalesced access", "read at * 32 sectors",
         I + "float a = 0;\nfor (int j = 0; j < 16; j++)\n a += x[i * 16 + j];  //!\ny[i] = a;"),
    Slow("reversed_2d_index", "uncoalesced access", "write at * 32 sectors",
         "int c = threadIdx.x, r = threadIdx.y;\ny[c * 32 + r] = x[r * 32 + c];  //!", SQUARE),
    Slow("column_walk", "bank conflict", "read at * 32 wavefronts per request where 1",
         TILE + "s[r][c] = x[r * 32 + c]; __syncthreads();\ny[r * 32 + c] = s[c][r];  //!", SQUARE),
    Slow("column_fill", "bank conflict", "write at * 32 wavefronts",
         TILE + "s[c][r] = x[r * 32 + c];  //!\n__syncthreads(); y[r * 32 + c] = s[r][c];", SQUARE),
    Slow("stride_of_two", "bank conflict", "read at * 2 wavefronts per request where 1",
         "__shared__ float s[512]; int t = threadIdx.x;\ns[t] = x[t]; s[t + 256] = x[t + 256]; __syncthreads();\n"
         "float a = 0;\nfor (int j = 0; j < 2; j++)\n a += s[2 * t + j];  //!\ny[t] = a;"),
    Slow("odd_and_even", "divergence", "% of all lane slots stay idle",
         I + "float v = x[i];\nif (i % 2 == 0)  //!\n for (int j = 0; j < n; j++) v = v * 1.5f + 2.0f;\n"
         "else\n for (int j = 0; j < n; j++) v = v / 3.0f - 2.0f;\ny[i] = v;"),
    Slow("one_lane_works", "divergence", "% of all lane slots stay idle",
         I + "float v = x[i];\nif (t % 32 == 0)  //!\n for (int j = 0; j < n; j++) v = v * 1.5f + 2.0f;\ny[i] = v;"),
    Slow("others_return", "divergence", "% of all lane slots stay idle",
         I + "if (t % 32) return;  //!\nfloat v = x[i];\nfor (int j = 0; j < n; j++) v = v * 1.5f + 2;\ny[i] = v;"),
    Slow("unequal_trips", "divergence", "% of all lane slots stay idle",
         I + "float v = x[i];\nfor (int j = 0; j < t % 32 * n; j++)  //!\n  v = v * 1.5f + 2.0f;\ny[i] = v;"),
]  # fmt: skip

FAST = {
    "aligned": I + "y[i] = x[i];",
    "not_aligned": I + "y[i] = x[i + 1];",
    "vectors": I + "((float4*)y)[i] = ((const float4*)x)[i];",
    "broadcast": I + "y[i] = x[n] + x[blockIdx.x];",
    "tail": I + "if (i < 1000) y[i] = x[i];",
    "branch_by_warp": I + "if (t / 32 % 2) y[i] = x[i] * 2; else for (int j = 0; j < n; j++) y[i] += x[i];",
    "tree": "__shared__ float s[256]; int t = threadIdx.x;\ns[t] = x[t];\n"
    "for (int h = 128; h; h /= 2) { __syncthreads(); if (t < h) s[t] += s[t + h]; }\nif (t == 0) y[0] = s[0];",
    "padded_column": "__shared__ float s[32][33]; int r = threadIdx.x / 32, c = threadIdx.x % 32;\n"
    "for (int j = r; j < 32; j += 8) s[j][c] = x[j * 32 + c];\n__syncthreads();\n"
    "for (int j = r; j < 32; j += 8) y[j * 32 + c] = s[c][j];",
    "scattered_atomics": I + "atomicAdd(&y[i * 37 % 1000], 1.0f);",
}  # fmt: skip


def launch(module: object, grid: int, block: object):
    x, y = np.ones(1 << 16, np.float32), np.zeros(1 << 16, np.float32)
    return module.kernel("k").launch(grid, block, (x, y, 8), profile=True)  # type: ignore[attr-defined]


@pytest.mark.parametrize("slow", SLOW, ids=lambda slow: slow.name)
def test_slow_kernel_is_named_with_its_line(slow: Slow, cuda) -> None:
    findings = launch(cuda(slow.source), 1, slow.block).findings
    assert [(one.kind, one.severity, one.line) for one in findings] == [(slow.kind, "advice", slow.line)]
    for words in slow.said.split(" * "):
        assert words in findings[0].message
    small = launch(cuda(slow.source), 1, 32 * (MIN_WARPS - 1)).findings
    assert not any(finding.severity == "advice" for finding in small), "too small a launch to tell"


@pytest.mark.parametrize("name", FAST)
def test_fast_kernel_gets_no_advice(name: str, cuda) -> None:
    source = Slow(name, "", "", FAST[name]).source
    assert launch(cuda(source), 4 if "i]" in source else 1, 256).findings == ()


def test_golden_kernels_get_advice_only_where_it_is_true(cuda) -> None:
    """A transpose without a tile, and work done by one thread of each block."""
    known = {module.__name__ for module in (golden_basic, golden_numeric, golden_parallel)}
    advised = set()
    for case in (case for case in CASES if case.make.__module__ in known):
        arguments, _ = case.make(np.random.default_rng(7))
        report = cuda(case.source).kernel("k").launch(case.grid, case.block, arguments, case.smem, profile=True)
        advised |= {(case.name, finding.kind) for finding in report.findings}
    assert advised == {
        ("transpose_naive", "uncoalesced access"),
        ("spin_lock_plain_data", "divergence"),
        ("ticket_last_block", "divergence"),
        ("chained_scan", "divergence"),
    }


SPILLS = """
extern "C" __global__ __launch_bounds__(1024, 2) void k(const float* x, float* y, int n) {
    float v[64];
#pragma unroll
    for (int j = 0; j < 64; j++) v[j] = x[threadIdx.x + j * n];
    for (int r = 0; r < n; r++)
#pragma unroll
        for (int j = 0; j < 64; j++) v[j] = v[j] * v[(j + 7) % 64] + 1.0f;
#pragma unroll
    for (int j = 0; j < 64; j++) y[threadIdx.x + j * n] = v[j];
}
"""
BIG_SHARED = """
extern "C" __global__ void k(const float* x, float* y, int n) {
    __shared__ float s[12000];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[n - threadIdx.x];
}
"""


def compiled(source: str) -> Resources:
    result = nvrtc.compile(source, name="kernel.cu", arch="sm_90", expressions=["k"])
    return parse_resources(result.log)[result.lowered["k"]]


def statically(source: str, block: int, shared: int = 0) -> list[tuple[str, str]]:
    used = compiled(source)
    shape = LaunchProfile((100, 1, 1), (block, 1, 1), used.shared + shared, (), (), (), 0)
    found = advise_statically("k", Location("kernel.cu", 2), used, "sm_90", shape)
    assert all(one.line == 2 and one.severity == "advice" for one in found)
    return [(one.kind, one.message) for one in found]


def test_spills() -> None:
    ((kind, message),) = statically(SPILLS, 1024)
    assert kind == "register spills"
    assert message.startswith("at kernel.cu:2: k moves ") and "bytes of registers to local memory" in message


def test_low_occupancy() -> None:
    ((kind, message),) = statically(BIG_SHARED, 64)
    assert kind == "low occupancy"
    assert message == "at kernel.cu:2: 8 warps fit on a multiprocessor (12% of sm_90's), limited by shared memory"
    assert statically(BIG_SHARED, 256) == []
    assert statically(BIG_SHARED, 64, 170_000)[0][1].count("2 warps fit") == 1
