"""Runs one chunk of blocks: all their lanes at once, in groups that stand at the same place.

A group is keyed by (-call depth, PC). The one with the deepest call and the lowest PC runs first, so that lanes that
took different paths meet again where the paths join; a group that others poll for (a spin lock's owner) gets its turn
after a number of polls. Lanes waiting at barriers and warp-synchronous points are held by barriers.py and warps.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu import lanes as lane_sets
from grader.vgpu.barriers import Barriers
from grader.vgpu.builtins import call_builtin
from grader.vgpu.copies import AsyncCopies
from grader.vgpu.lanes import LaneIndex, RegisterFile, Selection
from grader.vgpu.localmem import MAX_DEPTH, LocalSpace
from grader.vgpu.memory import Memory
from grader.vgpu.ordering import Fences
from grader.vgpu.sharedmem import SharedSpace
from grader.vgpu.types import Array, undefined
from grader.vgpu.warps import Warps

if TYPE_CHECKING:
    from grader.vgpu.codegen import Block, CompiledProgram
    from grader.vgpu.launch import Launch

Key = tuple[int, int]  # (-call depth, PC)
_PATIENCE = 8  # polls by one group before the longest-waiting other group gets a turn
_TURN = 64  # blocks that such a turn may last
_ISSUE_COST = 800  # what issuing one instruction costs of the step budget, in thread-instructions: about 8 us


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
        self.thread_numbers = launch.order.numbers(self.block_of, self.thread_of)
        warps = -(-launch.block_size // 32)
        self.warp_of: LaneIndex = self.slot_of * warps + (self.thread_of >> 5)
        self.warp_count = warps * blocks.size
        self.alive = np.ones(self.total, np.bool_)
        self.exited = 0
        self._all = np.arange(self.total)
        self._groups: dict[Key, list[Selection]] = {}
        self._waiting_since: dict[Key, int] = {}
        self._round = 0
        self._favoured = False  # the running group was picked for its long wait
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
        self.memory = Memory(self)
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

    def _run_group(self, program: CompiledProgram, key: Key, selection: Selection) -> None:
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

    def _account(self, block: Block, selection: Selection) -> None:
        launch = self.launch
        count = lane_sets.size(selection, self.total)
        launch.steps += block.size * count
        launch.budget -= block.size * (count + _ISSUE_COST)
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
            values: list[Array] = [undefined(form) for form in forms]
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
        if self.launch.profile is not None:
            self.launch.profile.split(self, lanes, predicate)
        self.push(self.depth, taken, lane_sets.compact(lanes[predicate]))
        self.push(self.depth, other, lane_sets.compact(lanes[~predicate]))
        return None

    def indexed_branch(self, selection: Selection, index: Array, targets: list[int], pc: int) -> None:
        """Send each lane to the entry of `targets` that its index names."""
        lanes = self.lanes(selection)
        index = np.broadcast_to(index, lanes.shape)
        if (index >= len(targets)).any():
            lane = int(lanes[np.flatnonzero(index >= len(targets))[0]])
            self.log.add("out of bounds", pc, f"{self.who(lane)} branches past a table of {len(targets)} labels")
        where = np.array(targets)[np.minimum(index, len(targets) - 1)]
        for to in np.unique(where).tolist():
            self.push(self.depth, to, lane_sets.compact(lanes[where == to]))

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

    def call_builtin(
        self, name: str, selection: Selection, arguments: list[int], result: int | None, pc: int
    ) -> int | None:
        """vprintf and __assertfail; the PC to go on at."""
        return call_builtin(self, name, selection, arguments, result, pc)

    def sync_warp(self, selection: Selection, mask: Array) -> None:
        self.launch.now += 1
        self.syncwarp_time[self.warp_of[self.lanes(selection)]] = self.launch.now

    def parameter(self, offset: int, size: int) -> Array:
        return np.frombuffer(self.launch.param_data.data, f"<u{size}", 1, offset)[0]
