"""Targets, their order, and what a misspelt one is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT

from grader import discover
from grader.discover import TargetError, select
from grader.exercise import ExerciseError

TOML = """
title = "T"
concept = "c"
phase = 1
family = "exact"
cases = [{ n = 1 }]
bench = { n = 2 }
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two levels: rungs 1, 2 and 12, two drills; and things that are no exercises."""
    for name in ("level1/02_b", "level1/01_a", "level1/drills/z", "level1/drills/y", "level10/12_tiled_matmul"):
        folder = tmp_path / "levels" / name
        folder.mkdir(parents=True)
        (folder / "exercise.toml").write_text(TOML)
    (tmp_path / "levels/level1/drills/__pycache__").mkdir()
    (tmp_path / "levels/level1/README.md").write_text("lesson")
    return tmp_path


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (["level1"], ["level1/01_a", "level1/02_b", "level1/drills/y", "level1/drills/z"]),
        (["level1/drills"], ["level1/drills/y", "level1/drills/z"]),
        (["level10/12"], ["level10/12_tiled_matmul"]),
        (["level1/1"], ["level1/01_a"]),
        (["level1/01"], ["level1/01_a"]),
        (["tiled_matmul"], ["level10/12_tiled_matmul"]),
        (["12_tiled_matmul"], ["level10/12_tiled_matmul"]),
        (["level10/tiled_matmul"], ["level10/12_tiled_matmul"]),
        (["levels/level1/01_a/"], ["level1/01_a"]),
        (["levels/level1/01_a/exercise.toml"], ["level1/01_a"]),
        (["TILED_MATMUL"], ["level10/12_tiled_matmul"]),
        (["level1/drills/z", "y", "z"], ["level1/drills/z", "level1/drills/y"]),
        (["all"], ["level1/01_a", "level1/02_b", "level1/drills/y", "level1/drills/z", "level10/12_tiled_matmul"]),
    ],
)
def test_targets(tree: Path, targets: list[str], expected: list[str]) -> None:
    assert [exercise.id for exercise in select(tree, targets)] == expected


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("tiled_matmull", r"did you mean tiled_matmul\?"),
        ("tiledmatmul", r"did you mean tiled_matmul\?"),
        ("mat", "did you mean tiled_matmul"),
        ("level1/tiled", "did you mean level1/drills"),
        ("level11", "there is no level 11, the ladder has 8; there are: level1, level10, all"),
        ("level7/3", "level 7 is not here yet; there are"),
        ("level1/99", "level1 has no rung 99: its rungs are 1 to 2"),
        ("level1/*", r"level1 alone means all of it"),
        ("level1/dril", "level1/drills"),
        ("xyzzy", "there are: level1, level10, all"),
        ("", "there are"),
    ],
)
def test_misspelt_target_suggests(tree: Path, target: str, hint: str) -> None:
    with pytest.raises(TargetError, match=hint):
        select(tree, [target])


def test_paths_are_taken_from_inside_the_tree(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "levels/level1/drills")
    assert [exercise.id for exercise in select(tree, [".", "../01_a"])] == [
        *("level1/drills/y", "level1/drills/z", "level1/01_a")
    ]


def test_a_path_in_another_tree_is_told_the_option(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "mine/level1/01_a").mkdir(parents=True)
    (tree / "mine/level1/01_a/cuda_kernel.cu").touch()
    monkeypatch.chdir(tree)
    for target in ("mine/level1/01_a", "mine/level1/01_a/cuda_kernel.cu"):
        with pytest.raises(TargetError, match="outside levels/; to grade it: grade level1/01_a --from mine"):
            select(tree, [target])


def test_broken_exercise_is_named(tree: Path) -> None:
    (tree / "levels/level1/01_a/exercise.toml").unlink()
    with pytest.raises(ExerciseError, match=r"01_a/exercise\.toml: missing"):
        select(tree, ["level1"])


def test_root_is_found_from_inside(tree: Path) -> None:
    assert discover.find_root(tree / "levels/level1/01_a") == tree


def test_root_falls_back_to_the_checkout(tmp_path: Path) -> None:
    assert discover.find_root(tmp_path) == ROOT


def test_submissions_follow_the_tree_and_the_track(tree: Path) -> None:
    exercises = select(tree, ["level1/1"])
    assert [one.track for one in discover.submissions(exercises, tree, None)] == ["cuda", "triton"]
    (only,) = discover.submissions(exercises, Path("elsewhere"), "triton")
    assert only.files == (Path("elsewhere/level1/01_a/triton_kernel.py"),)


def test_nothing_left_says_why(tree: Path) -> None:
    exercises = select(tree, ["level1"])
    assert [one.id for one in discover.of_sort(exercises, False, True)] == ["level1/drills/y", "level1/drills/z"]
    with pytest.raises(TargetError, match="a is a rung; leave --drills out"):
        discover.of_sort(select(tree, ["level1/1"]), False, True)
    with pytest.raises(TargetError, match="exclude each other"):
        discover.of_sort(exercises, True, True)
    with pytest.raises(TargetError, match="the exercises asked for have only the cuda and triton tracks"):
        discover.submissions(exercises, tree, "torch")
