"""What would make a right kernel faster: findings of severity "advice", from the counts of a profiled launch.

Counts say how much work a line makes, never how long it takes. So a line is only named where its waste is large, a
large share of the launch's own, and not what the ragged edge of the data costs any kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.vgpu.findings import REMEDIES, Finding
from grader.vgpu.occupancy import LIMITS, occupancy
from grader.vgpu.profile import AccessProfile, BranchProfile, LaunchProfile, is_triton
from grader.vgpu.ptx import Location
from grader.vgpu.resources import Resources

MIN_WARPS = 8
"""Smaller launches get no advice: their last, partly filled warp weighs more than any habit of the kernel."""

MIN_REQUESTS = 8
"""Lines with fewer requests get none either, for the same reason."""

EXCESS = 2.0
"""Transactions over the ideal from which a line is worth a word; half the traffic is then waste."""

SHARE = 0.10
"""Of the launch's transactions in that memory: the waste of a line below this would not be noticed."""

IDLE_SHARE = 0.25
"""Of all lane slots that one branch leaves idle. A guard for the tail, or the last steps of a tree, stay below it."""

LOW_OCCUPANCY = 0.125
"""Two warps for each scheduler: with no more, one that waits for memory leaves a single other to run."""


def advise(profile: LaunchProfile) -> tuple[Finding, ...]:
    """What the counts of a launch suggest, worst first within each kind. (How Triton lays tiles out in shared memory
    is its compiler's affair.)
    """
    if profile.warps < MIN_WARPS:
        return ()
    return (*_accesses(profile.accesses, "global"), *_accesses(profile.accesses, "shared"), *_branches(profile))


def advise_statically(
    kernel: str, place: Location, used: Resources, arch: str, profile: LaunchProfile
) -> tuple[Finding, ...]:
    """What ptxas' report on `kernel`, defined at `place`, and the shape of a launch suggest."""
    found = []
    spilled = used.spill_stores + used.spill_loads
    if spilled:
        what = f"{kernel} moves {spilled} bytes of registers to local memory and back ({used.registers} in use)"
        found.append(_finding("register spills", place, f"at {place}: {what}"))
    if arch.rstrip("af") in LIMITS and profile.warps >= MIN_WARPS:
        fit = occupancy(arch, profile.threads, used.registers, profile.shared)
        if 0 < fit.fraction <= LOW_OCCUPANCY:
            share = f"{fit.warps} warps fit on a multiprocessor ({fit.fraction:.0%} of {arch}'s)"
            what = f"{share}, limited by {fit.limiter}"
            found.append(_finding("low occupancy", place, f"at {place}: {what}"))
    return tuple(found)


def _accesses(accesses: Sequence[AccessProfile], space: str) -> Iterator[Finding]:
    mine = sorted((one for one in accesses if one.space == space), key=lambda one: one.ideal - one.units)
    total = sum(one.units for one in mine)
    kind, unit = ("uncoalesced access", "sectors") if space == "global" else ("bank conflict", "wavefronts")
    for one in mine:
        waste = one.units - one.ideal
        # a row that is not aligned touches one sector more than it must, whatever the kernel does
        unavoidable = one.requests if space == "global" else 0
        if one.requests < MIN_REQUESTS or waste <= unavoidable or waste < SHARE * total:
            continue
        if one.units >= EXCESS * one.ideal and not (space == "shared" and is_triton(one.file)):
            place = Location(one.file, one.line)
            had, could = one.units / one.requests, one.ideal / one.requests
            what = f"{_figure(had)} {unit} per request where {_figure(could)} would do"
            remedy = "uncoalesced tile" if is_triton(one.file) else kind
            yield _finding(kind, place, f"{space} {one.verb} at {place}: {what}", REMEDIES[remedy])


def _branches(profile: LaunchProfile) -> Iterator[Finding]:
    slots = 32 * profile.instructions
    for one in sorted(profile.branches, key=_by_idle, reverse=True):
        if one.idle >= IDLE_SHARE * slots:
            place = Location(one.file, one.line)
            what = f"the threads of a warp part here, and {one.idle / slots:.0%} of all lane slots stay idle for it"
            yield _finding("divergence", place, f"at {place}: {what}")


def _by_idle(branch: BranchProfile) -> int:
    return branch.idle


def _finding(kind: str, place: Location, message: str, remedy: str = "") -> Finding:
    return Finding(kind, "advice", place.file, place.line, message, remedy or REMEDIES[kind])


def _figure(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
