#!/usr/bin/env python3
"""Times every solution against itself: is the grader's confidence interval honest on this card?

    python scripts/aa.py [--runs 20] [WHAT...]

Two workers run the same kernels on data of their own. The interval must hold 1.00 in at least 95 % of the runs, and
the ratio must stay within 2 % from run to run. Exit code 1 if it does not; 3 without a GPU.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from rich.console import Console

from grader.backends import gpu
from grader.bench import Bench, Race, fit
from grader.contract import load_contract
from grader.dialogue import ask, load
from grader.discover import select, submissions
from grader.exercise import Submission
from grader.runner import DEADLINE
from grader.sandbox import Worker, Zygote
from grader.timing import Comparison, compare

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = Console(highlight=False, soft_wrap=True)


def against_itself(zygote: Zygote, bench: Bench, submission: Submission, runs: int) -> Iterator[Comparison]:
    """`runs` comparisons of one submission with itself, each as soon as it is there."""
    contract = load_contract(submission.exercise)
    dtype = submission.exercise.dtypes[submission.track][0]
    case, _ = fit(contract, dtype, gpu.free_memory())
    goals = submission.exercise.goals[submission.track]

    def race(worker: Worker, seed: int) -> Race:
        load(worker, DEADLINE, contract, submission, ())
        return Race(bench, contract, worker, partial(ask, worker, DEADLINE, "speed", "timing"), case, dtype, 1, seed)

    with zygote.worker() as first, zygote.worker() as second:
        one, other = race(first, 1).ours, race(second, 2).ours
        for _ in range(runs):
            yield compare(one, other, (goals.passing, goals.good, goals.great), bench.rules)


def main() -> int:
    parser = argparse.ArgumentParser(description="Time every solution against itself.")
    parser.add_argument("what", nargs="*", default=["all"], metavar="WHAT")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each comparison")
    options = parser.parse_args()
    if not gpu.present():
        CONSOLE.print("there is no GPU here; the rules are tested without one in tests/test_timing.py")
        return 3
    chosen = [one for one in submissions(select(ROOT, options.what), ROOT / "solutions", None) if one.exercise.goals]
    bench, held, total, widest = Bench(), 0, 0, 0.0
    with Zygote(gpu.environment()) as zygote:
        for one in chosen:
            results, started = [], time.monotonic()
            for result in against_itself(zygote, bench, one, options.runs):
                results.append(result)
                if options.verbose:
                    seconds = time.monotonic() - started
                    CONSOLE.print(
                        f"  {result.ratio:.4f} ({result.low:.4f}-{result.high:.4f}), {seconds:.1f} s so far"
                    )
            ratios = [result.ratio for result in results]
            inside = sum(result.low <= 1 <= result.high for result in results)
            spread = max(ratios) - min(ratios)
            held, total, widest = held + inside, total + len(results), max(widest, spread)
            name = f"{one.exercise.id} {one.track}"
            CONSOLE.print(f"{name:45} holds 1.00 in {inside} of {len(results)}, {min(ratios):.4f}-{max(ratios):.4f}")
    CONSOLE.print(f"{held} of {total} intervals hold 1.00 ({held / total:.1%}); widest spread {widest:.2%}")
    return 0 if held >= 0.95 * total and widest <= 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
