"""From what was observed to the mark and its sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT

from grader.exercise import TRACKS, Exercise, Goals, Submission
from grader.outcome import PASSING, Outcome, Status, Timing
from grader.verdict import judge_outcome

GOALS = Goals(0.60, 0.85, 0.95)
TIMING = Timing(
    case={"n": 1 << 26},
    dtype="float32",
    ratio=1.0,
    low=0.99,
    high=1.01,
    seconds=2e-4,
    baseline_seconds=2e-4,
    bound="memory",
    share=0.9,
    rate="4026 GB/s",
    scaled=False,
    unclear="",
    raw={},
)


@pytest.fixture
def submission(exercise: Exercise, tmp_path: Path) -> Submission:
    (tmp_path / "triton_kernel.py").write_text("def solve(): pass\n")
    return Submission(replace(exercise, goals={"triton": GOALS}), "triton", tmp_path)


def graded(submission: Submission, **changes: object) -> tuple[str, str]:
    timing = replace(TIMING, **changes)  # type: ignore[arg-type]
    verdict = judge_outcome(submission, Outcome(Status.CORRECT, "8 calls", timing=timing))
    return verdict.grade, verdict.reason


@pytest.mark.parametrize(
    ("ratio", "grade"),
    [(1.0, "great"), (0.955, "good"), (0.86, "good"), (0.855, "pass"), (0.61, "pass"), (0.6, "slow")],
)
def test_a_grade_needs_the_lower_end_of_the_interval(submission: Submission, ratio: float, grade: str) -> None:
    assert graded(submission, ratio=ratio, low=ratio - 0.01, high=ratio + 0.01, share=0.1)[0] == grade


def test_a_share_of_the_ceiling_counts_where_it_is_kinder(submission: Submission) -> None:
    fast_baseline = dict(ratio=0.5, low=0.495, high=0.505)
    assert graded(submission, share=0.97, **fast_baseline)[0] == "great"
    assert graded(submission, share=0.40, **fast_baseline)[0] == "slow"


def test_a_fast_one_is_told_its_figures(submission: Submission) -> None:
    assert graded(submission) == ("great", "1.00x PyTorch (0.99-1.01); 4026 GB/s, 90% of this card's bandwidth")


@pytest.mark.parametrize(
    ("bound", "words"),
    [("memory", "neighbouring addresses"), ("compute", "Tensor Cores"), ("launch", "fewer kernels")],
)
def test_a_slow_one_is_told_what_it_misses_and_where_to_look(submission: Submission, bound: str, words: str) -> None:
    grade, reason = graded(submission, ratio=0.5, low=0.49, high=0.51, share=0.4, bound=bound)
    assert grade == "slow"
    assert "a pass needs 0.60x" in reason and f"{bound}-bound" in reason and words in reason


def test_what_is_unclear_is_inconclusive(submission: Submission) -> None:
    grade, reason = graded(submission, unclear="the times scatter: +-9 % after 5 s")
    assert grade == "inconclusive" and grade not in PASSING
    assert reason == "1.00x PyTorch (0.99-1.01), but the times scatter: +-9 % after 5 s"


def test_without_a_time_or_a_goal_right_is_all_that_is_said(submission: Submission) -> None:
    untimed = Outcome(Status.CORRECT, "8 calls")
    assert judge_outcome(submission, untimed).grade == "correct (not timed)"
    aimless = replace(submission, exercise=replace(submission.exercise, goals={}))
    assert judge_outcome(aimless, replace(untimed, timing=TIMING)).grade == "correct (not timed)"


@pytest.mark.parametrize(
    ("track", "done"),
    [
        ("cuda", "cuda_kernel.cu"),
        ("cuda", "cuda_launch.py"),
        ("triton", "add_kernel"),
        ("triton", "solve"),
    ],
)
def test_half_done_work_is_told_where_a_todo_remains(
    exercise: Exercise, tmp_path: Path, track: str, done: str
) -> None:
    for name in TRACKS[track]:
        stub = (exercise.folder / name).read_text()
        solution = (ROOT / "solutions" / exercise.id / name).read_text()
        parts = {"add_kernel": (solution, stub), "solve": (stub, solution), name: (solution, solution)}
        kernel, launch = parts.get(done, (stub, stub))
        text = kernel.partition("def solve")[0] + "".join(launch.partition("def solve")[1:])
        (tmp_path / name).write_text(text)
        if "TODO:" in text:
            place = f"{tmp_path / name}:{text[: text.index('TODO:')].count(chr(10)) + 1}"
    half = Submission(exercise, track, tmp_path)
    verdict = judge_outcome(half, Outcome(Status.WRONG, "solve() launched no kernel", wrote_nothing=True))
    assert verdict.grade == "failed"
    assert verdict.reason == f"nothing was stored; a TODO remains in {place}"


def test_an_untouched_stub_is_not_started_and_its_files_are_named_from_the_root(exercise: Exercise) -> None:
    stub = Submission(exercise, "triton", exercise.folder)
    verdict = judge_outcome(stub, Outcome(Status.WRONG, "solve() launched no kernel", wrote_nothing=True))
    assert verdict.grade == "not started"
    lines = (exercise.folder / "triton_kernel.py").read_text().splitlines()
    first, second = (number for number, line in enumerate(lines, 1) if "TODO:" in line)
    place = f"levels/level1/01_vector_add/triton_kernel.py:{first}, :{second}"
    assert verdict.reason == f"nothing was stored; TODOs remain in {place}"


@pytest.mark.parametrize(("track", "deleted"), [("cuda", "cuda_launch.py"), ("triton", "triton_kernel.py")])
def test_a_file_deleted_from_levels_is_told_how_to_come_back(
    exercise: Exercise, tmp_path: Path, track: str, deleted: str
) -> None:
    folder = tmp_path / "levels" / exercise.id
    folder.mkdir(parents=True)
    (folder / "cuda_kernel.cu").touch()
    gone = Submission(replace(exercise, folder=folder), track, folder)
    path = f"levels/level1/01_vector_add/{deleted}"
    assert gone.lack == f"a file is missing: {path}; this brings the stub back: git checkout -- {path}"
    verdict = judge_outcome(gone, Outcome(Status.BUILD_ERROR, gone.lack, failed_check="compiles"))
    assert (verdict.grade, verdict.reason) == ("failed", gone.lack)


def test_what_was_never_handed_in_is_not_started(exercise: Exercise, tmp_path: Path) -> None:
    nothing = Submission(exercise, "cuda", tmp_path)
    assert nothing.lack == f"nothing handed in: no {tmp_path}/cuda_kernel.cu"
    assert judge_outcome(nothing, Outcome(Status.WRONG, nothing.lack)).grade == "not started"
