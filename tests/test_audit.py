"""`grade check`: each fault is found, where it is, in a line of its own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT, grade, on_a_terminal

from grader import audit
from grader.discover import exercise_ids, select
from grader.exercise import Goals, Submission
from grader.mutants import read_mutants
from grader.outcome import CaseResult, Outcome, Status, Verdict
from grader.portable import compile_faults, targets
from grader.runner import Runner
from grader.trials import Auditor, solution_trial, stub_trial

ADD = "level1/01_vector_add"
TREES = ("levels", "solutions", "tests/mutants", "tests/naive")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two exercises with all that belongs to them."""
    for tree in TREES:
        for name in (ADD, "level1/03_relu"):
            source = ROOT / tree / name
            if source.is_dir():
                shutil.copytree(source, tmp_path / tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.with_suffix(".toml").is_file():
                (tmp_path / tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source.with_suffix(".toml"), (tmp_path / tree / name).with_suffix(".toml"))
    lesson = tmp_path / "levels/level1/README.md"
    lesson.write_text("# Level 1\n[a](01_vector_add/README.md)\n[r](03_relu/README.md)\n")
    page = tmp_path / "levels" / ADD / "README.md"
    page.write_text(page.read_text().replace("](../02_vector_multiply/README.md)", "](../03_relu/README.md)"))
    relu = tmp_path / "levels/level1/03_relu/README.md"
    relu.write_text(relu.read_text().replace("](../04_silu/README.md)", "](../01_vector_add/README.md)"))
    return tmp_path


def edit(path: Path, find: str, replacement: str) -> None:
    text = path.read_text()
    assert find in text
    path.write_text(text.replace(find, replacement))


def states(project: Path, runner: Runner, name: str = ADD) -> dict[str, tuple[str, str]]:
    """What was found by each check."""
    auditor = Auditor(project, runner, lambda text: None)
    found = list(auditor.check(name, lambda: select(project, [name])[0]))
    assert [one.check for one in found] == list(audit.CHECKS)
    return {one.check: (one.state, one.text) for one in found}


def test_all_is_well(project: Path, runner: Runner) -> None:
    found = states(project, runner)
    assert {state for state, _ in found.values()} == {"ok"}, found
    assert found["compiles"][1] == "for sm_75, sm_80, sm_86, sm_89, sm_90"
    assert audit.leftovers(project, exercise_ids(project)) == []


STATIC: list[tuple[str, Callable[[Path], object], str]] = [
    (
        "reference",
        lambda p: edit(p / "levels" / ADD / "reference.py", "return a + b", "return a + q"),
        "reference() failed",
    ),
    (
        "page",
        lambda p: edit(p / "levels" / ADD / "README.md", "## Measure", "## Measured"),
        "its sections are Task, Picture, Hints, Measured, Next; they must be Task",
    ),
    (
        "page",
        lambda p: edit(p / "levels" / ADD / "README.md", "grade vector_add", "grade it"),
        "does not say how to grade it: grade vector_add",
    ),
    (
        "page",
        lambda p: edit(p / "levels" / ADD / "README.md", "solve(a, b, out, n)", "solve(a, b, out)"),
        "it does not say what the grader calls: solve(a, b, out, n)",
    ),
    (
        "page",
        lambda p: edit(p / "levels" / ADD / "README.md", "../03_relu/", "../03_rely/"),
        "a link leads to ../03_rely/README.md, which is not there",
    ),
    (
        "page",
        lambda p: edit(p / "levels" / ADD / "README.md", "</details>", ""),
        "0 folded hints below Hints; at least 2",
    ),
    ("page", lambda p: (p / "levels" / ADD / "README.md").unlink(), "README.md: missing"),
    (
        "lesson",
        lambda p: edit(p / "levels/level1/README.md", "01_vector_add", "01_x"),
        "does not link to 01_vector_add/README.md",
    ),
    ("lesson", lambda p: (p / "levels/level1/README.md").unlink(), "is the level's lesson"),
    (
        "cases",
        lambda p: edit(p / "levels" / ADD / "exercise.toml", '{ n = "awkward" }', "{ n = 64 }"),
        " cases; at least 6",
    ),
    (
        "goals",
        lambda p: edit(p / "levels" / ADD / "exercise.toml", "great = 0.95", "great = 0.85"),
        "[goals.cuda]: pass < good < great is wanted, not 0.6, 0.85, 0.85",
    ),
    ("files", lambda p: (p / "levels" / ADD / "notes.txt").touch(), f"stray: levels/{ADD}/notes.txt"),
    ("files", lambda p: (p / "solutions" / ADD / "a.out").touch(), f"stray: solutions/{ADD}/a.out"),
    (
        "stubs",
        lambda p: edit(p / "levels" / ADD / "cuda_kernel.cu", "TODO", "TO DO"),
        "stale: cuda_kernel.cu; python scripts/make_stubs.py vector_add",
    ),
    (
        "stubs",
        lambda p: [
            (p / tree / ADD / "triton_kernel.py").write_text("def solve(a, b, out, n):\n    pass\n")
            for tree in ("levels", "solutions")
        ],
        "the triton solution has no region",
    ),
    (
        "mutants",
        lambda p: (p / "tests/mutants/level1/01_vector_add.toml").write_text("mutant = []\n"),
        "0 mutants; at least 4; none in the cuda track; none in the triton track",
    ),
]


@pytest.mark.parametrize(("check", "spoil", "said"), STATIC, ids=[f"{row[0]}-{row[2][:24]}" for row in STATIC])
def test_what_can_be_read(check: str, spoil: Callable[[Path], object], said: str, project: Path) -> None:
    spoil(project)
    (exercise,) = select(project, [ADD])
    faults = {
        "reference": lambda: audit.reference_faults(exercise),
        "page": lambda: audit.page_faults(exercise),
        "lesson": lambda: audit.lesson_faults(project, exercise),
        "cases": lambda: audit.case_faults(exercise),
        "goals": lambda: audit.goal_faults(exercise),
        "files": lambda: audit.file_faults(project, exercise),
        "stubs": lambda: audit.stub_faults(project, exercise),
        "mutants": lambda: audit.mutant_faults(exercise, read_mutants(project, ADD)),
    }[check]()
    assert said in "; ".join(faults), faults


def test_sizes_that_are_all_powers_of_two(project: Path) -> None:
    (exercise,) = select(project, [ADD])
    even = replace(exercise, cases=tuple({"n": 1 << bits} for bits in range(6)))
    assert audit.case_faults(even) == ["every size is a power of two: add a ragged one, such as 257 or 1000"]


def test_goals_and_points_that_mean_nothing(project: Path) -> None:
    (exercise,) = select(project, [ADD])
    assert audit.goal_faults(replace(exercise, goals={"answer": Goals(0.1, 0.2, 0.3)})) == [
        "[goals.answer]: no such track here"
    ]
    (fault,) = audit.goal_faults(replace(exercise, goals={}, points={"correct": 1, "fast": 1}))
    assert "points.fast can never be earned" in fault


def test_what_is_gone_is_missed(project: Path) -> None:
    shutil.rmtree(project / "levels/level1/03_relu")
    found = audit.leftovers(project, exercise_ids(project))
    assert [one.partition(":")[0] for one in found] == [
        "solutions/level1/03_relu",
        *(["tests/naive/level1/03_relu"] if (ROOT / "tests/naive/level1/03_relu").is_dir() else []),
        "tests/mutants/level1/03_relu.toml",
        "levels/level1/README.md links to 03_relu/README.md, which is not there",
    ]


def test_a_level_that_is_empty_again_is_missed(project: Path) -> None:
    (project / "levels/level9").mkdir()
    assert not any("level9" in one for one in audit.leftovers(project, exercise_ids(project)))
    assert grade("new", "level9", "trial", cwd=project).returncode == 0
    for tree in ("levels", "solutions", "tests/mutants"):
        for path in (project / tree / "level9").glob("*trial*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (dangling, empty) = [one for one in audit.leftovers(project, exercise_ids(project)) if "level9" in one]
    assert "levels/level9/README.md links to" in dangling and empty == "levels/level9: a level without exercises"


def test_a_broken_manifest_stops_the_rest(project: Path, runner: Runner) -> None:
    edit(project / "levels" / ADD / "exercise.toml", "phase ", "fase ")
    found = states(project, runner)
    assert found["manifest"][0] == "failed" and found["manifest"][1].startswith(f"levels/{ADD}/exercise.toml:3: ")
    assert {state for check, (state, _) in found.items() if check != "manifest"} == {"not run"}


def test_what_must_be_run(project: Path, runner: Runner) -> None:
    """A stub that is stale, a solution that is wrong, a mutant that is none."""
    edit(project / "solutions" / ADD / "triton_kernel.py", "total, mask)", "total * 2, mask)")
    edit(project / "tests/mutants/level1/01_vector_add.toml", 'expect  = "never written"', 'expect  = "nothing said"')
    shutil.copy(ROOT / "solutions" / ADD / "cuda_launch.py", project / "levels" / ADD)
    shutil.copy(ROOT / "solutions" / ADD / "cuda_kernel.cu", project / "levels" / ADD)
    found = states(project, runner)
    assert found["stubs"][0] == "failed" and "stale: cuda_kernel.cu, cuda_launch.py" in found["stubs"][1]
    assert found["fails"] == ("not run", "the stubs are not fresh")
    assert found["passes"][0] == "failed" and "triton: it is failed: " in found["passes"][1]
    assert found["mutants"][0] == "failed" and "fails, but is not told 'nothing said'" in found["mutants"][1]


def test_without_solutions_little_can_be_said(project: Path, runner: Runner) -> None:
    shutil.rmtree(project / "solutions")
    found = states(project, runner)
    assert found["stubs"] == found["mutants"] == ("left out", "there is no solutions/ here")
    assert found["page"][0] == "ok"


def test_what_a_course_may_take_away_is_no_fault(project: Path) -> None:
    shutil.rmtree(project / "tests")
    done = grade("check", "vector_add", cwd=project)
    assert done.returncode == 0 and done.stdout.endswith("11 ok, 1 left out: there is no tests/ here\n"), done.stdout
    shutil.rmtree(project / "solutions")
    done = grade("check", "vector_add", cwd=project)
    assert done.returncode == 0 and done.stdout.endswith("7 ok, 5 left out: there is no solutions/ here\n")


def test_a_solution_that_lacks_a_file(project: Path, runner: Runner) -> None:
    (project / "solutions" / ADD / "cuda_launch.py").unlink()
    found = states(project, runner)
    assert found["stubs"][0] == "failed" and "cuda_launch.py: missing" in found["stubs"][1]
    assert found["passes"] == ("not run", f"solutions/{ADD}/cuda_launch.py is missing")


def test_targets_follow_needs() -> None:
    assert targets([]) == ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90"]
    assert targets(["gpus>=2", "sm_80"]) == ["sm_80", "sm_86", "sm_89", "sm_90"]
    assert targets(["sm_90"]) == ["sm_90a"] and targets(["sm_100"]) == ["sm_100a"]


def test_a_kernel_for_newer_cards_only_is_named(tmp_path: Path) -> None:
    source = '__global__ void k(int n) {\n    asm volatile("cp.async.wait_all;");\n}\n'
    (tmp_path / "k.cu").write_text(source + "#if N != 3\n#error N is not 3\n#endif\n")
    build = {"kernel": "k", "file": "k.cu", "defines": {"N": "3"}}
    assert compile_faults(tmp_path, [build], ["sm_80", "sm_90"]) == []
    (fault,) = compile_faults(tmp_path, [build], ["sm_75", "sm_80"])
    assert fault.startswith("k does not compile for sm_75: ") and "cp.async" in fault
    (fault,) = compile_faults(tmp_path, [build | {"defines": {"N": "4"}}], ["sm_80"])
    assert "N is not 3" in fault
    assert compile_faults(tmp_path, [], ["sm_80"]) == ["k.cu: no kernel of it is loaded"]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome(Status.CORRECT, "", cases=(CaseResult({}, "float32", "tiny", Status.CORRECT, 1, 0.9),)), "0.90 of"),
        (Outcome(Status.CORRECT, "", findings=({"severity": "error", "kind": "race", "message": "x"},)), "race: x"),
        (Outcome(Status.CORRECT, "", build=({"kernel": "k", "spill_stores": 4},)), "k spills registers"),
        (Outcome(Status.CORRECT, ""), "it was not checked in bfloat16; it was not checked in float16"),
    ],
)
def test_a_solution_must_be_more_than_right(outcome: Outcome, said: str, project: Path) -> None:
    (exercise,) = select(project, [ADD])
    one = Submission(exercise, "triton", exercise.folder)
    verdict = Verdict(ADD, "triton", "correct (not timed)", "", outcome)
    assert said in "; ".join(solution_trial(one, verdict))


