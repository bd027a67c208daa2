"""Warp-synchronous operations: shuffles, votes, match, reductions, and the rendezvous that they need.

A lane's partners may not have arrived yet; then it is parked until they do. Lanes that have exited, or that are stuck
elsewhere, are not waited for: naming them in the mask is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.vgpu import lanes as lane_sets
from grader.vgpu.lanes import LaneIndex, Selection
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine


class Warps:
    """The warps of a chunk."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._parked: dict[tuple[int, int], list[tuple[LaneIndex, Array]]] = {}  # (depth, pc) -> lanes and masks
        self._forced = False
        self.lane = (engine.thread_of & 31).astype(np.int64)
        self.first = np.arange(engine.total) - self.lane  # the warp's first lane, by lane
        self._length = np.minimum(
            engine.block_size - (engine.thread_of - self.lane), 32
        )  # lanes of the warp that exist
        self._sources: dict[tuple[str, int, int], tuple[Array, Array]] = {}

    # Rendezvous.

    def ready(self, selection: Selection, mask: Array) -> bool:
        """Whether every living lane that the masks name is in the group."""
        return self._forced or bool(self._complete(self._engine.lanes(selection), mask).all())

    def _complete(self, lanes: LaneIndex, mask: Array) -> Array:
        """For each lane of the group: whether all living lanes of its mask are in the group."""
        engine = self._engine
        present = self._ballot(lanes, np.ones(lanes.size, np.bool_))
        alive = self._ballot(np.flatnonzero(engine.alive), None)
        missing = mask & alive[engine.warp_of[lanes]] & ~present[engine.warp_of[lanes]]
        return missing == 0

    def _ballot(self, lanes: LaneIndex, predicate: Array | None) -> Array:
        """Per warp of the chunk: the bits of the lanes whose predicate holds."""
        chosen = lanes if predicate is None else lanes[np.broadcast_to(predicate, lanes.shape)]
        weights = np.float64(2) ** self.lane[chosen]
        return np.bincount(self._engine.warp_of[chosen], weights, self._engine.warp_count).astype(np.uint32)

    def wait(self, selection: Selection, mask: Array, pc: int) -> None:
        """Park the lanes whose partners are missing; the others go on."""
        engine = self._engine
        lanes = engine.lanes(selection)
        masks = np.broadcast_to(mask, lanes.shape)
        key = (engine.depth, pc)
        for old_lanes, old_masks in self._parked.pop(key, []):
            lanes, masks = np.concatenate([lanes, old_lanes]), np.concatenate([masks, old_masks])
        order = np.argsort(lanes)
        lanes, masks = lanes[order], masks[order]
        complete = self._complete(lanes, masks)
        if complete.any():
            engine.push(engine.depth, pc, lane_sets.compact(lanes[complete]))
        if not complete.all():
            self._parked[key] = [(lanes[~complete], masks[~complete])]

    def release(self) -> bool:
        """Wake parked lanes whose missing partners have exited meanwhile."""
        woken = False
        for key in list(self._parked):
            lanes, masks = self._parked.pop(key)[0]
            complete = self._complete(lanes, masks)
            if complete.any():
                self._engine.push(key[0], key[1], lane_sets.compact(lanes[complete]))
                woken = True
            if not complete.all():
                self._parked[key] = [(lanes[~complete], masks[~complete])]
        return woken

    def give_up(self) -> bool:
        """Nothing else can run: report the masks that name lanes which are elsewhere, and go on without them."""
        if not self._parked:
            return False
        engine = self._engine
        (depth, pc), waiting = min(self._parked.items(), key=lambda item: (-item[0][0], item[0][1]))
        lanes, masks = waiting[0]
        present = self._ballot(lanes, None)[engine.warp_of[lanes]]
        missing = int((masks & ~present)[0])
        partner = (missing & -missing).bit_length() - 1
        text = (
            f"{engine.who(int(lanes[0]))} waits for lane {partner} of its warp, which its mask "
            f"{int(masks[0]):#010x} names but which never gets here"
        )
        engine.log.add("inactive lane", pc, text)
        del self._parked[depth, pc]
        self._forced = True
        engine.push(depth, pc, lane_sets.compact(lanes))
        return True

    # Operations. Values are lane vectors of the group, or 0-d.

    def check_mask(self, lanes: LaneIndex, mask: Array, pc: int) -> None:
        """A lane must name itself, and must not name lanes that have exited."""
        engine = self._engine
        if not engine.exited and mask.ndim == 0 and int(mask) == 0xFFFFFFFF:
            return
        own = np.uint32(1) << self.lane[lanes].astype(np.uint32)
        strangers = (mask & own) == 0
        if strangers.any():
            who = engine.who(int(lanes[np.flatnonzero(strangers)[0]]))
            engine.log.add("inactive lane", pc, f"{who} is not in its own mask")
        gone = self._ballot(np.flatnonzero(~engine.alive), None)[engine.warp_of[lanes]]
        named = np.broadcast_to(mask, lanes.shape) & gone
        if named.any():
            first = int(np.flatnonzero(named)[0])
            lane = (int(named[first]) & -int(named[first])).bit_length() - 1
            text = f"{engine.who(int(lanes[first]))} names lane {lane} of its warp in its mask, but that has exited"
            engine.log.add("inactive lane", pc, text)

    def shuffle(
        self, mode: str, value: Array, b: Array, c: Array, mask: Array, selection: Selection, pc: int
    ) -> tuple[Array, Array]:
        """shfl.sync: (the source lane's value, whether the source lane was in range)."""
        engine = self._engine
        lanes = engine.lanes(selection)
        self.check_mask(lanes, mask, pc)
        source, in_range = self._source(mode, b, c, selection, lanes)
        if value.ndim == 0:
            value = np.broadcast_to(value, lanes.shape)
        outside = source - self.first[lanes] >= self._length[lanes] if self._partial() else None
        if outside is not None and outside.any():
            self._report_source(lanes, source, outside, pc)
            source = np.where(outside, lanes, source)
        if selection is None:
            return value[source], in_range
        position = np.full(engine.total, -1, np.int64)
        position[lanes] = np.arange(lanes.size)
        at = position[source]
        absent = at < 0
        if absent.any():
            self._report_source(lanes, source, absent, pc)
            at = np.where(absent, np.arange(lanes.size), at)
        return value[at], in_range

    def _partial(self) -> bool:
        return self._engine.block_size % 32 != 0

    def _source(self, mode: str, b: Array, c: Array, selection: Selection, lanes: LaneIndex) -> tuple[Array, Array]:
        if selection is not None or b.ndim or c.ndim:
            return self._compute_source(mode, b, c, lanes)
        key = (mode, int(b), int(c))
        if key not in self._sources:
            self._sources[key] = self._compute_source(mode, b, c, lanes)
        return self._sources[key]

    def _compute_source(self, mode: str, b: Array, c: Array, lanes: LaneIndex) -> tuple[Array, Array]:
        """The source lane by the ISA's rules: c holds the clamp value and, from bit 8, the segment mask."""
        lane = self.lane[lanes]
        b, c = b.astype(np.int64) & 31, c.astype(np.int64)
        clamp, segment = c & 31, (c >> 8) & 31
        limit = (lane & segment) | (clamp & ~segment)
        low = lane & segment
        if mode == "up":
            source = lane - b
            good = source >= limit
        elif mode == "down":
            source = lane + b
            good = source <= limit
        elif mode == "bfly":
            source = lane ^ b
            good = source <= limit
        else:
            source = low | (b & ~segment)
            good = source <= limit
        source = np.where(good, source, lane)
        return self.first[lanes] + source, np.broadcast_to(good, lanes.shape)

    def _report_source(self, lanes: LaneIndex, source: Array, bad: Array, pc: int) -> None:
        first = int(np.flatnonzero(bad)[0])
        lane = int(source[first] - self.first[lanes[first]])
        text = f"{self._engine.who(int(lanes[first]))} reads from lane {lane} of its warp, which is not active here"
        self._engine.log.add("inactive lane", pc, text, "shuffle")

    def ballot(self, predicate: Array, mask: Array, selection: Selection, pc: int) -> Array:
        """vote.sync.ballot: the bits of the mask's lanes whose predicate holds, for each lane."""
        lanes = self._engine.lanes(selection)
        self.check_mask(lanes, mask, pc)
        return self._ballot(lanes, predicate)[self._engine.warp_of[lanes]] & mask

    def vote(self, mode: str, predicate: Array, mask: Array, selection: Selection, pc: int) -> Array:
        """vote.sync.all, any, uni."""
        lanes = self._engine.lanes(selection)
        true = self.ballot(predicate, mask, selection, pc)
        present = self._ballot(lanes, None)[self._engine.warp_of[lanes]] & mask
        if mode == "any":
            return np.asarray(true != 0)
        every = true == present
        return every if mode == "all" else every | (true == 0)

    def active_mask(self, selection: Selection) -> Array:
        lanes = self._engine.lanes(selection)
        return self._ballot(lanes, None)[self._engine.warp_of[lanes]]

    def _table(self, value: Array, lanes: LaneIndex, fill: Array) -> Array:
        """Values as (warps, 32), with `fill` where no lane of the group is."""
        table = np.full((self._engine.warp_count, 32), fill, value.dtype)
        table[self._engine.warp_of[lanes], self.lane[lanes]] = value
        return table

    def match_any(self, value: Array, mask: Array, selection: Selection, pc: int) -> Array:
        """match.any.sync: the mask's lanes that hold the same value."""
        lanes = self._engine.lanes(selection)
        self.check_mask(lanes, mask, pc)
        table = self._table(np.broadcast_to(value, lanes.shape), lanes, value.dtype.type(0))
        mine = table[self._engine.warp_of[lanes]]
        equal = mine == np.broadcast_to(value, lanes.shape)[:, None]
        bits = (equal * (np.uint64(1) << np.arange(32, dtype=np.uint64))).sum(axis=1).astype(np.uint32)
        present = self._ballot(lanes, None)[self._engine.warp_of[lanes]]
        return bits & present & mask

    def match_all(self, value: Array, mask: Array, selection: Selection, pc: int) -> tuple[Array, Array]:
        """match.all.sync: (the mask or 0, whether all of the mask's lanes hold the same value)."""
        lanes = self._engine.lanes(selection)
        equal = self.match_any(value, mask, selection, pc)
        present = self._ballot(lanes, None)[self._engine.warp_of[lanes]] & mask
        same = equal == present
        return np.where(same, np.broadcast_to(mask, same.shape), np.uint32(0)), same

    def reduce(self, op: str, value: Array, mask: Array, selection: Selection, pc: int) -> Array:
        """redux.sync over the lanes of the mask."""
        lanes = self._engine.lanes(selection)
        self.check_mask(lanes, mask, pc)
        function, neutral = _REDUCTIONS[op]
        start = neutral(value.dtype)
        groups = np.broadcast_to(mask, lanes.shape)
        result = np.empty(lanes.shape, value.dtype)
        spread = np.broadcast_to(value, lanes.shape)
        for one in np.unique(groups).tolist():  # lanes with different masks reduce separately
            chosen = groups == one
            table = self._table(spread[chosen], lanes[chosen], start)
            result[chosen] = function.reduce(table, axis=1, dtype=value.dtype)[self._engine.warp_of[lanes[chosen]]]
        return result

    def elect(self, mask: Array, selection: Selection) -> tuple[Array, Array]:
        """elect.sync: (the lowest lane of the mask, whether this lane is it)."""
        lanes = self._engine.lanes(selection)
        low = np.broadcast_to(np.bitwise_count((mask & -mask) - np.uint32(1)).astype(np.uint32), lanes.shape)
        return low, self.lane[lanes] == low


_REDUCTIONS: dict[str, tuple[np.ufunc, Callable[[Any], Array]]] = {
    "add": (np.add, lambda dtype: dtype.type(0)),
    "min": (np.minimum, lambda dtype: dtype.type(np.iinfo(dtype).max)),
    "max": (np.maximum, lambda dtype: dtype.type(np.iinfo(dtype).min)),
    "and": (np.bitwise_and, lambda dtype: ~dtype.type(0)),
    "or": (np.bitwise_or, lambda dtype: dtype.type(0)),
    "xor": (np.bitwise_xor, lambda dtype: dtype.type(0)),
}
