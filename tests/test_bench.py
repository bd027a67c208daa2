"""Timing on a GPU, and what of it can be tested without one."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT, edited_solution

from grader.bench import fit
from grader.contract import load_contract
from grader.exercise import Exercise, Submission
from grader.runner import Runner


@pytest.mark.parametrize(("free", "size", "scaled"), [(1 << 40, 1 << 26, False), (20 << 30, 1 << 25, True)])
def test_the_timed_case_is_halved_until_it_fits(exercise: Exercise, free: int, size: int, scaled: bool) -> None:
    assert fit(load_contract(exercise), "float32", free) == ({"n": size}, scaled)


def test_a_card_without_any_memory_ends_the_halving(exercise: Exercise) -> None:
    assert fit(load_contract(exercise), "float32", 0) == ({"n": 1}, True)


@pytest.mark.gpu
@pytest.mark.parametrize("times", [2, 3])
def test_a_slowed_solution_is_graded_as_its_ratio_says(
    runner: Runner, exercise: Exercise, tmp_path: Path, times: int
) -> None:
    launch = "    add_kernel[(triton.cdiv(n, BLOCK),)](a, b, out, n, BLOCK=BLOCK)\n"
    slowed = edited_solution(exercise, "triton", tmp_path, {"triton_kernel.py": (launch, launch * times)})
    verdict = runner.grade(slowed)
    timing = verdict.outcome.timing
    assert timing and timing.ratio == pytest.approx(1 / times, rel=0.03)
    assert verdict.grade == exercise.goals["triton"].grade(timing.lowest)


@pytest.mark.gpu
def test_a_small_case_is_timed_in_batches(runner: Runner, exercise: Exercise) -> None:
    small = Submission(
        exercise=dataclasses.replace(exercise, id="small/vector_add", bench={"n": 4096}),
        track="triton",
        folder=ROOT / "solutions" / exercise.id,
    )
    timing = runner.grade(small).outcome.timing
    assert timing and timing.raw["batch"] > 1
    assert 5e-7 < timing.seconds < 1e-5 and 0.5 < timing.ratio < 2.0


@pytest.fixture
def busy_gpu() -> Iterator[None]:
    """Another process that multiplies matrices all the time."""
    script = """
        import torch
        a = torch.randn(4096, 4096, device="cuda")
        print("started", flush=True)
        while True:
            a @ a
            torch.cuda.synchronize()
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE)
    try:
        assert process.stdout and process.stdout.readline() == b"started\n"
        yield
    finally:
        process.kill()
        process.communicate()


@pytest.mark.gpu
@pytest.mark.parametrize("attempt", range(3))
@pytest.mark.usefixtures("busy_gpu")
def test_on_a_busy_gpu_the_grade_is_right_or_there_is_none(runner: Runner, exercise: Exercise, attempt: int) -> None:
    verdict = runner.grade(Submission(exercise, "triton", ROOT / "solutions" / exercise.id))
    assert verdict.grade in ("great", "inconclusive"), verdict.reason
    if verdict.grade == "inconclusive":
        assert "used the GPU as well" in verdict.reason
