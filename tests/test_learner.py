"""The learner's commands, in pipes and on a terminal."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from support import ROOT, grade, on_a_terminal, plain

ADD = "level1/01_vector_add"
KERNEL = "triton_kernel.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A clone without a history: all exercises, all solutions, nothing done."""
    for tree in ("levels", "solutions"):
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def attempt(project: Path, exercise: str, track: str, grade: str, **more: object) -> None:
    """As if it had been graded."""
    from grader.journal import Journal

    entry = {"event": "attempt", "exercise": exercise, "track": track, "grade": grade, **more}
    Journal(project).append({"when": "2025-09-01T10:00:00+00:00", "backend": "gpu", "reason": "why [/]", **entry})


def solve(project: Path, exercise: str = ADD, name: str = KERNEL) -> None:
    shutil.copy(project / "solutions" / exercise / name, project / "levels" / exercise / name)


def test_the_whole_way(project: Path) -> None:
    """Graded, listed, logged, compared, reset: as a learner goes."""
    solve(project)
    done = grade("vector_add", cwd=project)
    assert done.stdout.splitlines()[-1].endswith("next: grade next"), done.stdout
    listed = grade("list", cwd=project).stdout
    assert re.search(r" 1  vector_add +cuda not started +triton correct \(not timed\)\n", listed)
    assert re.search(r"Level 1 · Elementwise: 1 of \d+ solved", listed)
    assert grade("next", cwd=project).stdout.startswith("level1/02_vector_multiply: ")
    log = grade("log", "vector_add", cwd=project).stdout
    assert (
        re.search(r"triton  vgpu|gpu +correct", log)
        and "1 attempt, all figures in .kernel-ladder/journal.jsonl" in log
    )
    compared = grade("solution", "vector_add", cwd=project).stdout
    assert (ROOT / "solutions" / ADD / KERNEL).read_text() in compared and "not shown: cuda" in compared
    reset = grade("reset", "vector_add", "--track", "triton", cwd=project).stdout
    assert (project / "levels" / ADD / KERNEL).read_text() == (ROOT / "levels" / ADD / KERNEL).read_text()
    back = re.search(r"to have it back: cp (\S+) (\S+)\n", reset)
    assert back and (project / back[1]).read_text() == (ROOT / "solutions" / ADD / KERNEL).read_text()
    assert grade("next", cwd=project).stdout.startswith(f"{ADD}: ")
    assert "triton not started" in grade("list", "vector_add", cwd=project).stdout


def test_files_from_elsewhere_are_nobodys_progress(project: Path) -> None:
    shutil.copytree(project / "levels", project / "other")
    (project / "other" / ADD / KERNEL).write_text("def solve(a, b, out, n):\n    raise ValueError\n")
    done = grade("vector_add", "--track", "triton", "--from", "other", cwd=project)
    assert done.returncode == 1 and "next:" not in done.stdout
    assert not (project / ".kernel-ladder").exists()
    (project / "levels" / ADD / KERNEL).write_text("def solve(a, b, out, n):\n    raise ValueError\n")
    done = grade("vector_add", "--track", "triton", cwd=project)
    assert done.stdout.endswith("next: grade hint vector_add\n")
    assert len((project / ".kernel-ladder/journal.jsonl").read_text().splitlines()) == 2


def test_untouched_files_are_no_attempt(project: Path) -> None:
    done = grade("vector_add", "--track", "triton", cwd=project)
    assert done.stdout.endswith("next: grade show vector_add\n") and not (project / ".kernel-ladder").exists()


def test_list_counts(project: Path) -> None:
    attempt(project, ADD, "cuda", "great", ratio=1.02)
    attempt(project, ADD, "triton", "slow", ratio=0.5)
    attempt(project, "level2/drills/mean", "cuda", "failed")
    solve(project, "level1/03_relu")
    listed = grade("list", "level1", "mean", cwd=project).stdout
    assert re.search(r"cuda great \(1\.02x\), edited since +triton slow \(0\.50x\), edited since", listed)
    assert re.search(r"drill +mean +cuda failed", listed) and re.search(
        r"relu +cuda not started +triton not graded", listed
    )
    assert re.search(
        r"1 of \d+ exercises solved; of the tracks 1 great, 1 slow, 1 failed, \d+ not started, 1 not graded", listed
    )
    assert "cuda" not in grade("list", "vector_add", "--track", "triton", cwd=project).stdout


def test_next_follows_a_track_and_ends(project: Path) -> None:
    first = grade("next", cwd=project).stdout
    assert first.startswith(f"{ADD}: ") and "read its lesson first, levels/level1/README.md" in first
    assert "after it comes level1/02_vector_multiply" in first and "grade show vector_add" in first
    attempt(project, ADD, "triton", "pass")
    assert grade("next", cwd=project).stdout.startswith("level1/02_vector_multiply: ")
    assert grade("next", "--track", "cuda", cwd=project).stdout.startswith(f"{ADD}: ")
    for folder in (project / "levels").iterdir():
        shutil.rmtree(folder / "drills" if folder.name == "level1" else folder)
    for name in ("02_vector_multiply", "03_relu", "04_silu", "05_gelu"):
        attempt(project, f"level1/{name}", "cuda", "good")
    assert grade("next", cwd=project).stdout.startswith("all 5 exercises are solved\n")


