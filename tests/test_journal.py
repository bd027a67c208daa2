"""The journal loses nothing: not to a kill, not to two writers, not to damage or to a newer version."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import ROOT

from grader.journal import FORMAT, Journal, JournalError

WRITER = """
import sys
from pathlib import Path
from grader.journal import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    journal.append({"event": "attempt", "exercise": sys.argv[2], "number": number})
    print(number, flush=True)
"""


def writer(root: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(root), name, str(count)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def entry(number: int) -> dict[str, object]:
    return {"event": "attempt", "exercise": "level1/01_x", "number": number}


def numbers(journal: Journal) -> list[int]:
    return [line["number"] for line in journal.read()]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """One with two entries."""
    new = Journal(tmp_path)
    new.append(entry(1))
    new.append(entry(2))
    return Journal(tmp_path)


def test_what_is_appended_is_read(journal: Journal) -> None:
    assert numbers(journal) == [1, 2] and journal.notes == []
    assert json.loads(journal.path.read_text().splitlines()[0]) == {"format": FORMAT}


def test_reading_makes_no_file(tmp_path: Path) -> None:
    assert Journal(tmp_path).read() == () and list(tmp_path.iterdir()) == []


def test_kill_9_loses_nothing_that_was_written(tmp_path: Path) -> None:
    for delay in (0.0, 0.003, 0.01):
        process = writer(tmp_path, "killed", 100_000)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        acknowledged = 1 + len(process.stdout.read().split())
        process.stdout.close()
        process.wait()
        journal = Journal(tmp_path)
        assert numbers(journal)[:acknowledged] == list(range(acknowledged)) and not journal.notes
        journal.append({"event": "attempt", "exercise": "after", "number": -1})
        assert numbers(Journal(tmp_path))[-1] == -1
        journal.path.unlink()


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    processes = [writer(tmp_path, name, 60) for name in ("a", "b")]
    assert [process.wait() for process in processes] == [0, 0]
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
    journal = Journal(tmp_path)
    by = {name: [line["number"] for line in journal.read() if line["exercise"] == name] for name in ("a", "b")}
    assert by == {"a": list(range(60)), "b": list(range(60))} and not journal.notes


@pytest.mark.parametrize("kept", range(0, 60, 7))
def test_a_line_cut_short_is_cleared_away(journal: Journal, kept: int) -> None:
    """At whatever byte the last write stopped: nothing of it remains, and no note is made of it."""
    whole = journal.path.read_bytes()
    line = json.dumps(entry(3)).encode()
    journal.path.write_bytes(whole + line[: min(kept, len(line) - 1)])
    assert numbers(journal) == [1, 2]
    journal.append(entry(4))
    assert numbers(Journal(journal.root)) == [1, 2, 4] and journal.notes == []


def test_a_last_line_that_lacks_only_its_end_counts(journal: Journal) -> None:
    journal.path.write_bytes(journal.path.read_bytes().removesuffix(b"\n"))
    journal.append(entry(3))
    assert numbers(journal) == [1, 2, 3] and journal.notes == []


def test_a_cut_at_the_very_beginning(journal: Journal) -> None:
    journal.path.write_bytes(b'{"form')
    journal.append(entry(1))
    assert numbers(journal) == [1] and journal.notes == []


@pytest.mark.parametrize(
    "damage", [b"\x00\xff\n", b"[1]\n", b'{"event": 3}\n', b"<<<<<<< HEAD\n", b'{"event": "at\n']
)
def test_damage_is_said_and_kept_aside(journal: Journal, damage: bytes) -> None:
    lines = journal.path.read_bytes().splitlines(keepends=True)
    broken = b"".join([*lines[:2], damage, *lines[2:]])
    journal.path.write_bytes(broken)
    assert numbers(journal) == [1, 2]
    assert journal.notes == [
        ".kernel-ladder/journal.jsonl is damaged in line 3; the other 2 entries are shown",
    ]
    assert journal.path.read_bytes() == broken, "reading changes nothing"
    writing = Journal(journal.root)
    writing.append(entry(3))
    (aside,) = journal.folder.glob("*.damaged")
    assert aside.read_bytes() == broken and f"kept as .kernel-ladder/{aside.name}" in writing.notes[0]
    again = Journal(journal.root)
    assert numbers(again) == [1, 2, 3] and again.notes == []


def test_something_else_altogether_is_kept_aside(journal: Journal) -> None:
    journal.path.write_bytes(b"\x89PNG no line at all")
    journal.append(entry(1))
    (aside,) = journal.folder.glob("*.damaged")
    assert aside.read_bytes() == b"\x89PNG no line at all" and numbers(Journal(journal.root)) == [1]


def test_a_newer_format_is_kept_aside(journal: Journal) -> None:
    newer = b'{"format": 9}\n{"what": "ever"}\n'
    journal.path.write_bytes(newer)
    assert journal.read() == () and "written by a newer Kernel Ladder (format 9, not 1)" in journal.notes[0]
    journal.append(entry(1))
    (aside,) = journal.folder.glob("*.format-9")
    assert aside.read_bytes() == newer and aside.name in journal.notes[1]
    assert numbers(Journal(journal.root)) == [1]


def test_a_full_disk_leaves_what_was_there(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    before = journal.path.read_bytes()
    write = os.pwrite

    def half(descriptor: int, data: bytes, offset: int) -> int:
        write(descriptor, data[:10], offset)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", half)
    with pytest.raises(JournalError, match=r"cannot write .*journal\.jsonl: No space left on device"):
        journal.append(entry(3))
    assert journal.path.read_bytes() == before


def test_a_folder_in_its_place_is_a_clear_message(tmp_path: Path) -> None:
    (tmp_path / ".kernel-ladder/journal.jsonl").mkdir(parents=True)
    with pytest.raises(JournalError, match=r"cannot read \.kernel-ladder/journal\.jsonl: Is a directory"):
        Journal(tmp_path).read()


def test_names_with_the_time_are_never_taken_twice(journal: Journal) -> None:
    taken = []
    for _ in range(3):
        path = journal.free(journal.folder / "kernel.cu")
        path.touch()
        taken.append(path)
    assert len(set(taken)) == 3 and all(path.suffix == ".cu" for path in taken)
