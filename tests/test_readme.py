"""What the README says the grader says is what it says."""

from __future__ import annotations

import re

import numpy as np
import pytest
from conftest import ROOT

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
