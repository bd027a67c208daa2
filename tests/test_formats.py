"""Marks for teaching platforms: every field they ask for, of the right type, from one and the same record."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support import ROOT

from grader.exercise import Exercise, Submission
from grader.formats import renderer
from grader.outcome import CaseResult, Outcome, Status, Timing, Verdict
from grader.report import to_json
from grader.reportfiles import crashed, refused

NAMES = ("json", "gradescope", "classroom50", "junit", "markdown")
STARTED = datetime(2025, 9, 1, 10, tzinfo=UTC)
DEVICE = {"backend": "gpu", "name": "Toy <GPU> | 1"}
RIGHT = (CaseResult({"n": 1}, "float32", "tiny", Status.CORRECT, 1, 0.1),)
TIMING = Timing({}, "float32", 1, 1, 1, 1, 1, "memory", 1, "", False, "", {})
EVIL = "1 of 5 wrong | `x` \x1b[31m <b> & ]]> \x00 \ud800"


def record(exercise: Exercise) -> dict[str, Any]:
    """Right and fast in CUDA, wrong in Triton with words that no format may trip over; and one unsupported, one
    unclear.
    """
    name = exercise.id
    verdicts = [
        Verdict(name, "cuda", "pass", "0.7x", Outcome(Status.CORRECT, "8 calls", cases=RIGHT, timing=TIMING)),
        Verdict(name, "triton", "failed", EVIL, Outcome(Status.WRONG, EVIL, f"{EVIL}\n```\n", "tiny", printed=EVIL)),
        Verdict(name, "cuda", "inconclusive", "needs sm_89", Outcome(Status.UNSUPPORTED, "needs sm_89")),
        Verdict(name, "cuda", "inconclusive", "cannot run", Outcome(Status.UNVERIFIED, "cannot run")),
    ]
    made = to_json(verdicts, [Submission(exercise, "cuda", Path("x"))] * 4, DEVICE, 7, STARTED)
    return made


@pytest.fixture(params=["whole", "crashed", "refused"])
def either(request: pytest.FixtureRequest, exercise: Exercise) -> dict[str, Any]:
    if request.param == "whole":
        return record(exercise)
    return dict((crashed if request.param == "crashed" else refused)(STARTED, f"no GPU {EVIL}"))


def test_gradescope(either: dict[str, Any]) -> None:
    report = json.loads(renderer("gradescope")(either))
    formats = {"text", "html", "simple_format", "md", "ansi"}
    assert set(report) <= {
        *("score", "execution_time", "output", "output_format", "test_output_format", "test_name_format"),
        *("visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"),
    }
    assert isinstance(report["execution_time"], float) and report["output_format"] in formats
    assert report["tests"] or report["score"] == 0, "a score is needed where tests have none"
    for test in report["tests"]:
        assert set(test) <= {
            *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags"),
            *("visibility", "extra_data"),
        }
        assert isinstance(test["score"], int) and isinstance(test["max_score"], int)
        assert 0 <= test["score"] <= test["max_score"]
        assert test.get("status", "passed") in ("passed", "failed") and isinstance(test["number"], str)
        assert test["visibility"] in ("hidden", "after_due_date", "after_published", "visible")


def test_gradescope_says_it_in_points_and_words(exercise: Exercise) -> None:
    right, fast = json.loads(renderer("gradescope")(record(exercise)))["tests"]
    assert (right["name"], right["number"], right["score"], right["max_score"], right["status"]) == (
        *(f"{exercise.id}: right", "1.1", 7, 7, "passed"),
    )
    assert "triton: failed: 1 of 5 wrong" in right["output"] and "cuda: pass: 0.7x" in right["output"]
    assert (fast["number"], fast["score"], fast["max_score"], fast["output"]) == ("1.2", 1, 3, "cuda: pass: 0.7x")
    report = json.loads(renderer("gradescope")(crashed(STARTED, "the driver is gone")))
    assert report["score"] == 0 and report["tests"] == [] and "the driver is gone" in report["output"]


ENVIRONMENT = {
    **{"CLASSROOM": "kernels", "ASSIGNMENT": "a1", "SUBMISSION_TAG": "v3", "COMMIT_URL": "https://c"},
    **{
        "RELEASE_URL": "https://r",
        "REVIEW_URL": "https://w",
        "USERNAME": "u",
        "OWNER": "o",
        "ASSIGNMENT_TYPE": "team",
    },
}


def test_classroom50(either: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    report = json.loads(renderer("classroom50")(either))
    assert list(report) == [
        *("schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release"),
        *("review", "datetime", "graded_at", "score", "max-score", "tests"),
    ]
    assert report["schema"] == "classroom50/result/v1" and report["assignment_type"] == "team"
    assert [report[key] for key in ("classroom", "assignment", "owner", "submission", "commit")] == [
        *("kernels", "a1", "o", "v3", "https://c")
    ]
    for key in ("datetime", "graded_at"):
        assert datetime.fromisoformat(report[key]).tzinfo == UTC
    assert [type(report[key]) for key in ("score", "max-score")] == [int, int]
    assert report["score"] == sum(test["score"] for test in report["tests"])
    assert report["max-score"] == sum(test["max-score"] for test in report["tests"])
    names = [test["test-name"] for test in report["tests"]]
    assert names and len(set(names)) == len(names) and all(len(name.encode()) <= 100 for name in names)
    for test in report["tests"]:
        assert set(test) == {"test-name", "passed", "score", "max-score"} and isinstance(test["passed"], bool)


def test_classroom50_without_its_variables(exercise: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    report = json.loads(renderer("classroom50")(record(exercise)))
    assert (report["assignment_type"], report["owner"], report["classroom"]) == ("individual", "", "")
    assert [(test["score"], test["max-score"]) for test in report["tests"]] == [(7, 7), (1, 3)]
    long = record(exercise)
    long["marks"] = [dict(long["marks"][0], exercise=f"level1/drills/{'ä' * 60}_{n}") for n in range(3)]
    names = [test["test-name"] for test in json.loads(renderer("classroom50")(long))["tests"]]
    assert len(set(names)) == 6 and all(len(name.encode()) <= 100 for name in names)
    monkeypatch.setenv("USERNAME", "u")
    assert json.loads(renderer("classroom50")(long))["owner"] == "u"


PYTESTS_OWN = """
import pytest
def test_passes(): print("said")
def test_fails(): assert 0
@pytest.fixture
def broken(): raise ValueError
def test_error(broken): pass
@pytest.mark.skip(reason="r")
def test_skipped(): pass
"""


def shape(root: ElementTree.Element) -> dict[str, set[str]]:
    """Every path of tags, with the attributes that are found there."""
    found: dict[str, set[str]] = {}

    def walk(element: ElementTree.Element, path: str) -> None:
        found.setdefault(path, set()).update(element.attrib)
        for child in element:
            walk(child, f"{path}/{child.tag}")

    walk(root, root.tag)
    return found


def test_junit_has_the_shape_of_pytests_own(either: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(PYTESTS_OWN)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit2"]
    more = ["-o", "junit_logging=system-out", f"--junitxml={tmp_path / 'x.xml'}", f"--rootdir={tmp_path}"]
    subprocess.run([*command, *more, str(tmp_path / "test_x.py")], cwd=tmp_path, capture_output=True, timeout=120)
    theirs = shape(ElementTree.parse(tmp_path / "x.xml").getroot())
    root = ElementTree.fromstring(renderer("junit")(either).encode("utf-8", "replace"))
    ours = shape(root)
    assert set(ours) <= set(theirs)
    assert ours["testsuites/testsuite"] == theirs["testsuites/testsuite"]
    assert ours["testsuites/testsuite/testcase"] == theirs["testsuites/testsuite/testcase"]
    assert ours["testsuites"] == {"name", "time", "tests", "failures", "errors"} >= theirs["testsuites"]
    for kind in ("failure", "error", "skipped"):
        path = f"testsuites/testsuite/testcase/{kind}"
        assert ours.get(path, {"message", "type"}) == {"message", "type"} >= theirs[path]
    suite = root.find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert all(len([child for child in case if child.tag != "system-out"]) <= 1 for case in cases)
    kinds = [child.tag for case in cases for child in case]
    told = {"errors": "error", "failures": "failure", "skipped": "skipped"}
    assert {name: int(suite.attrib[name]) for name in told} == {
        name: kinds.count(kind) for name, kind in told.items()
    }
    assert int(suite.attrib["tests"]) == len(cases) > 0


def test_junit_knows_whose_fault_it_is(exercise: Exercise) -> None:
    root = ElementTree.fromstring(renderer("junit")(record(exercise)).encode("utf-8", "replace"))
    cases = [[child.tag for child in case] for case in root.iter("testcase")]
    assert cases == [[], ["failure", "system-out"], ["skipped"], ["error"]]
    failure = next(root.iter("failure"))
    assert failure.attrib["message"].startswith("1 of 5 wrong | `x` \\x1b[31m <b> & ]]> \\x00")
    root = ElementTree.fromstring(renderer("junit")(crashed(STARTED, "the driver is gone")))
    (error,) = root.iter("error")
    assert "the driver is gone" in error.attrib["message"]


def test_markdown(exercise: Exercise) -> None:
    text = renderer("markdown")(record(exercise))
    lines = text.splitlines()
    assert "**8 of 10 points**; 1 of 4 graded tracks pass." in lines
    assert "| level1/01\\_vector\\_add | 7 of 7 | 1 of 3 | 8 of 10 |" in lines
    tables = [line for line in lines if line.startswith("|")]
    columns = [line.replace("\\|", "").count("|") - 1 for line in tables]
    assert columns == [4] * 9, "no text makes a column of its own"
    assert "<b>" not in "\n".join(tables) and lines.count("````") == 2
    assert "Graded on Toy &lt;GPU&gt; \\| 1, seed 7." in lines
    gone = renderer("markdown")(crashed(STARTED, "the driver is gone"))
    assert gone == "## Kernel Ladder\n\n**Grading crashed**: the driver is gone\n"


@pytest.mark.parametrize("name", NAMES)
def test_each_is_documented(name: str) -> None:
    assert f"--{name} " in (ROOT / "CONTRIBUTING.md").read_text()


def test_what_counts_for_nobody_is_in_no_sum(exercise: Exercise) -> None:
    right = Verdict(exercise.id, "cuda", "correct (not timed)", "8 calls", Outcome(Status.CORRECT, "8", cases=RIGHT))
    made = to_json([right], [Submission(exercise, "cuda", Path("x"))], {"backend": "vgpu"}, 7, STARTED)
    assert (made["summary"]["score"], made["summary"]["max_score"]) == (7, 7)
    fast = json.loads(renderer("gradescope")(made))["tests"][1]
    assert (fast["score"], fast["max_score"], fast["output"]) == (0, 0, "cuda: not timed: there is no GPU here")
    assert "status" not in fast
    assert [test["test-name"] for test in json.loads(renderer("classroom50")(made))["tests"]] == [
        f"{exercise.id}: right"
    ]
    assert "| 7 of 7 | not counted | 7 of 7 |" in renderer("markdown")(made)