def test_hints_come_one_by_one(project: Path) -> None:
    said = [grade("hint", "vector_add", cwd=project).stdout for _ in range(5)]
    assert [text.partition(":")[0] for text in said] == [f"hint {n} of 4" for n in (1, 2, 3, 4, 4)]
    assert "one more hint: grade hint vector_add" in said[0]
    assert "that was the last hint" in said[3] and "there are no more" in said[4]
    again = grade("hint", "vector_add", "--again", cwd=project).stdout
    assert again.count("hint ") >= 4 and "<details>" not in again
    assert grade("hint", "relu", "--again", cwd=project).returncode == 2
    assert "hint 2 of" in grade("hint", "relu", "--all", cwd=project).stdout


def test_hints_are_those_of_the_track(project: Path) -> None:
    """Of the one asked for, or attempted last; --all has all of them."""
    attempt(project, "level1/05_gelu", "triton", "failed")
    first = grade("hint", "vector_add", cwd=project).stdout
    assert first.startswith("hint 1 of 2 for triton: How many blocks?")
    second = grade("hint", "vector_add", cwd=project).stdout
    assert second.startswith("hint 2 of 2 for triton: The Triton mask") and "those for all: grade hint" in second
    assert grade("hint", "vector_add", "--track", "cuda", cwd=project).stdout.startswith(
        "hint 1 of 3 for cuda: Which"
    )
    assert "__shfl" not in grade("hint", "softmax", cwd=project).stdout
    attempt(project, ADD, "cuda", "failed")
    assert grade("hint", "vector_add", cwd=project).stdout.startswith("hint 2 of 3 for cuda: How many blocks?")
    assert grade("hint", "vector_add", "--all", cwd=project).stdout.count("hint ") >= 4
    assert "only the cuda track" in grade("hint", "vectorized_copy", "--track", "triton", cwd=project).stderr


def test_next_goes_on_from_where_one_was(project: Path) -> None:
    attempt(project, "level2/08_softmax", "triton", "failed")
    said = grade("next", cwd=project).stdout
    assert said.startswith("level2/08_softmax: ") and "where you were last, and not solved yet; " in said
    assert "to go back: grade show vector_add" in said and "after it comes level2/09_rmsnorm" in said
    attempt(project, "level2/08_softmax", "triton", "pass")
    said = grade("next", cwd=project).stdout
    assert said.startswith("level2/09_rmsnorm: ") and "you were last at level2/08_softmax, which is solved" in said
    assert grade("next", "--track", "cuda", cwd=project).stdout.startswith(f"{ADD}: ")


def test_a_solution_is_for_who_solved_it(project: Path) -> None:
    attempt(project, ADD, "triton", "slow")
    refused = grade("solution", "vector_add", cwd=project)
    assert refused.returncode == 2 and refused.stdout == "" and refused.stderr.count("\n") == 1
    assert "is not solved yet" in refused.stderr and "grade solution vector_add --spoil" in refused.stderr
    spoiled = grade("solution", "vector_add", "--spoil", cwd=project).stdout
    assert "__global__ void add" in spoiled and "def add_kernel" in spoiled
    shutil.rmtree(project / "solutions")
    refused = grade("solution", "vector_add", "--spoil", cwd=project)
    assert refused.returncode == 2 and "courses may keep the solutions back" in refused.stderr


def test_reset_keeps_every_version(project: Path) -> None:
    file = project / "levels" / ADD / KERNEL
    for text in ("first", "second"):
        file.write_text(text)
        assert grade("reset", "vector_add", cwd=project).returncode == 0
    file.unlink()
    assert "is the stub again" in grade("reset", "vector_add", cwd=project).stdout and file.is_file()
    kept = sorted((project / ".kernel-ladder/kept" / ADD).iterdir())
    assert sorted(path.read_text() for path in kept) == ["first", "second"]
    assert grade("reset", "vector_add", cwd=project).stdout.count("nothing to do, ") == 2


def test_reset_without_any_stub_changes_nothing(project: Path) -> None:
    shutil.rmtree(project / "solutions")
    (project / "levels" / ADD / KERNEL).write_text("mine")
    refused = grade("reset", "vector_add", cwd=project, GIT_CEILING_DIRECTORIES=str(project.parent))
    assert refused.returncode == 2 and "its stub cannot be had again" in refused.stderr
    assert (project / "levels" / ADD / KERNEL).read_text() == "mine"


def test_a_course_without_solutions_keeps_the_stubs_itself(project: Path) -> None:
    shutil.rmtree(project / "solutions")
    alone = {"cwd": project, "GIT_CEILING_DIRECTORIES": str(project.parent)}
    grade("vector_add", "--track", "triton", **alone)  # type: ignore[arg-type]
    (project / "levels" / ADD / KERNEL).write_text("mine")
    done = grade("reset", "vector_add", "--track", "triton", **alone)  # type: ignore[arg-type]
    assert "as it was before you first graded it" in done.stdout
    assert (project / "levels" / ADD / KERNEL).read_text() == (ROOT / "levels" / ADD / KERNEL).read_text()


