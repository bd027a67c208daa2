#!/usr/bin/env python3
"""Proposes the goals of exercises from runs on this machine's GPU: of the solutions, and of naive kernels.

    python scripts/calibrate.py [--write] [WHAT...]

A great kernel comes within 5 % of the solution's share of PyTorch's speed, a good one within 15 %. A pass lies half
way between the naive kernel of tests/naive/ (right, but slow in the way that the exercise is about) and a good one;
without a naive kernel it is 60 % of the solution. --write puts the proposals into exercise.toml.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grader.backends import gpu
from grader.discover import select, submissions
from grader.exercise import Exercise, Goals, Submission
from grader.outcome import Timing
from grader.runner import Runner
from grader.sandbox import Zygote

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = Console()
ANY = Goals(0.0, 0.0, 0.0)


def propose(solution: float, naive: float | None) -> Goals:
    """Goals from the shares of the baseline's speed that the solution and the naive kernel reach."""
    good = 0.85 * solution
    passing = (naive + good) / 2 if naive is not None and naive < good else 0.6 * solution
    return Goals(round(passing, 2), round(good, 2), round(0.95 * solution, 2))


def write(exercise: Exercise, track: str, goals: Goals) -> None:
    """Replace the table [goals.`track`] in exercise.toml, or append it."""
    path = exercise.folder / "exercise.toml"
    text = path.read_text(encoding="utf-8")
    table = f"[goals.{track}]\npass  = {goals.passing:.2f}\ngood  = {goals.good:.2f}\ngreat = {goals.great:.2f}\n"
    old = re.compile(rf"^\[goals\.{track}\]\n(?:[^\[\n].*\n)*", re.MULTILINE)
    path.write_text(old.sub(table, text) if old.search(text) else f"{text.rstrip()}\n\n{table}", encoding="utf-8")


def timed(runner: Runner, submission: Submission) -> Timing | None:
    """The submission's time, None where it is not there. Ends the program if it is not right."""
    if submission.missing:
        return None
    exercise = replace(submission.exercise, goals={submission.track: ANY})  # it may have none yet
    verdict = runner.grade(replace(submission, exercise=exercise))
    if verdict.outcome.timing is None:
        sys.exit(f"{submission.folder}: {verdict.grade}: {verdict.reason}")
    return verdict.outcome.timing


def main() -> int:
    parser = argparse.ArgumentParser(description="Propose goals from runs on this GPU.")
    parser.add_argument("what", nargs="*", default=["all"], metavar="WHAT")
    parser.add_argument("--write", action="store_true", help="put the proposals into exercise.toml")
    options = parser.parse_args()
    if not gpu.present():
        CONSOLE.print("there is no GPU here, and goals are shares of a GPU's speed")
        return 3
    exercises = select(ROOT, options.what)
    table = Table("exercise", "track", "solution", "naive", "pass", "good", "great")
    with Zygote(gpu.environment()) as zygote:
        runner = Runner(zygote, gpu, root=ROOT, seed=1)
        naive_ones = submissions(exercises, ROOT / "tests/naive", None)
        for one, naive in zip(submissions(exercises, ROOT / "solutions", None), naive_ones, strict=True):
            solution, slow = timed(runner, one), timed(runner, naive)
            if solution is None:
                continue
            goals = propose(solution.ratio, slow.ratio if slow else None)
            shown = f"{slow.ratio:.2f}" if slow else "-"
            figures = (f"{value:.2f}" for value in (goals.passing, goals.good, goals.great))
            table.add_row(one.exercise.id, one.track, f"{solution.ratio:.2f}", shown, *figures)
            if options.write:
                write(one.exercise, one.track, goals)
    CONSOLE.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
