"""What is printed: one line each, the first failure decoded, totals; plain when piped; and the JSON."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from grader import outcome as records
from grader.exercise import Submission
from grader.outcome import CHECKS, GRADES, CaseResult, Outcome, Status, Verdict
from grader.report import NEAR, Screen, to_json
from grader.reportfiles import crashed
from grader.vgpu.resources import Resources

DEVICE = {"backend": "gpu", "name": "Toy [bold] GPU", "capability": "9.0", "torch": "2.11"}
RIGHT = Outcome(
    Status.CORRECT,
    "8 calls",
    cases=(CaseResult({"n": 33}, "float32", "tiny", Status.CORRECT, 8, 0.25),),
)
DETAIL = "n=5: detail\n  first at out[4]"
WRONG = Outcome(Status.WRONG, "1 of 5 wrong [/]", DETAIL, "awkward", printed="hello [red]\n")
BUILD = ("kernel", "file", "target", "defines", *(field.name for field in fields(Resources)))
FIELDS = (
    "exercise, track, status, grade, reason, detail, checks, cases, build, findings, timing, counts, printed, seconds"
)


def verdicts(submission: Submission) -> list[Verdict]:
    name = submission.exercise.id
    return [
        Verdict(name, "cuda", "correct (not timed)", RIGHT.reason, RIGHT),
        Verdict(name, "triton", "failed", WRONG.reason, WRONG),
        Verdict(name, "triton", "failed", "second", Outcome(Status.CRASH, "second", failed_check="launches")),
    ]


@pytest.fixture
def submission(exercise: object) -> Submission:
    return Submission(exercise, "cuda", Path("x"))  # type: ignore[arg-type]


def shown(submission: Submission, capsys: pytest.CaptureFixture[str], verbose: bool = False) -> list[str]:
    graded = verdicts(submission)
    with Screen([submission], False, verbose) as screen:
        screen.header(DEVICE, 7)
        for verdict in graded:
            screen.verdict(verdict)
    screen.failures(graded, 7, " --from x")
    screen.totals(graded, 4)
    return capsys.readouterr().out.splitlines()


def test_piped_output_is_plain_lines(submission: Submission, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(submission, capsys)
    assert lines[0] == "Toy [bold] GPU, sm_90, backend gpu; torch 2.11; seed 7"
    assert lines[1].split("  ")[0] == submission.exercise.id
    assert lines[2].endswith("failed               1 of 5 wrong [/]")
    assert not any("\x1b" in line for line in lines)


def test_first_failure_is_decoded_with_its_replay(submission: Submission, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(submission, capsys)
    assert "  first at out[4]" in lines and "    hello [red]" in lines
    assert f"replay: grade {submission.exercise.id} --track triton --seed 7 --from x" in lines
    assert any(line.startswith("1 more failed; -v") for line in lines)
    assert lines[-1].startswith("1 correct (not timed), 2 failed, 1 not graded in ")


def test_verbose_decodes_all(submission: Submission, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(submission, capsys, verbose=True)
    assert sum(line.startswith("replay:") for line in lines) == 2


def test_what_the_verdicts_line_said_is_not_said_again_below_it(
    submission: Submission, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = "out of bounds: thread 33"
    outcome = Outcome(Status.WRONG, reason, f"{reason}\n  hint: guard it", "structure")
    verdict = Verdict(submission.exercise.id, "cuda", "failed", reason, outcome)
    for graded, times in ([verdict], 1), ([verdict] * (NEAR + 1), NEAR + 2):
        with Screen([submission], False, False) as screen:
            for one in graded:
                screen.verdict(one)
        screen.failures(graded, 7, "")
        out = capsys.readouterr().out
        assert out.count(reason) == times, "where it has left the screen, it is repeated"
        assert f"{submission.exercise.id}, cuda: failed (wrong)" in out and "  hint: guard it" in out
    bare = replace(verdict, outcome=Outcome(Status.CRASH, reason, failed_check="launches"))
    screen.failures([bare], 7, "")
    assert capsys.readouterr().out == f"\nreplay: grade {submission.exercise.id} --track cuda --seed 7\n"


def test_prints_of_a_right_kernel_are_shown_and_counted(
    submission: Submission, capsys: pytest.CaptureFixture[str]
) -> None:
    build = {"kernel": "add", "target": "sm_90", "registers": 16, "spill_stores": 0, "spill_loads": 0, "stack": 0}
    text = "\n".join(f"i = {i}" for i in range(30))
    outcome = replace(RIGHT, printed=text, build=({**build, "shared": 0},))
    verdict = Verdict(submission.exercise.id, "cuda", "correct (not timed)", RIGHT.reason, outcome)
    Screen([submission], False, False).remarks([verdict])
    lines = capsys.readouterr().out.splitlines()
    assert f"{submission.exercise.id}, cuda printed:" in lines and "    i = 19" in lines
    assert lines[-1] == "    ... 10 more lines; -v shows them"
    Screen([submission], False, True).remarks([verdict])
    out = capsys.readouterr().out
    assert "    i = 29" in out and "more lines" not in out and "cuda: add: sm_90: 16 registers, " in out


def test_a_narrow_terminal_gets_the_reason_on_lines_of_its_own(submission: Submission) -> None:
    reason = "nothing was stored; a TODO remains in levels/level1/01_vector_add/cuda_launch.py:11"
    verdict = Verdict(submission.exercise.id, "cuda", "not started", reason, RIGHT)
    said = {}
    for width in (80, 120):
        screen = Screen([submission], False, False)
        screen.console = Console(file=StringIO(), force_terminal=True, width=width, highlight=False)
        screen.verdict(verdict)
        said[width] = screen.console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert [line.strip() for line in said[80][1:]] == [
        *("nothing was stored; a TODO remains in", "levels/level1/01_vector_add/cuda_launch.py:11")
    ]
    assert all(line.startswith("    ") for line in said[80][1:]) and "not started" in said[80][0]
    assert "nothing was stored" in said[120][0]


def test_checks_after_a_failure_are_not_run() -> None:
    failed = CHECKS.index("awkward")
    after = len(CHECKS) - failed - 1
    assert list(WRONG.checks().values()) == ["passed"] * failed + ["failed"] + ["not run"] * after
    assert set(RIGHT.checks().values()) == {"passed", "not run"} and RIGHT.checks()["tiny"] == "passed"
    assert Outcome(Status.UNVERIFIED, "").checks()["compiles"] == "passed"
    hidden = replace(RIGHT, status=Status.WRONG, failed_check="hidden").checks()
    assert hidden == {**RIGHT.checks(), "hidden": "failed"} and hidden["large"] == "not run"


def test_json_has_the_documented_fields(submission: Submission) -> None:
    started = datetime.now(UTC) - timedelta(seconds=3)
    made = to_json(verdicts(submission), [submission] * 3, DEVICE, 7, started)
    report = json.loads(json.dumps(made))
    assert set(report) == set(crashed(started, "why")) and report["trouble"] == ""
    assert set(report["summary"]) == set(crashed(started, "why")["summary"])
    assert report["schema"] == 1 and report["seed"] == 7 and 3 <= report["seconds"] < 60
    assert datetime.fromisoformat(report["started"]) == started
    assert [set(mark) for mark in report["marks"]] == [{"exercise", "correct", "fast"}]
    assert set(report["marks"][0]["correct"]) == {"score", "max", "why"}
    assert report["summary"] == {
        "total": 3,
        "passed": 1,
        "grades": {"correct (not timed)": 1, "failed": 2},
        "complete": True,
        "score": 7,
        "max_score": 10,
    }
    first = report["results"][0]
    wanted = FIELDS.split(", ")
    assert list(first) == wanted
    assert first["status"] == "CORRECT" and first["grade"] in GRADES
    assert first["cases"] == [
        {"case": {"n": 33}, "dtype": "float32", "check": "tiny", "status": "CORRECT", "calls": 8, "worst": 0.25}
    ]
    documented = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text()
    assert f"| {', '.join(CHECKS)}: each" in documented
    assert all(
        f"`{figure}`" in documented for figure in (*BUILD, "threads", "dynamic_shared", "occupancy", "limiter")
    )
    for field in [
        *report,
        *wanted,
        *report["marks"][0],
        *report["marks"][0]["fast"],
        *first["cases"][0],
        *report["summary"],
    ]:
        assert (
            f"`{field}`" in documented
            or f"`.{field}`" in documented
            or f"`.{field}[]`" in documented
            or (f"`{field}[]`" in documented)
        ), field


def test_only_known_grades_pass() -> None:
    assert set(GRADES) > records.PASSING and "inconclusive" not in records.PASSING
