"""grade watch: real files are saved, on a terminal and with a pipe, and what was saved is graded."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path
from queue import Empty, Queue

import pytest
from support import GRADE, ROOT, Terminal, grade

from grader.commands.saves import Saves
from grader.discover import select, submissions
from grader.exercise import Submission

ADD = "level1/01_vector_add"
KERNEL = "triton_kernel.py"
RIGHT = (ROOT / "solutions" / ADD / KERNEL).read_text()
WRONG = RIGHT.replace("(triton.cdiv(n, BLOCK),)", "(1,)")
ENDLESS = "import time\n\ndef solve(a, b, out, n):\n    time.sleep(15)\n"
SOON = 1.0
"""Seconds within which a save must begin to be graded."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for tree in ("levels", "solutions"):
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def save(path: Path, text: str) -> float:
    """As careful editors do: a new file in the old one's place. The moment."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text)
    fresh.replace(path)
    return time.monotonic()


@pytest.fixture
def watched(tmp_path: Path) -> list[Submission]:
    folder = tmp_path / "levels" / ADD
    shutil.copytree(ROOT / "levels" / ADD, folder)
    shutil.copytree(ROOT / "levels/level1/02_vector_multiply", tmp_path / "levels/level1/02_vector_multiply")
    return submissions(select(tmp_path, ["vector_add", "vector_multiply"]), tmp_path / "levels", None)


def taken(saves: Saves, seconds: float = 1.0) -> list[str]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := saves.taken():
            return [f"{one.exercise.slug} {one.track}" for one in found]
        saves.wait(0.02)
    return []


def test_only_what_was_saved_is_taken_and_only_once(watched: list[Submission]) -> None:
    kernel = watched[1].folder / KERNEL
    with Saves(watched) as saves:
        save(kernel, RIGHT)
        assert taken(saves) == ["vector_add triton"] and taken(saves, 0.4) == []
        kernel.write_text(RIGHT + "\n")  # in place
        (watched[2].folder / "cuda_launch.py").write_text("x")
        found = taken(saves)
        found += taken(saves, 0.4)
        assert sorted(found) == ["vector_add triton", "vector_multiply cuda"]


def test_what_changes_nothing_is_no_save(watched: list[Submission]) -> None:
    kernel = watched[1].folder / KERNEL
    with Saves(watched) as saves:
        save(kernel, kernel.read_text())
        os.utime(kernel)
        (kernel.parent / "notes.txt").write_text("mine")
        (kernel.parent / f".{KERNEL}.swp").write_text("swap")
        assert taken(saves, 0.6) == []
        save(kernel, WRONG)
        time.sleep(0.3)
        saves.settle()
        assert taken(saves, 0.4) == []


def test_on_a_terminal_a_save_is_graded_at_once_and_a_newer_one_instead(project: Path) -> None:
    kernel = project / "levels" / ADD / KERNEL
    with Terminal("watch", "vector_add", cwd=project) as terminal:
        terminal.expect(f"watching {ADD}, cuda and triton: save, and it is graded; Ctrl-C ends")
        at = save(kernel, WRONG)
        terminal.expect(rf"saved: {ADD} \(triton\)")
        assert time.monotonic() - at < SOON
        said = terminal.expect("1 failed in .*next: grade hint vector_add")
        assert "never written: only the last partial tile" in said and "cuda" not in said
        save(kernel, ENDLESS)
        terminal.expect(r"saved: .*\(triton\)")
        time.sleep(0.5)
        at = save(kernel, RIGHT)
        terminal.expect(r"starting over\s+saved: .*\(triton\)")
        assert time.monotonic() - at < SOON
        terminal.expect(r"1 correct \(not timed\) in .*next: grade next")
        kernel.unlink()
        said = terminal.expect(r"git checkout -- levels/\S+")
        assert f"{ADD} (triton): a file is missing: levels/{ADD}/{KERNEL}" in said and "saved:" not in said
        terminal.type("\x03")
        assert terminal.ended() == 0
    log = grade("log", "vector_add", cwd=project).stdout
    assert log.count("triton") == 2 and "cuda" not in log, "what was given up is no attempt"


def test_in_a_pipe(project: Path) -> None:
    """What was edited before is graded first; a broken exercise is said and survived; Ctrl-C ends it cleanly."""
    kernel = project / "levels" / ADD / KERNEL
    save(kernel, WRONG)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*GRADE, "watch", "vector_add", "--track", "triton"]
    process = subprocess.Popen(
        command, cwd=project, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    lines: Queue[str] = Queue()
    assert process.stdout is not None
    reader = threading.Thread(target=lambda out: [lines.put(line) for line in out], args=[process.stdout])
    reader.start()

    def until(words: str) -> str:
        seen = ""
        while words not in seen:
            try:
                seen += lines.get(timeout=90)
            except Empty:
                pytest.fail(f"no {words!r} in {seen}")
        return seen

    try:
        said = until("next: grade hint vector_add")
        assert f"watching {ADD}, triton" in said and "1 failed in" in said and "\x1b[" not in said
        reference = project / "levels" / ADD / "reference.py"
        whole = reference.read_text()
        reference.write_text("def inputs(:\n")
        save(kernel, WRONG + "\n")
        assert "reference.py" in until("grade: ")
        reference.write_text(whole)
        save(kernel, RIGHT)
        until("1 correct (not timed) in")
        process.send_signal(signal.SIGINT)
        assert "stopped; next: grade next" in until("next: grade next\n")
        assert process.wait(30) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        reader.join(10)
        process.stdout.close()
