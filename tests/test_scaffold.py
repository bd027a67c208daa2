"""`grade new`: what it writes runs as it is, and goes without a trace."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT, grade, on_a_terminal

from grader import audit, scaffold
from grader.discover import exercise_ids, select
from grader.outcome import GraderError
from grader.runner import Runner
from grader.trials import Auditor

TREES = ("levels", "solutions", "tests/mutants")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for tree in TREES:
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def contents(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def leftovers(root: Path) -> list[str]:
    return audit.leftovers(root, exercise_ids(root))


@pytest.mark.parametrize(
    ("arguments", "exercise_id", "files"),
    [
        (["level1", "trial_one", "--drill"], "level1/drills/trial_one", 11),
        (["level3", "my_own"], None, 11),
        (["level2", "only_cuda", "--drill", "--track", "cuda"], "level2/drills/only_cuda", 9),
        (["level2", "only_triton", "--drill", "--track", "triton"], "level2/drills/only_triton", 7),
        (["level8", "first_one"], None, 11),
    ],
)
def test_it_runs_as_it_is(
    arguments: list[str], exercise_id: str | None, files: int, project: Path, runner: Runner
) -> None:
    before, left = contents(project), leftovers(project)
    done = grade("new", *arguments, cwd=project)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"grade check {arguments[1]}\n")
    changed = {name for name, text in contents(project).items() if before.get(name) != text}
    said = {line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith(("written", "changed"))}
    assert changed == said and len(said) == files
    (exercise,) = select(project, [arguments[1]])
    assert exercise_id in (None, exercise.id)
    if "--track" in arguments:
        assert exercise.tracks == (arguments[-1],) and set(exercise.goals) == {arguments[-1]}
        other = {"cuda": "triton", "triton": "cuda"}[arguments[-1]]
        assert not re.search(rf"\b{other}\b", (exercise.folder / "README.md").read_text(), re.IGNORECASE)
    found = list(Auditor(project, runner, lambda text: None).check(exercise.id, lambda: exercise))
    assert [one for one in found if one.state != "ok"] == []
    (page,) = [one.text for one in found if one.check == "page"]
    assert page.endswith("still the template's: Task, Picture, Hints, Measure")
    assert leftovers(project) == left


def test_it_goes_without_a_trace(project: Path) -> None:
    before, left = contents(project), leftovers(project)
    grade("new", "level1", "trial_one", "--drill", cwd=project)
    for tree in TREES[:2]:
        shutil.rmtree(project / tree / "level1/drills/trial_one")
    said = "; ".join(leftovers(project))
    assert "tests/mutants/level1/drills/trial_one.toml: no exercise is called so" in said
    assert "levels/level1/README.md links to drills/trial_one/README.md, which is not there" in said
    (project / "tests/mutants/level1/drills/trial_one.toml").unlink()
    lesson = project / "levels/level1/README.md"
    lesson.write_text("".join(row for row in lesson.read_text().splitlines(True) if "trial_one" not in row))
    assert contents(project) == before and leftovers(project) == left


def test_the_rows_of_the_lessons(project: Path) -> None:
    for arguments in (["level1", "x1", "--drill"], ["level8", "x2"], ["level8", "x3", "--drill"]):
        grade("new", *arguments, cwd=project)
    lesson = (project / "levels/level1/README.md").read_text()
    assert re.search(
        r"\n\| drill \| \[volume_index_3d\].*\n\| drill \| \[x1\]\(drills/x1/README.md\) \| x1 \|\n", lesson
    )
    number = max(
        int(one.rpartition("/")[2].partition("_")[0]) for one in exercise_ids(project) if "/drills/" not in one
    )
    assert (project / "levels/level8/README.md").read_text() == (
        "# Level 8\n\n## The exercises\n| | exercise | you learn |\n|---|---|---|\n"
        f"| {number} | [x2]({number}_x2/README.md) | x2 |\n| drill | [x3](drills/x3/README.md) | x3 |\n"
    )


@pytest.mark.parametrize(
    ("there", "level", "number"),
    [
        (["level1/01_a", "level1/02_b", "level2/05_c"], "level1", 3),
        (["level1/01_a", "level1/02_b", "level2/03_c", "level2/04_d"], "level1", 5),
        (["level1/01_a", "level2/03_c", "level2/drills/99_e"], "level2", 4),
        (["level1/01_a", "level1/02_b"], "level3", 3),
        ([], "level1", 1),
    ],
)
def test_the_next_number(there: list[str], level: str, number: int) -> None:
    assert scaffold._next_rung(there, level) == number


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "which level, and which name? For example: grade new level3 my_exercise"),
        (["level1"], "which level, and which name?"),
        (["one", "x"], "'one' is no level: the ladder has level1 to level8"),
        (["level11", "x"], "level11: the ladder has level1 to level8; for one more, make its folder first: mkdir "),
        (["level0", "x"], "'level0' is no level"),
        (["level1", "LeakyReLU"], "how about leaky_re_lu?"),
        (["level1", "leaky-relu"], "how about leaky_relu?"),
        (["level1", "9lives"], "begins with a letter"),
        (["level1", "../x"], "a name is made of small letters"),
        (["level1", "x" * 41], "at most 40 characters"),
        (["level1", "relu"], "'relu' is the name of levels/level1/03_relu already"),
        (["level3", "clamp", "--drill"], "'clamp' is the name of levels/level1/drills/clamp already"),
        (["level1", "list"], "'list' means something else already: grade list"),
        (["level1", "level7"], "'level7' means something else"),
        (["level1", "x", "--track", "answer"], "'answer' is not one of 'cuda', 'triton'"),
    ],
)
def test_what_will_not_do_is_said_and_nothing_is_written(arguments: list[str], said: str, project: Path) -> None:
    before = contents(project)
    done = grade("new", *arguments, cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in re.sub(r"\s*│\n│\s*", " ", done.stderr) and "Traceback" not in done.stderr
    assert contents(project) == before


def test_what_lies_there_is_not_touched(project: Path) -> None:
    left = project / "solutions/level1/drills/mine/cuda_kernel.cu"
    left.parent.mkdir()
    left.write_text("a day's work")
    done = grade("new", "level1", "mine", "--drill", cwd=project)
    assert done.returncode == 2 and "solutions/level1/drills/mine is there already" in done.stderr
    assert left.read_text() == "a day's work" and not (project / "levels/level1/drills/mine").exists()


def test_a_full_disk_leaves_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = scaffold.plan(project, "level1", "mine", True, ["cuda"])
    real, before = scaffold.replace_file, contents(project)

    def full(path: Path, text: str) -> None:
        if path.suffix == ".toml" and "mutants" in path.parts:
            raise OSError(28, "No space left on device", str(path))
        real(path, text)

    monkeypatch.setattr(scaffold, "replace_file", full)
    with pytest.raises(GraderError, match="No space left on device; nothing was made"):
        scaffold.write(files)
    assert contents(project) == before and "level1/drills/mine" not in exercise_ids(project)


def test_on_a_terminal(project: Path) -> None:
    seen = on_a_terminal("new", "level1", "mine", "--drill", cwd=project, COLUMNS="60")
    assert "written: levels/level1/drills/mine/exercise.toml" in seen and "Traceback" not in seen
    assert "grade check mine" in seen


def test_the_template_is_part_of_the_package(tmp_path: Path) -> None:
    """A wheel that somebody else installs holds it, too."""
    import tomllib

    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["grader"]
    inside = {path for pattern in packaged for path in (ROOT / "grader").glob(pattern) if path.is_file()}
    tracked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "grader/template"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {path.name for path in inside} >= {Path(name).name for name in tracked} != set()
