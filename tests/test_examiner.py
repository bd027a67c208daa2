"""The track `answer`: what is said of given implementations, held against what they do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT, words

from grader.answers import Answer, AnswerError, read_answers
from grader.contract import load_contract
from grader.diagnosis import BOUNDS
from grader.discover import select
from grader.examiner import Examiner, _growing
from grader.exercise import Exercise, ExerciseError, Submission
from grader.outcome import Status
from grader.runner import Runner

NAMES = ("a", "b")
RIGHT = '[a]\nbound = "memory"\nmilliseconds = 0.1\n[b]\nbound = "launch"\nmilliseconds = 3\n'


@pytest.fixture
def drill() -> Exercise:
    return select(ROOT, ["diagnose_sum"])[0]


def handed_in(drill: Exercise, folder: Path, text: str) -> Submission:
    (folder / "answer.toml").write_text(text)
    return Submission(drill, "answer", folder)


def test_answers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "answer.toml"
    path.write_text(RIGHT)
    assert read_answers(path, NAMES) == {"a": Answer("memory", 0.1), "b": Answer("launch", 3.0)}


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            '"memory"',
            '"memroy"',
            "answer.toml:1: [a]: `bound` is 'memroy'; it is one of memory, compute, launch, syn",
        ),
        ("[b]", "[c]", "answer.toml:4: there is no `c` here, only a, b"),
        ("[b]\nbound", "bound", "answer.toml: not valid TOML: Cannot overwrite a value"),
        ("milliseconds = 3", 'milliseconds = "3"', "answer.toml:4: [b]: `milliseconds` is '3'; it is a number"),
        ("milliseconds = 3", "milliseconds = -3", "answer.toml:4: [b]: `milliseconds` is -3; it is a number"),
        ("milliseconds = 3", "seconds = 3", "answer.toml:4: [b] has `seconds`; it takes `bound` and `milliseconds`"),
        ('bound = "launch"', "bound = []", "answer.toml:4: [b]: `bound` is []; it is one of"),
        ('[b]\nbound = "launch"\nmilliseconds = 3\n', "", "answer.toml: a table [b] is missing"),
    ],
)
def test_what_is_no_answer_is_told_by_line(tmp_path: Path, before: str, after: str, message: str) -> None:
    path = tmp_path / "answer.toml"
    assert before in RIGHT
    path.write_text(RIGHT.replace(before, after))
    with pytest.raises(AnswerError) as caught:
        read_answers(path, NAMES)
    assert message in str(caught.value)


def test_a_bound_may_be_spelt_the_american_way(tmp_path: Path) -> None:
    path = tmp_path / "answer.toml"
    path.write_text(RIGHT.replace("memory", "synchronization"))
    assert "synchronisation" in {answer.bound for answer in read_answers(path, NAMES).values()}


def test_a_wrong_answer_shows_the_counts_and_not_the_answer(runner: Runner, drill: Exercise, tmp_path: Path) -> None:
    solution = (ROOT / "solutions" / drill.id / "answer.toml").read_text()
    verdict = runner.grade(handed_in(drill, tmp_path, solution.replace('"compute"', '"memory"')))
    assert verdict.grade == "failed" and verdict.outcome.status is Status.WRONG
    assert "3 of 4 are right" in words(verdict)
    assert "d: memory is not what costs the most" in words(verdict)
    assert "compute" not in words(verdict)
    assert "alone it would take 0.063 ms" in words(verdict)
    assert "16384" not in words(verdict) and "launches" not in words(verdict)


def test_an_estimate_must_be_near(runner: Runner, drill: Exercise, tmp_path: Path) -> None:
    solution = (ROOT / "solutions" / drill.id / "answer.toml").read_text()
    verdict = runner.grade(handed_in(drill, tmp_path, solution.replace("milliseconds = 0.063", "milliseconds = 63")))
    assert "b: memory is right, but 63 ms is off by more than a factor of 2" in words(verdict)
    assert "hint: count once more, at the size of the question: rows=16384, cols=4096" in words(verdict)


def test_only_what_has_changed_is_examined_again(runner: Runner, drill: Exercise, tmp_path: Path) -> None:
    solution = (ROOT / "solutions" / drill.id / "answer.toml").read_text()
    copy = replace(drill, folder=shutil.copytree(drill.folder, tmp_path / drill.id))
    said: list[str] = []
    examine = Examiner(
        load_contract(copy), handed_in(copy, tmp_path, solution), runner.backend, runner.zygote, 1, 60.0, ()
    )
    first = examine.examine(said.append)
    with (copy.folder / "c" / "cuda_launch.py").open("a") as file:
        file.write("# changed\n")
    assert examine.examine(said.append) == first
    assert [text for text in said if "counting" in text] == [f"{name}: counting" for name in "abcdc"]


def test_a_file_that_is_no_answer_fails_with_its_line(runner: Runner, drill: Exercise, tmp_path: Path) -> None:
    verdict = runner.grade(handed_in(drill, tmp_path, '[a]\nbound = "gpu"\n'))
    assert verdict.outcome.status is Status.BUILD_ERROR
    assert "answer.toml:1: [a]: `bound` is 'gpu'" in words(verdict)


def test_a_part_that_is_open_is_told(runner: Runner, drill: Exercise, tmp_path: Path) -> None:
    stub = (drill.folder / "answer.toml").read_text().replace('[b]\nbound = ""', '[b]\nbound = "memory"')
    verdict = runner.grade(
        handed_in(drill, tmp_path, stub.replace("milliseconds = 0\n\n[c]", "milliseconds = 0.07\n\n[c]"))
    )
    assert verdict.grade == "failed" and "1 of 4 are right" in words(verdict)
    assert "a: not answered yet" in words(verdict)


@pytest.mark.parametrize("name", ["a", "b", "c", "d"])
def test_the_implementations_are_right(runner: Runner, name: str) -> None:
    """Each computes what the reference does: as a solution of the exercise it would pass."""
    for drill in select(ROOT, ["all"]):
        for one in drill.implementations if "answer" in drill.tracks else ():
            if one.folder.name == name:
                assert runner.grade(one).outcome.status is Status.CORRECT, one.name


def test_the_bound_is_clear(runner: Runner) -> None:
    """The largest cost is at least three times the next; on a GPU a call takes about as long."""
    for drill in select(ROOT, ["all"]):
        if "answer" not in drill.tracks:
            continue
        nothing = Submission(drill, "answer", drill.folder)
        world = runner.backend, runner.zygote, 1, 60.0, (), runner._bench, runner._examined
        for name, one in Examiner(load_contract(drill), nothing, *world).examine(lambda text: None).items():
            largest, second = sorted(one.costs.values(), reverse=True)[:2]
            assert largest >= 3 * second, (drill.id, name, one)
            if one.seconds is not None:
                assert 0.5 * largest <= one.seconds <= 3 * largest, (drill.id, name, one)


def test_exactly_one_size_grows(drill: Exercise) -> None:
    contract = load_contract(drill)
    assert _growing(contract) == ("rows", {"rows": 16, "cols": 4096}, {"rows": 32, "cols": 4096})
    contract.exercise.__dict__["bench"] = {"rows": 64, "cols": 1}
    with pytest.raises(ExerciseError, match="exactly one size must grow"):
        _growing(contract)


def test_profile_shows_every_implementation() -> None:
    command = [sys.executable, "-m", "grader", "profile", "diagnose_sum", "--backend", "vgpu", "--top", "1"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"level3/drills/diagnose_sum/{name}, cuda: one call" in shown for name in "abcd")
    a, b, c, d = (line for line in shown.splitlines() if line.startswith("in all: "))
    assert "waits 0 times for the GPU, 131,072 atomics on one address" in a
    assert "moves 0.525 MB" in b and "launches 2 times" in b
    assert "launches 32 times" in c and "32 atomics on one address" in d


def test_the_drills_cannot_be_guessed(runner: Runner) -> None:
    """No letter means the same bound in every drill, and every bound comes up somewhere."""
    answers = [
        read_answers(
            ROOT / "solutions" / drill.id / "answer.toml", [one.folder.name for one in drill.implementations]
        )
        for drill in select(ROOT, ["all"])
        if "answer" in drill.tracks
    ]
    assert all(len({answer[letter].bound for answer in answers}) > 1 for letter in "abcd")
    assert {one.bound for answer in answers for one in answer.values()} == set(BOUNDS)
