"""A course may take away solutions/ and tests/: all that a learner needs still works."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT, grade, on_a_terminal

ADD = "level1/01_vector_add"
KERNEL = "triton_kernel.py"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """What a learner clones: the levels alone, with a history of one commit."""
    shutil.copytree(ROOT / "levels", tmp_path / "levels", ignore=shutil.ignore_patterns("__pycache__"))
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "the course"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["list"], 0, "cuda not started"),
        (["next"], 0, f"{ADD}: Vector add"),
        (["show", "vector_add"], 0, "add_kernel"),
        (["hint", "vector_add"], 0, "hint 1 of "),
        (["log", "vector_add"], 0, "vector_add"),
        (["doctor"], 0, "nothing is broken"),
        (["vector_add", "diagnose_sum"], 1, "not started"),
        (["profile", "relu", "--track", "triton", "--from", "work", "--backend", "vgpu"], 0, "relu_kernel"),
        (["relu", "--track", "triton", "--from", "work"], 0, "correct"),
        (["reset", "vector_add"], 0, "nothing to do"),
        (["solution", "vector_add", "--spoil"], 2, "courses may keep the solutions back"),
        (["check", "vector_add"], 0, "there is no solutions/ here"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_every_command(arguments: list[str], code: int, said: str, course: Path) -> None:
    shutil.copytree(ROOT / "solutions/level1/03_relu", course / "work/level1/03_relu")
    done = grade(*arguments, cwd=course)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout + done.stderr and "Traceback" not in done.stderr
    seen = on_a_terminal(*arguments, cwd=course)
    assert "Traceback" not in seen


def test_the_whole_way(course: Path) -> None:
    """Solve it, see it remembered, begin anew from the stub that came with the clone."""
    file = course / "levels" / ADD / KERNEL
    stub = file.read_text()
    file.write_text((ROOT / "solutions" / ADD / KERNEL).read_text())
    done = grade("vector_add", "--track", "triton", cwd=course)
    assert done.returncode == 0 and done.stdout.endswith("next: grade next\n"), done.stderr
    assert re.search(r"vector_add +cuda not started +triton ", grade("list", cwd=course).stdout)
    assert grade("next", cwd=course).stdout.startswith("level1/02_vector_multiply: ")
    assert grade("reset", "vector_add", "--track", "triton", cwd=course).returncode == 0
    assert file.read_text() == stub
