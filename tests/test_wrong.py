"""Every folder of wrong/ tries for a mark that it does not deserve, or misbehaves; it must get its stated verdict."""

from __future__ import annotations

import contextlib
import hashlib
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from support import ROOT, words

from grader import backends
from grader.discover import select, submissions
from grader.exercise import TRACKS, Submission
from grader.outcome import GRADES, Status, Verdict
from grader.runner import Runner
from grader.sandbox import KEPT_OUTPUT, Zygote

WRONG = ROOT / "tests/wrong"
BACKEND = backends.get("auto")
REQUIRED = {"exercise", "track", "status", "expect", "seconds"}
OPTIONAL = {"grade", "backends", "deadline", "ratio"}
MARKER = "kernel-ladder-unkillable"
"""In the command line of the process that wrong/unkillable_child leaves."""

ENTRIES = {path.parent.name: tomllib.loads(path.read_text()) for path in sorted(WRONG.glob("*/verdict.toml"))}
HERE = [name for name, entry in ENTRIES.items() if BACKEND.name in entry.get("backends", backends.NAMES)]


def here(value: Any) -> Any:
    """What a verdict.toml states for this backend."""
    return value[BACKEND.name] if isinstance(value, dict) else value


def submission(name: str) -> Submission:
    entry = ENTRIES[name]
    (found,) = submissions(select(ROOT, [entry["exercise"]]), WRONG / name, entry["track"])
    return found


def contents() -> dict[Path, str]:
    """A hash of every file that a submission must leave alone."""
    files = [path for tree in ("grader", "levels") for path in (ROOT / tree).rglob("*") if path.is_file()]
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def own_runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """A runner whose submissions find an empty temporary folder, and after which nothing may be left."""
    temporary = tmp_path_factory.mktemp("temporary")
    before = contents()
    others = {process.pid for process in psutil.Process().children(recursive=True)}
    with Zygote({**BACKEND.environment(), "TMPDIR": str(temporary)}) as zygote:
        yield Runner(zygote, BACKEND, root=ROOT, seed=20)
    assert contents() == before, "a submission changed the grader's files"
    assert not list(temporary.iterdir())
    assert {process.pid for process in psutil.Process().children(recursive=True)} <= others
    assert not marked(str(temporary))


def is_timed_instead(verdict: Verdict, entry: dict[str, Any]) -> bool:
    """On a GPU what is right gets one of the grades for speed."""
    return entry.get("grade") == "correct (not timed)" and BACKEND.name == "gpu" and verdict.passed


def marked(temporary: str) -> list[psutil.Process]:
    """Processes with the marker that were started by workers of the runner whose temporary folder this is."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        with contextlib.suppress(psutil.Error):
            if any(MARKER in part for part in process.info["cmdline"] or ()):
                found += [process] if process.environ().get("TMPDIR", "").startswith(temporary) else []
    return found


@pytest.mark.parametrize("name", HERE)
def test_verdict(name: str, own_runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = ENTRIES[name]
    monkeypatch.setattr(own_runner, "deadline", float(entry.get("deadline", own_runner.deadline)))
    started = time.monotonic()
    verdict = own_runner.grade(submission(name))
    seconds = time.monotonic() - started
    assert verdict.outcome.status == here(entry["status"]), words(verdict)
    assert verdict.grade == entry.get("grade", "failed") or is_timed_instead(verdict, entry), words(verdict)
    assert here(entry["expect"]) in words(verdict)
    if "ratio" in entry:
        low, high = entry["ratio"]
        assert verdict.outcome.timing and low < verdict.outcome.timing.ratio < high
    assert verdict.reason and "\n" not in verdict.reason
    assert "Traceback" not in words(verdict) and f'File "{ROOT}/grader' not in words(verdict)
    assert seconds < entry["seconds"]
    assert len(verdict.outcome.printed) <= 2 * KEPT_OUTPUT + 10
    assert not marked(own_runner.zygote.temporary)


def test_every_entry_is_complete() -> None:
    folders = {path.name for path in WRONG.iterdir() if path.is_dir()}
    assert folders == set(ENTRIES), "a folder without a verdict.toml"
    assert len(ENTRIES) >= 45
    for name, entry in ENTRIES.items():
        assert set(entry) >= REQUIRED and set(entry) <= REQUIRED | OPTIONAL, name
        assert entry["track"] in TRACKS, name
        for status in entry["status"].values() if isinstance(entry["status"], dict) else [entry["status"]]:
            assert status in list(Status), name
        assert entry.get("grade", "failed") in GRADES, name
        assert set(entry.get("backends", [])) <= set(backends.NAMES), name
        assert any(path.is_file() for path in submission(name).files), name
