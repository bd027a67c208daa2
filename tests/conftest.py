"""What the tests share: one runner for the session, on the GPU where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import backends
from grader.discover import select
from grader.exercise import TRACKS, Exercise, Submission
from grader.outcome import Verdict
from grader.runner import Runner
from grader.sandbox import Zygote

ROOT = Path(__file__).resolve().parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a GPU the tests that need one are not collected at all; the summary would call them skipped."""
    if backends.get("auto").name != "gpu":
        items[:] = [item for item in items if not item.get_closest_marker("gpu")]


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    backend = backends.get("auto")
    with Zygote(backend.environment()) as zygote:
        yield Runner(zygote, backend, root=ROOT, seed=20)


@pytest.fixture
def exercise() -> Exercise:
    return select(ROOT, ["vector_add"])[0]


def edited_solution(exercise: Exercise, track: str, folder: Path, edits: dict[str, tuple[str, str]]) -> Submission:
    """A copy of a solution in `folder` with (find, replace) applied to its files; each must be found exactly once."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TRACKS[track]:
        text = (ROOT / "solutions" / exercise.id / name).read_text()
        if name in edits:
            find, replace = edits[name]
            assert text.count(find) == 1, f"{name} holds {find!r} {text.count(find)} times"
            text = text.replace(find, replace)
        (folder / name).write_text(text)
    return Submission(exercise, track, folder)


def words(verdict: Verdict) -> str:
    """Everything a verdict tells the learner."""
    return f"{verdict.reason}\n{verdict.outcome.detail}"
