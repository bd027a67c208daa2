"""Reports: at every moment a whole file, first one that says that grading crashed; killing a run loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support import GRADE, ROOT, grade, on_a_terminal

from grader.discover import TargetError
from grader.outcome import GraderError
from grader.reportfiles import ReportFile, Reports, crashed, replace_file

NOW = datetime(2025, 9, 1, tzinfo=UTC)
FILES = {"json": "r.json", "gradescope": "g.json", "classroom50": "c.json", "junit": "j.xml", "markdown": "m.md"}


def options(folder: Path) -> list[str]:
    return [part for name, file in FILES.items() for part in (f"--{name}", str(folder / file))]


def say_crashed(folder: Path) -> bool:
    """Whether all files are there, valid, and say so."""
    if not all((folder / file).is_file() for file in FILES.values()):
        return False
    assert json.loads((folder / "r.json").read_text())["trouble"]
    assert "Grading crashed" in json.loads((folder / "g.json").read_text())["output"]
    (test,) = json.loads((folder / "c.json").read_text())["tests"]
    assert test["test-name"].startswith("Grading crashed") and test["passed"] is False
    assert next(ElementTree.parse(folder / "j.xml").getroot().iter("error")).attrib["type"] == "crashed"
    assert "**Grading crashed**" in (folder / "m.md").read_text()
    return True


@pytest.mark.parametrize("work", ["text.zip", "empty.zip", "solutions/level1"])
def test_what_cannot_be_graded_is_its_authors_to_mend(work: str, tmp_path: Path) -> None:
    """No format calls a damaged or empty hand-in the grader's crash, and none names the grading machine's folders."""
    (tmp_path / "text.zip").write_text("no zip")
    zipfile.ZipFile(tmp_path / "empty.zip", "w").close()
    tree = ROOT / work if "/" in work else tmp_path / work
    done = grade("vector_add", "--from", str(tree), *options(tmp_path))
    assert done.returncode == 1 and done.stderr.startswith(f"grade: --from {tree}: ")
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["refused"].startswith(f"{tree.name}: ") and report["trouble"] == ""
    output = json.loads((tmp_path / "g.json").read_text())["output"]
    assert output == f"Not graded: {report['refused']}\nMend that and hand in again."
    (test,) = json.loads((tmp_path / "c.json").read_text())["tests"]
    assert test["test-name"].startswith(f"Not graded: {tree.name}: ") and test["passed"] is False
    (child,) = next(ElementTree.parse(tmp_path / "j.xml").getroot().iter("testcase"))
    assert (child.tag, child.attrib["type"]) == ("failure", "refused")
    assert (tmp_path / "m.md").read_text().startswith("## Kernel Ladder\n\n**Not graded**: ")


def test_killed_at_any_point_it_says_crashed(tmp_path: Path) -> None:
    """Also where the last run's marks lay."""
    for delay in (0.0, 1.0, 3.0):
        for file in FILES.values():
            (tmp_path / file).write_text("100 of 100 points, the student before")
        command = [*GRADE, "vector_add", "--from", "solutions", *options(tmp_path)]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while "crashed" not in (tmp_path / "m.md").read_text() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        assert process.returncode == -signal.SIGKILL
        assert say_crashed(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["vectr_add"], 2, "did you mean vector_add"),
        (["vector_add", "--from", "nowhere"], 2, "no such folder"),
        (["vector_add", "--backend", "gpu"], 3, ""),
    ],
)
def test_what_ended_it_is_named(arguments: list[str], code: int, why: str, tmp_path: Path) -> None:
    done = grade(*arguments, *options(tmp_path), CUDA_VISIBLE_DEVICES="")
    assert done.returncode == code, done.stderr
    assert say_crashed(tmp_path)
    trouble = json.loads((tmp_path / "r.json").read_text())["trouble"]
    assert why in trouble and trouble in done.stderr


def test_a_finished_run_takes_their_place(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    done = grade("vector_add", "--from", str(tmp_path / "none"), *options(tmp_path))
    assert done.returncode == 1, done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["trouble"] == ""
    assert "crashed" not in "".join((tmp_path / file).read_text() for file in FILES.values())
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*FILES.values(), "none"]), (
        "nothing else is left"
    )
    assert (tmp_path / "r.json").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("name", FILES)
def test_any_report_may_go_to_standard_output(name: str, tmp_path: Path) -> None:
    done = grade("vector_add", "--track", "triton", "--from", str(tmp_path), f"--{name}", "-")
    assert done.returncode == 1 and "not started" in done.stderr and "Traceback" not in done.stderr
    assert done.stdout.startswith({"junit": "<?xml", "markdown": "## Kernel"}.get(name, "{"))


def test_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    seen = on_a_terminal("vector_add", "--from", str(tmp_path / "work"), *options(tmp_path))
    assert "not started" in seen and "Traceback" not in seen
    assert "0 of 7 points" in (tmp_path / "m.md").read_text()


WRITER = """
import sys
from pathlib import Path
from grader.reportfiles import replace_file
for n in range(10 ** 9):
    replace_file(Path(sys.argv[1]), f"{n}\\n" * 20000 + "end")
"""


def test_a_write_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    """Whenever it is killed, the file holds what was there before or after, whole."""
    target = tmp_path / "x"
    target.write_text("0\nend")
    for _ in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(target)], env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        first = target.stat().st_ino
        deadline = time.monotonic() + 60
        while target.stat().st_ino == first and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(0.05)
        process.kill()
        process.wait()
        lines = target.read_text().split("\n")
        assert lines[-1] == "end" and len(set(lines[:-1])) == 1 and len(lines) in (2, 20001)


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/x").write_text("old")
    (tmp_path / "x").symlink_to("real/x")
    replace_file(tmp_path / "x", "new")
    assert (tmp_path / "x").is_symlink() and (tmp_path / "real/x").read_text() == "new"


def test_a_full_disk_keeps_the_old_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(GraderError, match="cannot write .*x: No space left on device"):
        ReportFile("--json", str(tmp_path / "x")).write("new")
    assert [path.name for path in tmp_path.iterdir()] == ["x"] and (tmp_path / "x").read_text() == "old"


def test_one_that_cannot_be_written_keeps_no_other_back(tmp_path: Path) -> None:
    reports = Reports({"json": "/dev/full", "markdown": str(tmp_path / "m.md")}, NOW)
    with reports, pytest.raises(GraderError, match="cannot write /dev/full: No space left"):
        reports.finish(crashed(NOW, "as said"))
    assert "as said" in (tmp_path / "m.md").read_text()


def test_what_cannot_be_written_is_refused_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ReportFile("--json", str(tmp_path / "new.json"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(TargetError, match="--json .*: cannot be written: permission denied"):
        ReportFile("--json", str(tmp_path / "new.json"))
