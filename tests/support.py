"""What several test files call."""

from __future__ import annotations

from pathlib import Path

from grader.exercise import TRACKS, Exercise, Submission
from grader.outcome import Verdict

ROOT = Path(__file__).resolve().parent.parent


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


def track_of(file: str) -> str:
    """The track that a file of this name belongs to."""
    return next(track for track, files in TRACKS.items() if file in files)


def words(verdict: Verdict) -> str:
    """Everything a verdict tells the learner."""
    return f"{verdict.reason}\n{verdict.outcome.detail}"
