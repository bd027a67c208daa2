"""Runs one chunk of blocks: all their lanes at once, in groups that stand at the same place.

A group is keyed by (-call depth, PC). The one with the deepest call and the lowest PC runs first, so that lanes that
took different paths meet again where the paths join; a group that others poll for (a spin lock's owner) gets its turn
after a number of polls. Lanes waiting at barriers and warp-synchronous points are held by barriers.py and warps.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu import lanes as lane_sets
from grader.vgpu.atomics import apply_atomic
from grader.vgpu.barriers import Barriers
from grader.vgpu.builtins import call_builtin
from grader.vgpu.bytestore import granules
from grader.vgpu.conflicts import Fences
from grader.vgpu.copies import AsyncCopies
from grader.vgpu.globalmem import GlobalSpace
from grader.vgpu.lanes import LaneIndex, RegisterFile, Selection
from grader.vgpu.layout import LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BITS
from grader.vgpu.localmem import MAX_DEPTH, LocalSpace, ReadOnlySpace
from grader.vgpu.sharedmem import SharedSpace

from grader.vgpu.types import DTYPES, Array
from grader.vgpu.warps import Warps

if TYPE_CHECKING:
    from grader.vgpu.launch import Launch

Key = tuple[int, int]  # (-call depth, PC)
_PATIENCE = 8  # polls by one group before the longest-waiting other group gets a turn
_TURN = 64  # blocks that such a turn may last
_ISSUE_COST = 128  # what issuing a block costs of the step budget, in thread-instructions


class Engine:
    """The state of one chunk. Generated code calls its public methods and those of its parts."""

    def __init__(self, launch: Launch, blocks: LaneIndex) -> None:
        self.launch = launch
        self.log = launch.log
        self.block_size = launch.block_size
        self.block_count = blocks.size
        self.total = blocks.size * launch.block_size
        self.slot_of: LaneIndex = np.repeat(np.arange(blocks.size), launch.block_size)
        self.block_of: LaneIndex = np.repeat(blocks, launch.block_size)
        self.thread_of: LaneIndex = np.tile(np.arange(launch.block_size), blocks.size)
        warps = -(-launch.block_size // 32)
        self.warp_of: LaneIndex = self.slot_of * warps + (self.thread_of >> 5)
        self.warp_count = warps * blocks.size
        self.alive = np.ones(self.total, np.bool_)
        self.exited = 0
        self._all = np.arange(self.total)
        self._groups: dict[Key, list[Selection]] = {}
        self._waiting_since: dict[Key, int] = {}
        self._round = 0
        self.polls = 0
        self._files: dict[tuple[int, int], RegisterFile] = {}
        self._return_pc: list[LaneIndex] = []
        self.depth = 0
        self.pc = 0
        self.carry: Array = np.zeros((), np.bool_)
        self.barrier_time = np.zeros(blocks.size, np.int64)
        self.barrier_floor = 0
        self.syncwarp_time = np.zeros(self.warp_count, np.int64)
        self.thread_fences = Fences(self.total)
        self.specials: dict[str, Array] = {}
        self.shared = SharedSpace(self, launch.shared_size, launch.shared_granule)
        self.local = LocalSpace(self, launch.layout.frame_size)
        const = ReadOnlySpace(self, launch.const_data, "constant")
        param = ReadOnlySpace(self, launch.param_data, "parameter")
        self.globals = GlobalSpace(self)
        self._spaces = {"global": self.globals, "shared": self.shared, "local": self.local, "const": const, "param": param}
        self._window_space = {1: "shared", 2: "local", 3: "const", 4: "param"}
        self.barriers = Barriers(self)
        self.warps = Warps(self)
        self.copies = AsyncCopies(self)
        self._set_depth(0)

    # Scheduling.

    def run(self) -> None:
        """Run the chunk until every lane has exited, is stuck, or the launch's budget is spent."""
        self.push(0, 0, None)
        program = self.launch.program
        while not self.launch.stopped:
            if not self._groups:
                if not self._unblock():
                    return
                continue
            key = self._pick()
            selection = lane_sets.merge(self._groups.pop(key), self.total)
            self._waiting_since.pop(key, None)
            self._run_group(program, key, selection)

    def _run_group(self, program, key: Key, selection: Selection) -> None:  # type: ignore[no-untyped-def]
        self._set_depth(-key[0])
        pc: int | None = key[1]
        turn = _TURN if self._favoured else 0
        while pc is not None and not self.launch.stopped:
            block = program.block(pc)
            self.pc = pc
            self._account(block, selection)
            pc = block.run(self, self._file(block.routine), selection)
            turn -= 1
            if pc is not None and self._groups and turn <= 0:
                self.push(self.depth, pc, selection)
                return

    def _account(self, block, selection: Selection) -> None:  # type: ignore[no-untyped-def]
        launch = self.launch
        count = lane_sets.size(selection, self.total)
        launch.steps += block.size * count
        launch.budget -= block.size * count + _ISSUE_COST
        if launch.profile is not None:
            launch.profile.block(self, block, self.lanes(selection))
        if launch.budget < 0:
            lane = int(self.lanes(selection)[0])
            self.log.add("infinite loop", block.end - 1, f"{self.who(lane)} is still running after the step budget")
            self.launch.stopped = True

    def _pick(self) -> Key:
        self._round += 1
        best = min(self._groups)
        self._favoured = False
        if self.polls >= _PATIENCE and len(self._groups) > 1:
            self.polls = 0
            best = min((key for key in self._groups if key != best), key=lambda k: self._waiting_since.get(k, 0))
            self._favoured = True
        return best

    def push(self, depth: int, pc: int, selection: Selection) -> None:
        """Make a group ready to run at `pc`."""
        key = (-depth, pc)
        if key in self._groups:
            self._groups[key].append(selection)
        else:
            self._groups[key] = [selection]
            self._waiting_since[key] = self._round

    def _unblock(self) -> bool:
        """Nothing is ready: let warp-synchronous points go on if they can, else report who waits for whom."""
        return self.warps.release() or self.warps.give_up() or self.barriers.give_up()

    # Lanes.

    def lanes(self, selection: Selection) -> LaneIndex:
        if selection is None:
            return self._all
        return self._all[selection] if isinstance(selection, slice) else selection

    def who(self, lane: int) -> str:
        """A lane as "thread 5 of block 0"."""
        return f"thread {self.thread_name(lane)} of block {self.launch.block_name(int(self.block_of[lane]))}"

    def thread_name(self, lane: int) -> str:
        return self.launch.thread_name(int(self.thread_of[lane]))

    def _file(self, routine: int) -> RegisterFile:
        key = (self.depth, routine)
        if key not in self._files:
            forms = self.launch.program.register_forms(routine)
            values: list[Array] = [np.zeros((), DTYPES[form])[()] for form in forms]
            self._files[key] = RegisterFile(values, self.total)
        return self._files[key]

    def _set_depth(self, depth: int) -> None:
        self.depth = depth
        base = depth * self.launch.layout.frame_size
        self.frame_u64, self.frame_u32 = np.uint64(base), np.uint32(base)

    # Control flow.

    def branch(self, selection: Selection, predicate: Array, taken: int, other: int) -> int | None:
        """Where the group goes: a PC if all lanes agree, else None after splitting it."""
        if predicate.ndim == 0:
            return taken if predicate else other
        count = int(np.count_nonzero(predicate))
        if count == predicate.size:
            return taken
        if count == 0:
            return other
        lanes = self.lanes(selection)
        self.push(self.depth, taken, lane_sets.compact(lanes[predicate]))
        self.push(self.depth, other, lane_sets.compact(lanes[~predicate]))
        return None

    def exit(self, selection: Selection) -> None:
        """End the lanes of a group."""
        lanes = self.lanes(selection)
        self.alive[lanes] = False
        self.exited += lanes.size
        if self.exited < self.total:
            self.barriers.after_exit(lanes)
        return None

    def trap(self, selection: Selection, pc: int) -> None:
        lane = int(self.lanes(selection)[0])
        self.log.add("trap", pc, f"{self.who(lane)} executed a trap", "")
        self.launch.stopped = True

    def call(self, selection: Selection, callee: int, moves: list[tuple[int, str, int]], pc: int) -> int | None:
        """Enter a function at one call depth more; `moves` are (frame offset, parameter, bytes)."""
        if self.depth + 1 >= MAX_DEPTH:
            lane = int(self.lanes(selection)[0])
            self.log.add("stack overflow", pc, f"{self.who(lane)} has {MAX_DEPTH} nested calls")
            self.launch.stopped = True
            return None
        layout, lanes = self.launch.layout, self.lanes(selection)
        self.local.ensure(self.depth + 1)
        here, there = self.depth * layout.frame_size, (self.depth + 1) * layout.frame_size
        for source, name, size in moves:
            self.local.copy(here + source, there + layout.frames[callee][name], size, lanes)
        while len(self._return_pc) <= self.depth:
            self._return_pc.append(np.zeros(self.total, np.int64))
        self._return_pc[self.depth][lanes] = pc + 1
        self.push(self.depth + 1, self.launch.program.entry(callee), selection)
        return None

    def return_from_call(self, selection: Selection) -> None:
        if self.depth == 0:
            self.exit(selection)
            return
        lanes = self.lanes(selection)
        targets = self._return_pc[self.depth - 1][lanes]
        for pc in np.unique(targets).tolist():
            self.push(self.depth - 1, pc, lane_sets.compact(lanes[targets == pc]))

    def fetch_result(self, selection: Selection, callee: int, name: str, target: int, size: int) -> None:
        layout = self.launch.layout
        here, there = self.depth * layout.frame_size, (self.depth + 1) * layout.frame_size
        self.local.copy(there + layout.frames[callee][name], here + target, size, self.lanes(selection))

    def call_builtin(self, name: str, selection: Selection, arguments: list[int], result: int | None, pc: int) -> int | None:
        """vprintf and __assertfail; the PC to go on at."""
        return call_builtin(self, name, selection, arguments, result, pc)

    def sync_warp(self, selection: Selection, mask: Array) -> None:
        self.launch.now += 1
        self.syncwarp_time[self.warp_of[self.lanes(selection)]] = self.launch.now

    # Memory.

    def parameter(self, offset: int, size: int) -> Array:
        value: Array = np.frombuffer(self.launch.param_data.data, f"<u{size}", 1, offset)[0]
        return value

    def load(
        self, space: str, address: Array, size: int, count: int, selection: Selection, guard: Array | None, pc: int,
        strong: bool,
    ) -> list[Array]:  # fmt: skip
        """`count` elements of `size` bytes for each lane of the group; lanes whose guard is false get zeros."""
        self.launch.now += 1
        lanes = self.lanes(selection)
        kept = _guarded(guard)
        if kept is not None:
            if kept.size == 0:
                return [np.zeros((), f"u{size}")[()]] * count
            address, lanes = address[kept] if address.ndim else address, lanes[kept]
        if strong:
            self.polls += 1
            self.observe(lanes, None)
        values = self.read_space(space, address, size, count, lanes, pc, strong)
        if kept is None:
            return values
        return [_scatter(value, kept, lane_sets.size(selection, self.total)) for value in values]

    def read_space(
        self, space: str, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool = False
    ) -> list[Array]:
        """Read for exactly these lanes."""
        if space != "generic":
            if self.launch.profile is not None:
                self.launch.profile.access(self, pc, space, address, size * count, lanes)
            return self._spaces[space].read(address, size, count, lanes, pc, strong)
        pieces = self._by_space(address, lanes)
        if len(pieces) == 1:
            return self.read_space(pieces[0][0], pieces[0][1], size, count, lanes, pc, strong)
        result = [np.zeros(lanes.shape, f"u{size}") for _ in range(count)]
        for name, part, at in pieces:
            for target, value in zip(result, self.read_space(name, part, size, count, lanes[at], pc, strong), strict=True):
                target[at] = value
        return list(result)

    def store(
        self, space: str, address: Array, values: list[Array], size: int, selection: Selection, guard: Array | None,
        pc: int, strong: bool,
    ) -> None:  # fmt: skip
        """Store one element per value for each lane of the group whose guard holds."""
        self.launch.now += 1
        lanes = self.lanes(selection)
        kept = _guarded(guard)
        if kept is not None:
            if kept.size == 0:
                return
            address, lanes = address[kept] if address.ndim else address, lanes[kept]
            values = [value[kept] if value.ndim else value for value in values]
        self.write_space(space, address, values, size, lanes, pc, strong)

    def write_space(
        self, space: str, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int,
        strong: bool = False,
    ) -> None:  # fmt: skip
        """Write for exactly these lanes."""
        if space != "generic":
            if self.launch.profile is not None:
                self.launch.profile.access(self, pc, space, address, size * len(values), lanes)
            self._spaces[space].write(address, values, size, lanes, pc, strong)
            return
        for name, part, at in self._by_space(address, lanes):
            piece = [value[at] if value.ndim else value for value in values]
            self.write_space(name, part, piece, size, lanes[at], pc, strong)

    def _by_space(self, address: Array, lanes: LaneIndex) -> list[tuple[str, Array, Array]]:
        """Split generic addresses: (space, addresses in that space, positions)."""
        address = np.broadcast_to(address, lanes.shape).view(np.uint64)
        windows = address >> np.uint64(WINDOW_BITS)
        pieces = []
        for window in np.unique(np.minimum(windows, np.uint64(5))).tolist():
            at = np.flatnonzero(windows == window) if window < 5 else np.flatnonzero(windows >= 5)
            space = self._window_space.get(window, "global")
            base = np.uint64(window << WINDOW_BITS) if space != "global" else np.uint64(0)
            pieces.append((space, address[at] - base, at))
        return pieces

    def atomic(
        self, space: str, op: str, type_: str, address: Array, values: tuple[Array, ...], selection: Selection,
        guard: Array | None, pc: int, needed: bool,
    ) -> Array:  # fmt: skip
        """Apply an atomic for each lane in turn; the old values (zeros where nothing was done)."""
        self.launch.now += 1
        self.polls += 1
        lanes = self.lanes(selection)
        count = lanes.size
        kept = _guarded(guard)
        if kept is not None:
            address = address[kept] if address.ndim else address
            values = tuple(value[kept] if value.ndim else value for value in values)
            lanes = lanes[kept]
        old = np.zeros(lanes.shape, values[0].dtype)
        if lanes.size:
            self.observe(lanes, None)
            pieces = self._by_space(address, lanes) if space == "generic" else [(space, address, np.arange(lanes.size))]
            for name, part, at in pieces:
                spread = tuple(np.broadcast_to(value, lanes.shape)[at] for value in values)
                old[at] = apply_atomic(self, name, op, type_, part, spread, lanes[at], pc, needed)
        return old if kept is None else _scatter(old, kept, count)

    def locate(self, space: str, address: Array, size: int, lanes: LaneIndex, pc: int) -> list[tuple[Array, Array, Array]]:
        """For atomics: (elements, indices, positions in lanes) of each piece of memory, with the checks done."""
        if space == "shared":
            offset, at = self.shared.locate(address, size, lanes, pc)
            if at.size:
                self.shared.shadow.atomic(granules(offset, size, self.shared.granule), lanes[at], pc)
            return [(self.shared.store.view(size)[0], self.shared.store.index(offset, size), at)]
        pieces = []
        for segment, offset, at in self.globals.locate(address, size, lanes, pc):
            conflicts = self.launch.conflicts
            if conflicts is not None:
                conflicts.of(segment).atomic(self, granules(offset, size, conflicts.granule), lanes[at], pc)
            pieces.append((segment.store.view(size)[0], segment.store.index(offset, size), at))
            if segment.uninitialised is not None:
                self.globals.check_initialised(segment, offset, size, lanes[at], pc)
        return pieces

    def read_words(self, address: Array, nbytes: int, lanes: LaneIndex, pc: int) -> list[Array]:
        """`nbytes` of global memory per lane as 32-bit words, the last one filled up with zeros."""
        if nbytes % 4 == 0:
            return self.read_space("global", address, 4, nbytes // 4, lanes, pc, False)
        parts = self.read_space("global", address, 1, nbytes, lanes, pc, False)
        parts += [np.zeros(lanes.shape, np.uint8)] * (-nbytes % 4)
        octets = np.stack([np.broadcast_to(part, lanes.shape) for part in parts], axis=1)
        return list(np.ascontiguousarray(octets).view(np.uint32).T)

    def peek(self, address: int, nbytes: int, lane: int) -> bytes:
        """Bytes at a generic address as one lane sees them, unchecked; empty if there is nothing."""
        if address >> WINDOW_BITS == LOCAL_WINDOW:
            offset = address & ((1 << WINDOW_BITS) - 1)
            return self.local.peek(offset, nbytes, np.array([lane])).tobytes()
        segment = self.launch.segments.by_window.get(address >> WINDOW_BITS)
        if segment is None:
            return b""
        offset = address - segment.base
        return segment.store.data[offset : offset + nbytes].tobytes() if offset >= 0 else b""

    def observe(self, selection: Selection, guard: Array | None) -> None:
        """An acquiring operation: what other threads fenced before is now ordered before this thread."""
        lanes = self.lanes(selection)
        kept = _guarded(guard)
        lanes = lanes if kept is None else lanes[kept]
        self.launch.fences.observe(self.block_of[lanes], self.launch.now)
        self.thread_fences.observe(lanes, self.launch.now)

    def fence(self, selection: Selection, guard: Array | None, scope: str) -> None:
        """A releasing operation of a scope: "cta" orders within the block only."""
        lanes = self.lanes(selection)
        kept = _guarded(guard)
        lanes = lanes if kept is None else lanes[kept]
        self.launch.now += 1
        self.thread_fences.fence(lanes, self.launch.now)
        if scope != "cta":
            self.launch.fences.fence(self.block_of[lanes], self.launch.now)

    def report_wild(self, address: int, lane: int, pc: int, verb: str) -> None:
        """An address that lies in no window of global memory."""
        window = address >> WINDOW_BITS
        if window == 0 and address < 1 << 20:
            self.log.add("null pointer", pc, f"{self.who(lane)} uses the address {address:#x}", f"global {verb}")
            return
        space = {SHARED_WINDOW: "shared", LOCAL_WINDOW: "local"}.get(window)
        what = f"the address of a {space} variable as a global address" if space else f"the wild address {address:#x}"
        self.log.add("out of bounds", pc, f"{self.who(lane)} uses {what}", f"global {verb}")


def _guarded(guard: Array | None) -> LaneIndex | None:
    """None if every lane's guard holds, else the positions of those whose does."""
    if guard is None:
        return None
    if guard.ndim == 0:
        return None if guard else np.empty(0, np.int64)
    kept = np.flatnonzero(guard)
    return None if kept.size == guard.size else kept


def _scatter(value: Array, kept: LaneIndex, count: int) -> Array:
    result = np.zeros(count, value.dtype)
    result[kept] = value
    return result
