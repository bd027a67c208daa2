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
