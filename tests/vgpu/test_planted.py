"""Every planted bug is reported with its kind and line, whatever the order of blocks."""

import numpy as np
import pytest
from planted import PLANTED


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_planted(bug, cuda):
    for seed in (0, 5):
        x, y = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
        report = (
            cuda(bug.source)
            .kernel("k")
            .launch(bug.grid, bug.block, (x, y, bug.n), bug.smem, seed=seed, budget=5_000_000)
        )
        found = [(f.kind, f.line, f.severity) for f in report.findings]
        assert (bug.kind, bug.line, bug.severity) in found, (bug.line, [str(f) for f in report.findings])
        assert len(found) <= 2, [str(f) for f in report.findings]


def test_there_are_enough():
    assert len(PLANTED) >= 40
