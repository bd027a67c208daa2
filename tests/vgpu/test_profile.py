"""Counts per line, occupancy and the command line."""

import numpy as np
import pytest

from grader.vgpu import nvrtc
from grader.vgpu.__main__ import main
from grader.vgpu.occupancy import LIMITS, occupancy
from grader.vgpu.transactions import sectors, wavefronts

SOURCE = """extern "C" __global__ void k(const float* x, float* y, int stride) {
    __shared__ float s[32 * 32];
    int t = threadIdx.x;
    float v = x[t * stride];
    s[t * stride] = v;
    __syncthreads();
    if (t < 8)
        y[t] = s[t] + 1.0f;
}
"""


@pytest.mark.parametrize("stride", [1, 2, 32])
def test_sectors_and_wavefronts(cuda, stride):
    x, y = np.zeros(1024, np.float32), np.zeros(32, np.float32)
    report = cuda(SOURCE).kernel("k").launch(1, 32, (x, y, stride), profile=True)
    lines = {line.line: line for line in report.profile.lines}
    assert lines[4].sectors_per_request == min(4 * stride, 32)
    assert lines[4].global_efficiency == 4 / min(4 * stride, 32)
    assert lines[5].wavefronts_per_request == stride
    assert lines[8].active_lanes == 8


def test_occupancy():
    assert occupancy("sm_90", 256, 32, 0).fraction == 1.0
    assert occupancy("sm_90", 256, 128, 0).limiter == "registers"
    assert occupancy("sm_80", 128, 32, 48 * 1024).blocks == 3
    assert occupancy("sm_80", 1024, 255, 0).limiter == "does not fit"


def test_command_line(tmp_path, capsys):
    file = tmp_path / "kernel.cu"
    file.write_text(SOURCE)
    command = [
        str(file),
        "--kernel",
        "k",
        "--profile",
        "--arg",
        "f32[1024]=range",
        "--arg",
        "f32[8]",
        "--arg",
        "i32=1",
    ]
    assert main(command) == 0
    assert "occupancy" in capsys.readouterr().out
    assert main([*command[:-1], "i32=64"]) == 1
    assert "out of bounds" in capsys.readouterr().out
    assert main([str(file), "--kernel", "missing"]) == 2


@pytest.mark.parametrize("size", [4, 8, 16])
def test_counts_by_hand(size):
    """Distinct sectors, and for each part of a warp that is served at once the bank with the most distinct words."""
    rng = np.random.default_rng(size)
    warp = np.sort(rng.integers(0, 3, 64))
    warp = warp[np.concatenate([np.arange(warp.size)[warp == w][:32] for w in range(3)])]
    where = rng.integers(0, 64, warp.size) * size
    wanted_sectors = {(w, (at + b) // 32) for w, at in zip(warp, where, strict=True) for b in range(size)}
    wanted_wavefronts = 0
    for number in range(3):
        mine = where[warp == number]
        for start in range(0, mine.size, 128 // size):
            words = {int(at) // 4 + i for at in mine[start : start + 128 // size] for i in range(size // 4)}
            banks = [sum(word % 32 == bank for word in words) for bank in range(32)]
            wanted_wavefronts += max(banks)
    assert sectors(warp, where, size).size == len(wanted_sectors)
    assert wavefronts(warp, where, size) == wanted_wavefronts


def test_limits_of_every_target_that_nvrtc_knows():
    assert {f"sm_{number}" for number in nvrtc.supported_archs()} <= set(LIMITS)


ADD = "__global__ void add(const float* a, float* out, int n) {\n out[threadIdx.x] = a[0];\n}\n"


@pytest.mark.parametrize(
    ("kernel", "arguments", "said"),
    [
        ("sum", [], "k.cu: no kernel called 'sum'; it has: add\n"),
        ("add", ["--arg", "f32=x"], "--arg f32=x: could not convert string to float: 'x'\n"),
        ("add", ["--arg", "i32=1"], "3 parameters: a (array or u64), out (array or u64), n (u32); got 1 arguments\n"),
    ],
)
def test_the_command_says_what_there_is(kernel, arguments, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cu").write_text(ADD)
    assert main(["k.cu", "--kernel", kernel, *arguments]) == 2
    assert capsys.readouterr().err.endswith(said)
    (tmp_path / "k.ptx").write_text("garbage")
    assert main(["k.ptx", "--kernel", "add"]) == 2
    assert capsys.readouterr().err.startswith("PTX line 1: unexpected 'garbage'")
    assert main(["absent.cu", "--kernel", "add"]) == 2
    assert capsys.readouterr().err == "absent.cu: No such file or directory\n"


def test_a_broadcast_is_no_more_than_perfect(cuda):
    a, out = np.zeros(32, np.float32), np.zeros(32, np.float32)
    report = (
        cuda(ADD.replace("__global__", 'extern "C" __global__'))
        .kernel("add")
        .launch(1, 32, (a, out, 32), profile=True)
    )
    assert [line.global_efficiency for line in report.profile.lines if line.line == 2] == [1.0]


def test_the_longest_chain_of_atomics_is_that_of_one_address(cuda):
    """300 threads add to two counters, 100 of them to the first; shared memory does not count."""
    source = """
extern "C" __global__ void count(unsigned* out) {
    __shared__ unsigned here;
    if (threadIdx.x == 0) here = 0;
    __syncthreads();
    atomicAdd(&here, 1);
    atomicAdd(out + (threadIdx.x % 3 != 0), 1);
}
"""
    kernel = cuda(source).kernel("count")
    assert kernel.launch(2, 150, [np.zeros(2, np.uint32)], profile=True).profile.chain == 200
