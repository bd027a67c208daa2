"""Hidden cases are run, count, and show nothing: in no report and by nothing that the submission does."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT, grade

from grader.exercise import Exercise, Submission
from grader.outcome import Status
from grader.runner import Runner

ADD = "level1/01_vector_add"
SECRET = 7919
SOURCE = (ROOT / "solutions" / ADD / "triton_kernel.py").read_text()
HEAD = "def solve(a, b, out, n):"

BAD = {
    "a crash": (Status.CRASH, "raise ValueError(f'n is {n}')"),
    "a wrong result": (Status.WRONG, "n = n - 1"),
    "no result": (Status.WRONG, "return"),
    "an input changed": (Status.WRONG, "a = a; add_kernel[(1,)](b, b, a, n, BLOCK=1024)"),
    "a read out of bounds": (Status.WRONG, "n = n + 1"),
    "no end": (Status.TIMEOUT, "__import__('time').sleep(60)"),
    "an end": (Status.CRASH, "__import__('os')._exit(3)"),
}


def submission(exercise: Exercise, folder: Path, line: str) -> Submission:
    """Right for all sizes but the hidden one, which it tries to tell."""
    tell = f"\n    if n == {SECRET}:\n        print('n is', n, flush=True)\n        {line}"
    (folder / "triton_kernel.py").write_text(SOURCE.replace(HEAD, HEAD + tell))
    hidden = replace(exercise, hidden=({"n": SECRET},), dtypes={"triton": ("float32",)}, kinds=("normal",))
    return Submission(hidden, "triton", folder)


@pytest.mark.parametrize("what", BAD)
def test_a_hidden_case_that_fails(
    what: str, exercise: Exercise, runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, line = BAD[what]
    if status is Status.TIMEOUT:
        monkeypatch.setattr(runner, "deadline", 5.0)
    verdict = runner.grade(submission(exercise, tmp_path, line))
    assert verdict.grade == "failed" and verdict.outcome.status is status
    assert "a hidden case " in verdict.reason and verdict.outcome.detail == ""
    assert str(SECRET) not in repr(verdict) + repr(verdict.outcome)
    assert verdict.outcome.printed == "" and verdict.outcome.findings == ()
    assert verdict.outcome.checks()["hidden"] == "failed" and verdict.outcome.timing is None
    told = [(row.case, row.worst) for row in verdict.outcome.cases if row.check == "hidden"]
    assert told == [({}, None)] * (status is Status.WRONG)


def test_hidden_cases_that_pass(exercise: Exercise, runner: Runner, tmp_path: Path) -> None:
    verdict = runner.grade(submission(exercise, tmp_path, "pass"))
    assert verdict.grade == "correct (not timed)" and verdict.reason.endswith("; the hidden cases are right as well")
    assert verdict.outcome.checks()["hidden"] == "passed" and verdict.outcome.printed == ""
    assert verdict.outcome.cases[-1].calls > 0 and str(SECRET) not in repr(verdict.outcome)


def test_where_all_else_is_wrong_they_are_not_run(exercise: Exercise, runner: Runner, tmp_path: Path) -> None:
    one = submission(exercise, tmp_path, "pass")
    (tmp_path / "triton_kernel.py").write_text(SOURCE.replace("total, mask)", "total * 2, mask)"))
    verdict = runner.grade(one)
    assert verdict.outcome.checks()["hidden"] == "not run" and verdict.outcome.failed_check == "tiny"


def test_no_report_shows_them(tmp_path: Path) -> None:
    project, work = tmp_path / "course", tmp_path / "work" / ADD
    shutil.copytree(ROOT / "levels" / ADD, project / "levels" / ADD)
    manifest = project / "levels" / ADD / "exercise.toml"
    manifest.write_text(f"hidden = [{{ n = {SECRET} }}]\n" + manifest.read_text())
    work.mkdir(parents=True)
    tell = f"\n    if n == {SECRET}:\n        print('n is', n)\n        raise ValueError(n)"
    (work / "triton_kernel.py").write_text(SOURCE.replace(HEAD, HEAD + tell))
    names = {"json": "r.json", "gradescope": "g.json", "classroom50": "c.json", "junit": "j.xml", "markdown": "m.md"}
    reports = [part for name, file in names.items() for part in (f"--{name}", str(tmp_path / file))]
    arguments = ["vector_add", "--track", "triton", "--from", str(tmp_path / "work"), "--seed", "5", "-v", *reports]
    done = grade(*arguments, cwd=project)
    assert done.returncode == 1, done.stderr
    texts = [(tmp_path / file).read_text() for file in names.values()]
    assert all(str(SECRET) not in text for text in (*texts, done.stdout, done.stderr))
    assert all("a hidden case crashes" in text for text in (texts[0], texts[1], texts[3], texts[4], done.stdout))
    assert json.loads(texts[1])["tests"][0]["score"] == 0
