"""A bare `grade`: on a terminal it guides, step by step and never of its own accord; in a pipe it only tells."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from support import ROOT, Terminal, grade
from test_watch import ADD, ENDLESS, KERNEL, RIGHT, WRONG, save

NEXT = "level1/02_vector_multiply"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for tree in ("levels", "solutions"):
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def events(project: Path) -> list[tuple[str, str]]:
    lines = (project / ".kernel-ladder/journal.jsonl").read_text().splitlines()[1:]
    return [(line["event"], line["exercise"]) for line in map(json.loads, lines)]


def test_the_whole_way_by_keys(project: Path) -> None:
    """Wrong, a hint, right; it stays until n is pressed, and begins there the next time."""
    kernel = project / "levels" / ADD / KERNEL
    with Terminal(cwd=project) as terminal:
        said = terminal.expect("h hint  l list  r reset  n next  q quit")
        assert f"{ADD}: Vector add" in said and re.search(r"━ 0/\d+ solved +vector_add", said), said
        save(kernel, WRONG)
        terminal.expect(f"{ADD}, triton: saved")
        said = terminal.expect(r"1 failed in [\d.]+ s\r")
        assert "never written: only the last partial tile" in said and "hint  l list" in said, "pinned while it runs"
        terminal.expect(r"vector_add +cuda not started; triton failed")
        terminal.type("h")
        terminal.expect("hint 1 of 2 for triton: ")
        terminal.type("x\x1b[A")  # neither is a key of ours
        terminal.type("l")
        terminal.expect(r"Level 1 · Elementwise: 0 of \d+ solved")
        save(kernel, RIGHT)
        terminal.expect(rf"vector_add is solved; n goes on to {NEXT}; .* grade solution vector_add")
        terminal.expect(r"━ 1/\d+ solved +vector_add")
        terminal.type("n")
        terminal.expect(f"{NEXT}: Vector multiply")
        terminal.type("q")
        terminal.expect("go on at any time: grade")
        assert terminal.ended() == 0
    assert events(project) == [("attempt", ADD), ("hint", ADD), ("attempt", ADD), ("moved", NEXT)]
    with Terminal(cwd=project) as terminal:
        terminal.expect(f"{NEXT}: Vector multiply")
        terminal.expect("q quit")
        terminal.type("\x03")
        assert terminal.ended() == 0


def test_reset_asks_first(project: Path) -> None:
    kernel = project / "levels" / ADD / KERNEL
    stub = kernel.read_text()
    save(kernel, "mine = 1\n")
    with Terminal("--track", "triton", cwd=project) as terminal:
        terminal.expect("1 failed in ")  # what was never graded is graded at once
        terminal.type("r")
        terminal.expect("back to the stubs of vector_add, triton")
        terminal.type("n")
        terminal.expect("nothing was reset")
        assert kernel.read_text() == "mine = 1\n"
        terminal.type("r")
        terminal.expect("r once more does it")
        terminal.type("r")
        terminal.expect("yours is kept")
        terminal.expect("triton not started")
        assert kernel.read_text() == stub
        terminal.type("q")
        assert f"{ADD}, triton: saved" not in terminal.expect("go on at any time")
        assert terminal.ended() == 0


def test_keys_work_while_something_is_graded(project: Path) -> None:
    kernel = project / "levels" / ADD / KERNEL
    with Terminal(cwd=project) as terminal:
        terminal.expect("q quit")
        save(kernel, ENDLESS)
        terminal.expect("triton: saved")
        terminal.type("n")
        terminal.expect(f"{NEXT}: ", 10)
        terminal.expect("q quit")
        terminal.type("q")
        assert terminal.ended() == 0
    assert events(project) == [("moved", NEXT)]


def test_the_terminal_is_left_as_it_was(project: Path) -> None:
    """Its modes: a line is echoed and waits for Enter again."""
    import termios

    with Terminal(cwd=project) as terminal:
        before = termios.tcgetattr(terminal.master)
        terminal.expect("q quit")
        assert termios.tcgetattr(terminal.master)[3] & (termios.ECHO | termios.ICANON) == 0
        terminal.type("\x04")  # Ctrl-D
        assert terminal.ended() == 0
        assert termios.tcgetattr(terminal.master) == before


def test_in_a_pipe_it_tells_what_is_next_and_ends(project: Path) -> None:
    done = grade(cwd=project)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith(f"{ADD}: Vector add") and "\x1b[" not in done.stdout
    assert done.stdout.endswith(
        "on a terminal, grade alone guides you through it: each save is graded, keys give hints\n"
    )
    assert grade("--track", "cuda", cwd=project).returncode == 0
    assert "what shall be graded?" in grade("--json", "-", cwd=project).stderr
