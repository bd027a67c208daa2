"""The invariants that are not about one module. (1, 4: test_layers; 3: test_check, test_mutants; 5: test_levels.)"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support import ROOT, edited_solution, words

from grader import backends
from grader.exercise import Exercise, Submission
from grader.outcome import GraderError, Verdict
from grader.runner import Runner
from grader.sandbox import Zygote

LAUNCH = "    # SOLUTION: launch add_kernel"


def solved(exercise: Exercise, folder: Path, extra: str = "") -> Submission:
    """The Triton solution with one line more at the head of solve()."""
    return edited_solution(exercise, "triton", folder, {"triton_kernel.py": (LAUNCH, f"{extra}\n{LAUNCH}")})


def figures(verdict: Verdict) -> list[object]:
    return [(case.case, case.dtype, case.worst) for case in verdict.outcome.cases]


def test_inputs_are_fresh_each_run_and_the_seed_replays(exercise: Exercise, tmp_path: Path) -> None:
    """Invariant 2: data and the random size follow the seed, and nothing else."""
    backend = backends.get("auto")
    submission = solved(exercise, tmp_path)
    with Zygote(backend.environment()) as zygote:
        runs = [figures(Runner(zygote, backend, root=ROOT, seed=seed).grade(submission)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    sizes = [{str(case) for case, _, _ in run} for run in runs]  # type: ignore[misc]
    assert sizes[0] == sizes[1] != sizes[2]


def test_the_contract_comes_from_levels(exercise: Exercise, runner: Runner, tmp_path: Path) -> None:
    """Invariant 4: a reference or a manifest among the submitted files changes nothing."""
    submission = edited_solution(
        exercise, "triton", tmp_path, {"triton_kernel.py": ("total, mask)", "total * 2, mask)")}
    )
    (tmp_path / "reference.py").write_text("def reference(a, b):\n    return 2 * (a + b)\n")
    (tmp_path / "exercise.toml").write_text('family = "anything goes"\n')
    verdict = runner.grade(submission)
    assert verdict.grade == "failed" and "twice the right value" in words(verdict)


def test_each_submission_has_a_process_of_its_own(exercise: Exercise, runner: Runner, tmp_path: Path) -> None:
    """Invariant 6."""
    submission = solved(exercise, tmp_path, "    print(__import__('os').getpid(), flush=True)")
    pids = [set(runner.grade(submission).outcome.printed.split()) for _ in range(2)]
    assert len(pids[0]) == len(pids[1]) == 1
    assert pids[0].isdisjoint(pids[1] | {str(os.getpid())})


def test_a_full_disk_is_not_the_learners_fault(exercise: Exercise, runner: Runner, tmp_path: Path) -> None:
    submission = solved(exercise, tmp_path, "    raise OSError(28, 'No space left on device', '/cache/kernel.ptx')")
    with pytest.raises(GraderError, match="no space left on disk for /cache/kernel.ptx"):
        runner.grade(submission)


def test_what_one_submission_breaks_the_next_finds_whole(exercise: Exercise, runner: Runner, tmp_path: Path) -> None:
    """Invariant 6: a worker may ruin itself, not its successors."""
    ruin = "    import torch; torch.Tensor.copy_ = None; torch.empty = None; __import__('os')._exit(0)"
    assert runner.grade(solved(exercise, tmp_path / "ruin", ruin)).grade == "failed"
    assert runner.grade(solved(exercise, tmp_path / "whole")).grade == "correct (not timed)"
