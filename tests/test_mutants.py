"""Every mutant, a solution with one named edit, must fail and must be told so in the right words.

A GPU does not see what the virtual GPU reports by line (races, accesses out of bounds, ...): there the mutant must
fail by its results, whatever the words. What even that need not show is marked with the reason: `vgpu_only = "why"`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, edited_solution, track_of, words

from grader.backends import get
from grader.discover import exercise_ids, select
from grader.runner import Runner
from grader.vgpu.findings import REMEDIES

BACKEND = get("auto").name

MUTANTS = [
    (path.relative_to(ROOT / "tests/mutants").with_suffix("").as_posix(), mutant)
    for path in sorted((ROOT / "tests/mutants").rglob("*.toml"))
    for mutant in tomllib.loads(path.read_text())["mutant"]
]


@pytest.mark.parametrize(("exercise_id", "mutant"), MUTANTS, ids=[f"{name}-{row['name']}" for name, row in MUTANTS])
def test_mutant_fails(exercise_id: str, mutant: dict[str, Any], runner: Runner, tmp_path: Path) -> None:
    if BACKEND == "gpu" and "vgpu_only" in mutant:
        pytest.skip(mutant["vgpu_only"])
    (exercise,) = select(ROOT, [exercise_id])
    track = track_of(mutant["file"])
    edits = {mutant["file"]: (mutant["find"], mutant["replace"])}
    verdict = runner.grade(edited_solution(exercise, track, tmp_path, edits))
    assert verdict.grade == "failed", words(verdict)
    assert expected(mutant["expect"]) in words(verdict)


def expected(words: str | dict[str, str]) -> str:
    """What the report says on this backend."""
    if isinstance(words, dict):
        return words[BACKEND]
    return "" if BACKEND == "gpu" and any(kind in words for kind in (*REMEDIES, "barrier")) else words


def test_every_exercise_has_mutants_in_each_track() -> None:
    for exercise in select(ROOT, ["all"]):
        mine = [mutant for name, mutant in MUTANTS if name == exercise.id]
        assert len(mine) >= 4, f"{exercise.id} has {len(mine)} mutants"
        for track in exercise.tracks:
            assert any(track_of(mutant["file"]) == track for mutant in mine), f"{exercise.id} has none in {track}"


def test_no_mutant_without_an_exercise() -> None:
    assert {name for name, _ in MUTANTS} <= set(exercise_ids(ROOT))
