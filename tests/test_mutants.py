"""Every mutant, a solution with one named edit, must fail and be told so in the right words (grader/mutants.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT

from grader.audit import mutant_faults
from grader.backends import get
from grader.discover import exercise_ids, select
from grader.exercise import Exercise, ExerciseError
from grader.mutants import Mutant, edited_solution, mutants_path, mutate, read_mutants, survived
from grader.outcome import Outcome, Status, Verdict
from grader.runner import Runner

BACKEND = get("auto").name
EXERCISES = select(ROOT, ["all"])
MUTANTS = [(exercise, mutant) for exercise in EXERCISES for mutant in read_mutants(ROOT, exercise.id)]


@pytest.mark.parametrize(("exercise", "mutant"), MUTANTS, ids=[f"{one.id}-{row.name}" for one, row in MUTANTS])
def test_mutant_fails(exercise: Exercise, mutant: Mutant, runner: Runner, tmp_path: Path) -> None:
    if BACKEND == "gpu" and mutant.vgpu_only:
        pytest.skip(mutant.vgpu_only)
    assert survived(mutant, runner.grade(mutate(ROOT, exercise, mutant, tmp_path)), BACKEND) == ""


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_every_exercise_has_mutants_in_each_track(exercise: Exercise) -> None:
    assert mutant_faults(exercise, read_mutants(ROOT, exercise.id)) == []


def test_no_mutant_without_an_exercise() -> None:
    folder = mutants_path(ROOT, "x").parent
    names = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.toml")}
    assert names and names <= set(exercise_ids(ROOT))


MUTANT = Mutant("m", "triton_kernel.py", "a", "b", "out of bounds")


@pytest.mark.parametrize(
    ("mutant", "grade", "reason", "backend", "why"),
    [
        (MUTANT, "failed", "out of bounds: x", "vgpu", ""),
        (MUTANT, "failed", "another thing", "gpu", ""),
        (MUTANT, "failed", "another thing", "vgpu", "is not told 'out of bounds'"),
        (MUTANT, "correct (not timed)", "8 calls", "vgpu", "is correct (not timed), and must fail: 8 calls"),
        (Mutant("m", "f", "a", "b", {"gpu": "x", "vgpu": "y"}), "failed", "x", "gpu", ""),
        (Mutant("m", "f", "a", "b", {"gpu": "x", "vgpu": "y"}), "failed", "x", "vgpu", "is not told 'y'"),
    ],
)
def test_a_mutant_that_gets_away_is_said(mutant: Mutant, grade: str, reason: str, backend: str, why: str) -> None:
    said = survived(mutant, Verdict("level1/x", "triton", grade, reason, Outcome(Status.WRONG, reason)), backend)
    assert (why in said) if why else (said == "")


ROW = '[[mutant]]\nname = "m"\nfile = "cuda_kernel.cu"\nfind = "a"\nreplace = "b"\nexpect = "c"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROW.replace("find", "fnid"), r"\[\[mutant\]\] 1: `find` is missing"),
        (ROW + ROW + "why = 3\n", r"\[\[mutant\]\] 2: unknown key `why`"),
        (ROW.replace("cuda_kernel.cu", "kernel.cu"), "no track has a file 'kernel.cu'"),
        ("x = 1\n", r"it holds tables \[\[mutant\]\], and nothing else"),
        ("= 1\n", "cannot be read: "),
    ],
)
def test_a_broken_list_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = mutants_path(tmp_path, "level1/01_x")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(ExerciseError, match=f"01_x.toml: .*{message}|01_x.toml: {message}"):
        read_mutants(tmp_path, "level1/01_x")


def test_an_edit_that_does_not_fit_is_named(exercise: Exercise, tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match=r"triton_kernel.py holds 'nowhere' 0 times; an edit needs it once"):
        edited_solution(ROOT, exercise, "triton", tmp_path, {"triton_kernel.py": ("nowhere", "x")})
