"""Barriers of a block: bar.sync, bar.arrive and bar.red, by barrier number, with or without a thread count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu import lanes as lane_sets
from grader.vgpu.lanes import LaneIndex, Selection
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine


@dataclass(slots=True)
class _Arrivals:
    """Who has come to one barrier of one block."""

    expected: int | None  # threads; None: every thread of the block
    lanes: list[LaneIndex] = field(default_factory=list)
    pcs: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    blocking: list[bool] = field(default_factory=list)  # False for bar.arrive, which does not wait

    @property
    def count(self) -> int:
        return sum(lanes.size for lanes in self.lanes)


class Barriers:
    """All barriers of a chunk. Key: (block slot, barrier number)."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: dict[tuple[int, int], _Arrivals] = {}
        self._offered: Array | None = None  # bar.red: each lane's predicate ...
        self._offering: Array | None = None  # ... and whether it has offered one
        self._results: dict[str, Array] = {}

    def pass_together(self, selection: Selection, number: Array, count: Array | None, pc: int) -> bool:
        """Let the group through at once if it is all living threads of its blocks and nobody else is involved."""
        engine = self._engine
        if self._waiting or number.ndim or (count is not None and (count.ndim or int(count) != engine.block_size)):
            return False
        if selection is None:
            self._stamp(None)
            return True
        lanes = engine.lanes(selection)
        slots = np.bincount(engine.slot_of[lanes], minlength=engine.block_count)
        present = np.flatnonzero(slots)
        alive = np.bincount(engine.slot_of, weights=engine.alive, minlength=engine.block_count)
        if (slots[present] != alive[present]).any():
            return False
        if engine.exited and count is None:
            self._note_exited(lanes, pc)
        self._stamp(present)
        return True

    def wait(self, selection: Selection, number: Array, count: Array | None, pc: int) -> None:
        """Hold the group's lanes until their barriers are complete; they go on at pc + 1."""
        self._arrive(selection, number, count, pc, blocking=True)

    def arrive(self, selection: Selection, number: Array, count: Array | None, pc: int) -> None:
        """bar.arrive: counts as having come, without waiting."""
        self._arrive(selection, number, count, pc, blocking=False)

    def _arrive(self, selection: Selection, number: Array, count: Array | None, pc: int, blocking: bool) -> None:
        engine = self._engine
        lanes = engine.lanes(selection)
        numbers = np.broadcast_to(number, lanes.shape)
        counts = np.broadcast_to(-1 if count is None else count.astype(np.int64), lanes.shape)
        slots = engine.slot_of[lanes]
        for slot, barrier in np.unique(np.stack([slots, numbers.astype(np.int64)]), axis=1).T.tolist():
            chosen = (slots == slot) & (numbers == barrier)
            expected = int(counts[chosen][0])
            arrivals = self._waiting.setdefault((slot, barrier), _Arrivals(None if expected < 0 else expected))
            arrivals.lanes.append(lanes[chosen])
            arrivals.pcs.append(pc)
            arrivals.depths.append(engine.depth)
            arrivals.blocking.append(blocking)
            self._complete_if_full((slot, barrier))

    def after_exit(self, lanes: LaneIndex) -> None:
        """Threads that exit no longer count for barriers without a thread count."""
        if self._waiting:
            slots = set(np.unique(self._engine.slot_of[lanes]).tolist())
            for key in [key for key in self._waiting if key[0] in slots]:
                self._complete_if_full(key)

    def _complete_if_full(self, key: tuple[int, int]) -> None:
        engine = self._engine
        arrivals = self._waiting[key]
        living = int(np.count_nonzero(engine.alive & (engine.slot_of == key[0])))
        needed = living if arrivals.expected is None else min(arrivals.expected, living)
        if arrivals.count < needed:
            return
        del self._waiting[key]
        if len(set(arrivals.pcs)) > 1 and arrivals.expected is None:
            self._report_divergent(arrivals)
        elif living < engine.block_size and arrivals.expected is None:
            self._note_exited(arrivals.lanes[0], arrivals.pcs[0])
        self._stamp(np.array([key[0]]))
        for lanes, pc, depth, blocking in zip(
            arrivals.lanes, arrivals.pcs, arrivals.depths, arrivals.blocking, strict=True
        ):
            if blocking:
                engine.push(depth, pc + 1, lane_sets.compact(lanes))

    def _stamp(self, slots: Array | None) -> None:
        """The barrier orders what these blocks (None: all) did before it before what they do after it."""
        engine = self._engine
        engine.launch.now += 1
        if slots is None:
            engine.barrier_time[:] = engine.launch.now
        else:
            engine.barrier_time[slots] = engine.launch.now
        engine.barrier_floor = int(engine.barrier_time.min())
        if self._offering is not None and self._offered is not None:
            self._settle(slots)
        engine.shared.shadow.barrier()

    # bar.red

    def contribute(self, selection: Selection, predicate: Array) -> None:
        """Offer the group's predicates to the reduction of the barrier that follows."""
        engine = self._engine
        if self._offered is None or self._offering is None:
            self._offered, self._offering = np.zeros(engine.total, np.bool_), np.zeros(engine.total, np.bool_)
            self._results = {name: np.zeros(engine.block_count, np.int64) for name in ("true", "all")}
        lanes = engine.lanes(selection)
        self._offered[lanes] = predicate
        self._offering[lanes] = True

    def _settle(self, slots: Array | None) -> None:
        engine = self._engine
        assert self._offered is not None and self._offering is not None
        count = engine.block_count
        true = np.bincount(engine.slot_of, weights=self._offered & self._offering, minlength=count).astype(np.int64)
        every = np.bincount(engine.slot_of, weights=self._offering, minlength=count).astype(np.int64)
        chosen = (np.arange(count) if slots is None else slots)[
            every[np.arange(count) if slots is None else slots] > 0
        ]
        self._results["true"][chosen], self._results["all"][chosen] = true[chosen], every[chosen]
        self._offering[np.isin(engine.slot_of, chosen)] = False

    def collect(self, selection: Selection, op: str) -> Array:
        """The reduction's result for each lane: a count for popc, else a predicate."""
        slots = self._engine.slot_of[self._engine.lanes(selection)]
        true, every = self._results["true"][slots], self._results["all"][slots]
        if op == "popc":
            return true.astype(np.uint32)
        return true == every if op == "and" else true > 0

    # What can be wrong.

    def give_up(self) -> bool:
        """Nothing else can run: report the barriers that will never be complete, and end their threads."""
        if not self._waiting:
            return False
        engine = self._engine
        blocks = sorted({slot for slot, _ in self._waiting})
        for slot in blocks:
            mine = {key[1]: arrivals for key, arrivals in self._waiting.items() if key[0] == slot}
            number, arrivals = next(iter(mine.items()))
            if len(mine) > 1:
                others = [a for n, a in mine.items() if n != number]
                rest = (
                    f"others wait at barrier {[n for n in mine if n != number][0]} "
                    f"({engine.log.line_of(others[0].pcs[0])})"
                )
            else:
                rest = f"only {arrivals.count} of the {arrivals.expected or engine.block_size} threads it counts come"
            text = f"{engine.who(int(arrivals.lanes[0][0]))} waits at barrier {number} for ever: {rest}"
            engine.log.add("deadlock", arrivals.pcs[0], text)
        for key in list(self._waiting):
            arrivals = self._waiting.pop(key)
            for lanes, blocking in zip(arrivals.lanes, arrivals.blocking, strict=True):
                if blocking:
                    engine.alive[lanes] = False
                    engine.exited += lanes.size
        return True

    def _report_divergent(self, arrivals: _Arrivals) -> None:
        engine = self._engine
        first = min(range(len(arrivals.pcs)), key=lambda i: arrivals.pcs[i])
        other = next(i for i in range(len(arrivals.pcs)) if arrivals.pcs[i] != arrivals.pcs[first])
        there = engine.log.line_of(arrivals.pcs[other])
        text = (
            f"{engine.who(int(arrivals.lanes[first][0]))} waits here, but thread "
            f"{engine.thread_name(int(arrivals.lanes[other][0]))} waits at another barrier ({there})"
        )
        engine.log.add("divergent barrier", arrivals.pcs[first], text)

    def _note_exited(self, lanes: LaneIndex, pc: int) -> None:
        engine = self._engine
        slot = engine.slot_of[lanes[0]]
        gone = np.flatnonzero(~engine.alive & (engine.slot_of == slot))
        if gone.size:
            text = (
                f"thread {engine.thread_name(int(gone[0]))} of block "
                f"{engine.launch.block_name(int(engine.block_of[lanes[0]]))} has exited before this barrier "
                f"({gone.size} threads of the block have)"
            )
            engine.log.add("exited threads", pc, text)