def test_a_damaged_journal_is_said_and_survived(project: Path) -> None:
    attempt(project, ADD, "triton", "pass")
    with (project / ".kernel-ladder/journal.jsonl").open("a") as file:
        file.write("garbage\n")
    done = grade("list", "vector_add", cwd=project)
    assert done.returncode == 0 and "triton pass" in done.stdout
    assert done.stderr == "grade: .kernel-ladder/journal.jsonl is damaged in line 3; the other 1 entries are shown\n"


def test_a_journal_that_cannot_be_read_is_the_machines_fault(project: Path) -> None:
    (project / ".kernel-ladder/journal.jsonl").mkdir(parents=True)
    done = grade("next", cwd=project)
    assert done.returncode == 3 and done.stderr.count("\n") == 1 and "Is a directory" in done.stderr


COMMANDS = ["list", "next", "show", "hint", "log", "report", "watch", "reset", "solution", "doctor"]


@pytest.mark.parametrize("command", [*COMMANDS, "new", "check"])
def test_help_has_an_example(command: str) -> None:
    text = grade(command, "--help").stdout
    assert f"grade {command}" in text and re.search("Examples?: ", text)
    assert f"grade {command}" in grade("--help").stdout


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in ("next", "doctor", "report")])
def test_a_misspelt_name_is_answered_with_the_nearest(command: str, project: Path) -> None:
    done = grade(command, "vectr_add", cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "did you mean vector_add" in done.stderr


@pytest.mark.parametrize("command", ["show", "hint", "log", "reset", "solution"])
def test_one_exercise_is_wanted(command: str, project: Path) -> None:
    assert f"which exercise? For example: grade {command} vector_add" in grade(command, cwd=project).stderr
    assert "one exercise at a time: 'level1' has " in grade(command, "level1", cwd=project).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list", "level1"], r"1  vector_add +cuda slow \(0\.50x\), edited since +triton not started"),
        (["next"], f"{ADD}: Vector add"),
        (["show", "vector_add"], r"Triton +│? *the kernel add_kernel"),
        (["hint", "vector_add"], "hint 1 of 3 for cuda: Which element is mine"),
        (["log", "vector_add"], r"2025-09-01 .* cuda +gpu +slow +0\.20"),
        (["reset", "vector_add", "--track", "cuda"], r"cuda_kernel\.cu is the stub again"),
        (["solution", "vector_add", "--spoil"], "__global__ void add"),
        (["report", "--html"], r"written: \.kernel-ladder/report\.html"),
        (["doctor"], "nothing is broken|broken: "),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_on_a_terminal_in_colour_and_in_a_pipe_without(arguments: list[str], said: str, project: Path) -> None:
    attempt(project, ADD, "cuda", "slow", ratio=0.5, seconds=2e-4, worst=0.25, source="abc")
    (project / "levels" / ADD / "cuda_kernel.cu").write_text("mine")
    seen = on_a_terminal(*arguments, cwd=project)
    assert re.search(said, plain(seen)), seen
    assert "\x1b[" in seen and "Traceback" not in seen
    assert "\x1b[" not in grade(*arguments, cwd=project).stdout
    narrow = plain(on_a_terminal(*arguments, cwd=project, COLUMNS="60"))
    assert "Traceback" not in narrow and "grade " in narrow


def test_what_can_be_copied_is_in_one_line(project: Path) -> None:
    (project / "levels" / ADD / KERNEL).write_text("mine")
    seen = plain(on_a_terminal("reset", "vector_add", "--track", "triton", cwd=project, COLUMNS="60"))
    assert re.search(rf"cp \.kernel-ladder/kept/{ADD}/triton_kernel-[\d-]+\.py levels/{ADD}/{KERNEL}\r\n", seen)


def test_every_figure_is_in_the_journal(project: Path) -> None:
    solve(project)
    grade("vector_add", "--track", "triton", "--seed", "5", cwd=project)
    line = json.loads((project / ".kernel-ladder/journal.jsonl").read_text().splitlines()[1])
    assert line["seed"] == 5 and line["status"] == "CORRECT" and 0 < line["worst"] < 1 and len(line["source"]) == 16


@pytest.mark.parametrize(
    "command",
    ["list", "next", "show gelu", "hint gelu", "log gelu", "report --html", "reset gelu", "solution gelu --spoil"]
    + ["doctor", "show", "hint xyzzy", "log level1", "report", "solution gelu", "watch xyzzy", "reset level2", "-v"]
    + ["check xyzzy", "new", "new level1 relu", "new level1 list", "new one x"],
)
def test_the_last_words_name_a_command(command: str, project: Path) -> None:
    done = grade(*command.split(), cwd=project)
    assert re.search(r"grade [a-z]+", "\n".join((done.stdout + done.stderr).splitlines()[-2:])), done
