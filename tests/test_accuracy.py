"""Every solution is about as accurate as PyTorch in the task's own type: within four times its error, plus 1 ulp."""

from __future__ import annotations

import pytest
import torch
from support import ROOT

from grader.bounds import UNIT_ROUNDOFF
from grader.check import expect
from grader.contract import load_contract
from grader.discover import select, submissions
from grader.exercise import Submission
from grader.judge import Judge, Step
from grader.runner import Runner

SOLUTIONS = [one for one in submissions(select(ROOT, ["all"]), ROOT / "solutions", None) if one.track != "answer"]


@pytest.mark.parametrize("submission", SOLUTIONS, ids=lambda one: f"{one.exercise.id}-{one.track}")
def test_error_beside_torchs(submission: Submission, runner: Runner) -> None:
    exercise = submission.exercise
    contract = load_contract(exercise)
    judge = Judge(contract, submission, runner.backend, seed=4, deadline=20)
    case = max(exercise.cases, key=lambda case: sum(case.values()))
    with runner.zygote.worker() as worker:
        judge.load(worker, ())
        for dtype in exercise.dtypes[submission.track]:
            for kind in ("normal", "wide"):
                inputs = contract.inputs(case, kind, dtype, seed=4)
                layout, expected = expect(contract, case, dtype, inputs)
                left = judge._call(worker, Step("awkward", case, dtype, ()), kind, layout, expected, None)
                for name, beside in contract.evaluate(inputs, case).items():
                    truth = expected.truth[name]
                    (slot,) = (slot for slot in layout.slots if slot.name == name)
                    ours, torchs = (
                        torch.where(truth.to(beside.dtype).isfinite(), (got.double() - truth).abs(), 0.0)
                        for got in (layout.tensor(left, slot), beside)
                    )
                    ulp = 2 * UNIT_ROUNDOFF[dtype] * truth.abs()
                    assert bool((ours <= 4 * torchs.max() + ulp).all()), f"{dtype}, {kind}"
