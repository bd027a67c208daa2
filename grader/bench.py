"""Times one submission against PyTorch on the same data: the worker's kernels and the judge's baseline, in turn.

The baseline runs here, in the judge's own process, where no submitted code can slow it down. What the worker says
of its times is held against the judge's own clock.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import torch

from grader.arenas import JUDGE_BYTES, Arenas, Outputs, Refuted
from grader.card import Card
from grader.ceilings import ceilings
from grader.contract import Contract
from grader.exercise import Case
from grader.outcome import Timing
from grader.roofline import Ceilings, place
from grader.sandbox import Worker
from grader.stopwatch import Stopwatch
from grader.timing import Block, Comparison, Rules, compare

Ask = Callable[..., dict[str, Any]]

SAMPLES = 8
"""Samples in a block."""

BATCH_SECONDS = 1e-4
"""Shorter calls are timed several together, until a sample takes this long."""

SHORT = 2e-5
"""Seconds below which the events' own resolution would show."""

MEMORY_SHARE = 0.6
"""Of the GPU's free memory that the arenas may take; the judge's float64 arithmetic needs the rest."""

TOO_GOOD = 1.05
"""A share of the card's ceiling that cannot be: some of the work was not done."""

CLOCK_SLACK = 1.5
"""How much longer than the worker says the judge's clock may see a call take."""


class Bench:
    """The stopwatch, the card and its ceilings: what all timings of a run share."""

    def __init__(self) -> None:
        self.card = Card()
        self.rules = Rules()
        self._cases: dict[tuple[str, str], tuple[Case, bool]] = {}

    @cached_property
    def watch(self) -> Stopwatch:
        return Stopwatch()

    def calibrate(self, progress: Callable[[str], None]) -> None:
        """Have the card's ceilings; the first time on a card they are measured, which takes some seconds."""
        if "ceilings" not in self.__dict__:  # where cached_property keeps them
            self.ceilings = ceilings(self.card, lambda text: progress(f"calibrating: {text}"))

    @cached_property
    def ceilings(self) -> Ceilings:
        return ceilings(self.card)

    def case(self, contract: Contract, dtype: str) -> tuple[Case, bool]:
        """The case that is checked and timed on this card, and whether it is smaller than the exercise's `bench`."""
        key = contract.exercise.id, dtype
        if key not in self._cases:
            torch.cuda.empty_cache()
            self._cases[key] = fit(contract, dtype, torch.cuda.mem_get_info()[0])
        return self._cases[key]

    def time(
        self, contract: Contract, worker: Worker, ask: Ask, dtype: str, thresholds: Sequence[float], seed: int
    ) -> Timing:
        """Time the submission in `worker`; `ask` puts a request to it. Raises Refuted."""
        case, scaled = self.case(contract, dtype)
        batch = 1
        while True:
            race = Race(self, contract, worker, ask, case, dtype, batch, seed)
            shortest = min(race.ours.block().median, race.theirs.block().median)
            if shortest >= SHORT or batch > 1:
                break
            batch = max(2, round(BATCH_SECONDS / shortest))
            del race
        result = compare(race.ours, race.theirs, thresholds, self.rules)
        race.cross_check(result)
        return self._timing(contract, race, case, dtype, result, scaled)

    def _timing(
        self, contract: Contract, race: Race, case: Case, dtype: str, result: Comparison, scaled: bool
    ) -> Timing:
        work = contract.work(case, race.arenas.layout, dtype)
        where = place(work, self.ceilings, result.seconds)
        if where.share > TOO_GOOD and where.bound != "launch":
            raise Refuted(
                f"{where.rate} would be {where.share:.0%} of what this card can do: not all of the work was done"
            )
        others = self.card.others()
        unclear = result.unclear
        if unclear and others:
            unclear += f"; {', '.join(others)} used the GPU as well"
        return Timing(
            case=case,
            dtype=dtype,
            ratio=result.ratio,
            low=result.low,
            high=result.high,
            seconds=result.seconds,
            baseline_seconds=result.baseline_seconds,
            bound=where.bound,
            share=where.share,
            rate=where.rate,
            scaled=scaled,
            unclear=unclear,
            raw={
                "batch": race.batch,
                "ours": [asdict(block) for block in result.ours],
                "baseline": [asdict(block) for block in result.theirs],
                "dropped": result.dropped,
                "others": others,
                "work": asdict(work),
                "ceilings": asdict(self.ceilings),
            },
        )


