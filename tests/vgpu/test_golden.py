"""Every golden kernel gives its reference's numbers, and the checker has nothing to say about it."""

import golden_atomics  # noqa: F401
import golden_basic  # noqa: F401
import golden_groups  # noqa: F401
import golden_halves  # noqa: F401
import golden_numeric  # noqa: F401
import golden_parallel  # noqa: F401
import numpy as np
import pytest
from golden import CASES


def check(case, module, seed):
    arguments, expected = case.make(np.random.default_rng(7))
    report = module.kernel("k").launch(case.grid, case.block, arguments, case.smem, seed=seed)
    for index, want in expected.items():
        got = arguments[index]
        assert got.size == np.size(want)
        want = np.asarray(want).reshape(got.shape)
        if case.tolerance:
            np.testing.assert_allclose(got.astype(float), want.astype(float), case.tolerance, case.tolerance)
        else:
            np.testing.assert_array_equal(got, want)
    assert [str(finding) for finding in report.findings] == []
    assert report.printed == case.printed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case, cuda):
    for seed in (0, 3):
        check(case, cuda(case.source), seed)


def test_there_are_enough():
    assert len(CASES) >= 100