def test_a_stub_must_be_told_of_its_todos(project: Path) -> None:
    (exercise,) = select(project, [ADD])
    verdict = Verdict(ADD, "cuda", "not started", "nothing was stored", Outcome(Status.WRONG, ""))
    shutil.copytree(ROOT / "solutions" / ADD, project / "solutions" / ADD, dirs_exist_ok=True)
    stub = Submission(exercise, "cuda", exercise.folder)
    said = stub_trial(project, stub, verdict)
    assert said[1:] == ["cuda_kernel.cu has no TODO", "cuda_launch.py has no TODO"]
    (said,) = stub_trial(project, stub, replace(verdict, grade="correct (not timed)", reason="8 calls"))
    assert said == "a stub must be not started; it is correct (not timed): 8 calls"


def test_the_command(project: Path) -> None:
    (project / "levels" / ADD / "notes.txt").touch()
    done = grade("check", "vector_add", "--json", "-", cwd=project)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["summary"] == {"ok": 11, "failed": 1, "not_run": 0, "left_out": 0} and report["schema"] == 1
    (bad,) = [row for row in report["results"] if row["state"] != "ok"]
    assert bad == {
        "exercise": ADD,
        "check": "files",
        "state": "failed",
        "text": f"stray: levels/{ADD}/notes.txt",
    }
    assert done.stderr.endswith("11 ok, 1 failed; mend it, then: grade check vector_add\n")
    (project / "levels" / ADD / "notes.txt").unlink()
    seen = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", on_a_terminal("check", cwd=project))
    assert "the tree" in seen and "nothing is left over" in seen and "25 ok; next: scripts/check" in seen
    assert "Traceback" not in seen


def test_wrong_use() -> None:
    done = grade("check", "vectr_add")
    assert (done.returncode, done.stdout) == (2, "") and "did you mean vector_add" in done.stderr
    done = grade("check", "vector_add", "--json", "nowhere/x.json")
    assert done.returncode == 2 and "there is no folder nowhere" in done.stderr