class Race:
    """Both sides, and the data that they take turns on: new as soon as one side would see its data again."""

    def __init__(
        self,
        bench: Bench,
        contract: Contract,
        worker: Worker,
        ask: Ask,
        case: Case,
        dtype: str,
        batch: int,
        seed: int,
    ) -> None:
        self.bench, self.contract, self.ask = bench, contract, ask
        # inputs, about as much for outputs, and all of that once more in the worker
        each = 4 * sum(tensor.nbytes for tensor in contract.large_inputs(case, dtype, 0).values())
        room = int(torch.cuda.mem_get_info()[0] * MEMORY_SHARE) // each
        self.batch = max(1, min(batch, room // SAMPLES))
        count = self.batch * max(1, min(SAMPLES, room))
        self.arenas = Arenas(contract, worker, case, dtype, count, seed)
        self.outputs: dict[int, Outputs] = {}
        self.answered = False
        self.ours, self.theirs = _Ours(self), _Theirs(self)

    def measured(self, run: Callable[[], list[float]]) -> Block:
        """Run one block with an eye on the card."""
        card = self.bench.card
        before = card.clock()
        seconds = run()
        return Block(tuple(seconds), max(before, card.clock()), card.slowed_by())

    def settle(self) -> None:
        """Once both sides have worked on the data, look at the outputs."""
        if self.outputs and self.answered:
            self.arenas.verify(self.outputs)

    def refill(self) -> None:
        self.arenas.refill()
        self.outputs, self.answered = {}, False

    def cross_check(self, result: Comparison) -> None:
        """The judge's clock against the worker's. Raises Refuted.

        Calls without a pause, and three times as many: the difference is what a call costs by the judge's clock. The
        baseline is measured the same way: where others use the GPU as well, both take longer than they are said to.
        """
        count = len(self.arenas.images)
        rounds = max(1, round(0.02 / (count * result.seconds)))

        def ours(rounds: int) -> tuple[float, float]:
            started = time.perf_counter()
            reply = self.ask("sustain", rounds=rounds, **self.request)
            return time.perf_counter() - started, float(reply["queued"])

        def theirs(rounds: int) -> tuple[float, float]:
            queued, total = self.bench.watch.sustained(self.theirs.calls({}), rounds)
            return total, queued

        def each(run: Callable[[int], tuple[float, float]]) -> tuple[float, bool]:
            """Seconds of a call, and whether they are the device's: if not, it is the host that is slow."""
            short = statistics.median(run(rounds)[0] for _ in range(3))
            long, queued = sorted(run(3 * rounds) for _ in range(3))[1]
            return (long - short) / (2 * rounds * count), queued < 0.5 * long

        seconds, of_the_device = each(ours)
        crowded = max(1.0, each(theirs)[0] / result.baseline_seconds)
        if of_the_device and seconds > CLOCK_SLACK * crowded * result.seconds:
            raise Refuted(
                f"the times cannot be true: {result.seconds * 1e6:.1f} us a call were measured where the submission "
                f"runs, but the grader's own clock saw {seconds * 1e6:.1f} us; work on another stream must wait for "
                "the current one"
            )

    @property
    def request(self) -> dict[str, Any]:
        return {
            "memory": self.arenas.memory,
            "layout": self.arenas.layout.to_json(),
            "scalars": self.arenas.scalars,
        }


@dataclass
class _Ours:
    """The submission, in its worker."""

    race: Race

    def block(self) -> Block:
        race = self.race
        if race.answered:
            race.refill()
        race.arenas.hand_over()
        block = race.measured(lambda: list(race.ask("time", batch=race.batch, **race.request)["seconds"]))
        race.arenas.take_back()
        race.answered = True
        race.settle()
        return block


@dataclass
class _Theirs:
    """The reference in PyTorch, in this process."""

    race: Race

    def block(self) -> Block:
        race = self.race
        if race.outputs:
            race.refill()
        outputs: dict[int, Outputs] = {}
        calls = self.calls(outputs)
        samples = [calls[start : start + race.batch] for start in range(0, len(calls), race.batch)]
        block = race.measured(lambda: race.bench.watch.block(samples))
        race.outputs = outputs
        race.settle()
        return block

    def calls(self, outputs: dict[int, Outputs]) -> list[Callable[[], None]]:
        """What computes the reference on each arena, and puts its answer into `outputs`."""
        contract, arenas = self.race.contract, self.race.arenas

        def call(index: int) -> Callable[[], None]:
            inputs = arenas.inputs(index)
            return lambda: outputs.update({index: contract.evaluate(inputs, arenas.case)})

        return [call(index) for index in range(len(arenas.images))]


def fit(contract: Contract, dtype: str, free: int, wanted: Case | None = None) -> tuple[Case, bool]:
    """The `wanted` case, by default the exercise's `bench`, its largest size halved until it fits into `free` bytes;
    whether it was.
    """
    case, scaled = dict(wanted or contract.exercise.bench), False
    while contract.elements(case, dtype) * JUDGE_BYTES > free * (1 - MEMORY_SHARE):
        largest = max((name for name in case if isinstance(case[name], int)), key=lambda name: case[name])
        if case[largest] <= 1:
            break
        case[largest] = int(case[largest]) // 2
        scaled = True
    return case, scaled
