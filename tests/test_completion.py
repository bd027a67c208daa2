"""Completion: what a shell is told, and that a real bash takes it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from support import GRADE, ROOT, grade

from grader.commands import COMMANDS


def completed(*words: str, cwd: Path = ROOT) -> list[str]:
    """What bash would be told after these words, the last of which may be unfinished."""
    line = {"COMP_WORDS": " ".join(("grade", *words)), "COMP_CWORD": str(len(words))}
    done = grade(cwd=cwd, _GRADE_COMPLETE="complete_bash", **line)
    assert done.stderr == "" and "Traceback" not in done.stdout
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["hi"], ["hint"]),
        (["level1"], ["level1", "level1/drills"]),
        (["level1/01"], ["level1/01_vector_add"]),
        (["gel"], ["gelu"]),
        (["vector_add", "gel"], ["gelu"]),
        (["vector_add", "--track", "t"], ["triton"]),
        (["--backend", ""], ["auto", "gpu", "vgpu"]),
        (["hint", "softm"], ["softmax"]),
        (["hint", "softmax", "--track", "c"], ["cuda"]),
        (["reset", "level"], []),
        (["list", "level2"], ["level2", "level2/drills"]),
        (["watch", "silu", "--tr"], ["--track"]),
        (["hint", "--ag"], ["--again"]),
    ],
    ids=" ".join,
)
def test_words(words: list[str], wanted: list[str]) -> None:
    assert completed(*words) == wanted


def test_every_command_is_offered() -> None:
    assert set(COMMANDS) <= set(completed(""))


def test_other_shells_are_told_what_commands_do() -> None:
    zsh = grade(_GRADE_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="grade hi").stdout
    assert f'"hint":"{COMMANDS["hint"]}"' in zsh
    fish = grade(
        _GRADE_COMPLETE="complete_fish", _TYPER_COMPLETE_ARGS="grade hint vec", _TYPER_COMPLETE_FISH_ACTION="get-args"
    ).stdout
    assert fish.split()[0] == "vector_add"


def test_in_bash(tmp_path: Path) -> None:
    """The script that --install-completion puts in place, called as bash does on TAB."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    source = subprocess.run(
        GRADE, env={**environment, "_GRADE_COMPLETE": "source_bash"}, capture_output=True, text=True, check=True
    ).stdout
    command = tmp_path / "grade"
    command.write_text(f'#!/bin/sh\nexec {" ".join(GRADE)} "$@"\n')
    command.chmod(0o755)
    script = f"{source}\nCOMP_WORDS=(grade hint vector_m)\nCOMP_CWORD=2\n_grade_completion '{command}'\n"
    done = subprocess.run(
        ["bash", "-c", f"{script}\necho ${{COMPREPLY[@]}}"], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout == "vector_multiply\n", done.stderr
