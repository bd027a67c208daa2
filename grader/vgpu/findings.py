"""What the checker has to say: one record per kind and line, naming the place, the threads and the cure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grader.vgpu.profile import is_triton
from grader.vgpu.ptx import Location


@dataclass(frozen=True, slots=True)
class Finding:
    """`severity` is "error" (the kernel is wrong, even if the numbers happen to be right) or "advice"."""

    kind: str
    severity: str
    file: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}\n  {self.remedy}"


REMEDIES = {
    "out of bounds": "guard the access with the size of the array, or correct the index",
    "misaligned": "a vector access needs an address that is a multiple of its size: check the offset, or use "
    "narrower accesses",
    "uninitialised": "write the value before it is read: is an initialisation, or the first part of a loop, missing?",
    "race": "put __syncthreads() (or __syncwarp() within one warp) between the two accesses",
    "conflict": "blocks run in any order: give each block its own elements, or use an atomic operation",
    "divergent barrier": "move the barrier to a place that every thread of the block reaches, outside the branch",
    "deadlock": "every thread that the barrier counts must reach it: look for a branch or an early return before it",
    "inactive lane": "take the mask of the lanes that really get here (all 32, outside of branches), or keep every "
    "lane active until after the shuffle",
    "async copy": "wait for the copy (cp.async.wait_group / __pipeline_wait_prior), then synchronise the block",
    "infinite loop": "check that the loop's condition can become false for every thread",
    "trap": "the kernel stopped itself; look at the condition that guards the trap",
    "assert": "the asserted condition is false for this thread",
    "stack overflow": "the recursion is too deep: does it reach its base case?",
    "null pointer": "a pointer argument is null, or an index was used as an address",
}
ADVICE = {
    "exited threads": "let all threads reach the barrier: guard the work, not the rest of the kernel",
    "uncoalesced access": "let neighbouring threads use neighbouring addresses: threadIdx.x in the last index",
    "uncoalesced tile": "let neighbouring elements of a tile be neighbours in memory: stride 1 in its last dimension",
    "bank conflict": "let the lanes of a warp use different banks: neighbouring words, or rows padded by one element "
    "([32][33] instead of [32][32])",
    "divergence": "let the condition be the same for all 32 threads of a warp, or give the idle ones work too",
    "register spills": "keep fewer values per thread: a smaller tile, less unrolling, or a looser __launch_bounds__",
    "low occupancy": "use less of what limits it per block, so that more warps are there to hide latency",
}
"""Kinds that do not make a kernel wrong, with what to do about them."""
REMEDIES.update(ADVICE)


ENDINGS = frozenset({"infinite loop", "deadlock", "trap", "assert", "stack overflow"})
"""Kinds after which a kernel does not go on: what it has written by then is nobody's answer."""

FAULTS = frozenset({"null pointer", "out of bounds", "misaligned"})
"""Kinds that come first: a GPU would stop there, and what follows (a race, a value) may only be their echo."""

_TRITON = {
    "out of bounds": "pass a mask to tl.load and tl.store, such as mask=offsets < n, or correct the offsets",
}
_SEVERAL = "guard each index with its own size (row < rows && col < cols: the product alone lets a wrong row in)"
_SEVERAL_TRITON = "mask each dimension with its own size: mask=(rows[:, None] < m) & (cols[None, :] < n)"
"""Remedies in the words of the language, where the kernel is Triton's."""


def _remedy(kind: str, triton: bool, several: bool) -> str:
    if kind == "out of bounds" and several:
        return _SEVERAL_TRITON if triton else _SEVERAL
    return _TRITON.get(kind, REMEDIES[kind]) if triton else REMEDIES[kind]


def how_many(threads: int) -> str:
    """How many threads do what a finding names of one."""
    return f"{counted(threads, 'thread')} {'does' if threads == 1 else 'do'} this"


def counted(count: int, what: str) -> str:
    """ "1 thread", "2 threads" """
    return f"{count} {what}{'' if count == 1 else 's'}"


class FindingLog:
    """Collects findings; of those with the same kind and line, only the first is kept."""

    def __init__(self, locate: Callable[[int], Location]) -> None:
        self._locate = locate
        self._found: dict[tuple[str, str, int], Finding] = {}

    def known(self, kind: str, pc: int) -> bool:
        place = self._locate(pc)
        return (kind, place.file, place.line) in self._found

    def add(self, kind: str, pc: int, what: str, verb: str = "", several: bool = False) -> None:
        """Record a finding at the instruction `pc`. The message reads "<verb> at <file:line>: <what>"; `several` if
        the memory has more than one index.
        """
        place = self._locate(pc)
        key = (kind, place.file, place.line)
        if key not in self._found:
            severity = "advice" if kind in ADVICE else "error"
            message = f"{verb + ' ' if verb else ''}at {place}: {what}"
            self._found[key] = Finding(
                kind, severity, place.file, place.line, message, _remedy(kind, is_triton(place.file), several)
            )

    def line_of(self, pc: int) -> str:
        return str(self._locate(pc))

    def all(self) -> tuple[Finding, ...]:
        return tuple(self._found.values())
