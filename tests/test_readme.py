"""What the README says the grader says is what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support import ROOT

from grader.vgpu import Module, nvrtc

SOURCE = ROOT / "tests/vgpu/mistakes.cu"
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("kernel", re.findall(r"__global__ void (\w+)", SOURCE.read_text()))
def test_mistake_is_named_as_shown(kernel: str) -> None:
    compiled = nvrtc.compile(SOURCE.read_text(), name=SOURCE.name, arch="compute_80", expressions=[kernel])
    x, out = np.ones(8192, np.float32), np.zeros(256 if kernel != "transpose" else 1024, np.float32)
    n = 32 if kernel == "column_sums" else 256
    module = Module(compiled.image.decode()).kernel(compiled.lowered[kernel])
    grid = 2 if kernel == "scale" else 1
    (finding,) = module.launch(grid, 256, (x, out, n), names=("x", "out", "n"), profile=True).findings
    said = f"{finding.kind}: {finding.message}\n  {finding.remedy}".replace(f"{finding.file}:", f"{SOURCE.name}:")
    assert said in README


KERNEL = """\
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
"""
LAUNCH = "    add[cdiv(n, BLOCK), BLOCK](a, b, out, n)\n"
SEED = "2415981358"


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("cuda_launch.py", "cdiv(n, BLOCK)", "n // BLOCK"),
        ("cuda_kernel.cu", "i < n", "i < n - 1"),
        ("cuda_kernel.cu", "i < n", "i <= n"),
        ("cuda_kernel.cu", "i < n", "i < n"),
        ("", "", ""),
    ],
    ids=["rounded down", "too tight", "too loose", "right", "not started"],
)
def test_a_learner_is_told_what_is_shown(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    """The stubs with a learner's lines where their TODOs were."""
    arguments = ["vector_add", "--backend", "vgpu", "--seed", SEED]
    if file:
        place = tmp_path / "level1/01_vector_add"
        place.mkdir(parents=True)
        for name, code in (("cuda_kernel.cu", KERNEL), ("cuda_launch.py", LAUNCH)):
            stub = (ROOT / "levels/level1/01_vector_add" / name).read_text()
            code = code.replace(right, wrong) if name == file else code
            (place / name).write_text(re.sub(r"^ *(//|#) TODO: .*\n( *pass\n)?", code, stub, flags=re.MULTILINE))
        arguments += ["--track", "cuda", "--from", str(tmp_path)]
    command = [sys.executable, "-m", "grader", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    lines = [_plain(line.partition(" --from ")[0]) for line in done.stdout.splitlines()[1:-1]]
    shown = {_plain(line) for line in README.splitlines()}
    assert [line for line in lines if line not in shown and not line.startswith("replay")] == []
    assert any(line.startswith("level1/01_vector_add") for line in lines), done.stderr
    assert f"--track cuda --seed {SEED}" in README


def _plain(line: str) -> str:
    return " ".join(line.split())
