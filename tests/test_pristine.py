"""A stub can be had again: from solutions/, from git with or without them, from a copy, or it is said clearly."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT

from grader.exercise import Exercise, ExerciseError, Submission
from grader.pristine import keep, pristine

NAME = "triton_kernel.py"
STUB = (ROOT / "levels/level1/01_vector_add" / NAME).read_text()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for tree in ("levels", "solutions"):
        shutil.copytree(ROOT / tree / "level1/01_vector_add", tmp_path / tree / "level1/01_vector_add")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    return tmp_path


@pytest.fixture
def mine(exercise: Exercise, project: Path) -> Exercise:
    return replace(exercise, folder=project / "levels" / exercise.id)


def commit(project: Path, message: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", message]):
        subprocess.run(["git", "-C", str(project), *command], check=True)


def solve(exercise: Exercise) -> None:
    (exercise.folder / NAME).write_text((ROOT / "solutions" / exercise.id / NAME).read_text())


def test_from_solutions(project: Path, mine: Exercise) -> None:
    solve(mine)
    found = pristine(project, mine, NAME)
    assert found.text == STUB and found.source == f"made from solutions/level1/01_vector_add/{NAME}"


def test_from_solutions_that_only_git_remembers(project: Path, mine: Exercise) -> None:
    commit(project, "all")
    shutil.rmtree(project / "solutions")
    commit(project, "the course")
    solve(mine)
    commit(project, "solved")
    found = pristine(project, mine, NAME)
    assert found.text == STUB and "in git's" in found.source


def test_from_the_commit_that_brought_it(project: Path, mine: Exercise) -> None:
    shutil.rmtree(project / "solutions")
    commit(project, "the course")
    solve(mine)
    commit(project, "solved")
    found = pristine(project, mine, NAME)
    assert found.text == STUB and found.source.endswith("brought it")


def test_from_the_copy_of_an_untouched_file(project: Path, mine: Exercise) -> None:
    shutil.rmtree(project / "solutions")
    keep(project, Submission(mine, "triton", mine.folder))
    solve(mine)
    keep(project, Submission(mine, "triton", mine.folder))
    assert pristine(project, mine, NAME).text == STUB


def test_where_there_are_solutions_nothing_is_copied(project: Path, mine: Exercise) -> None:
    keep(project, Submission(mine, "triton", mine.folder))
    assert not (project / ".kernel-ladder").exists()


def test_impossible_is_said(project: Path, mine: Exercise) -> None:
    shutil.rmtree(project / "solutions")
    with pytest.raises(ExerciseError, match="no solutions/, no git history and no copy"):
        pristine(project, mine, NAME)
