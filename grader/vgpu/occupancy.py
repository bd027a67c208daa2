"""How many blocks fit on a multiprocessor, and what limits them.

Limits: "Technical Specifications per Compute Capability" in NVIDIA's CUDA C++ Programming Guide, and the traits of
architectures in CCCL (cuda/__device/arch_traits.h); allocation units as in the CUDA Occupancy Calculator.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """One compute capability's resources per multiprocessor; sizes in bytes."""

    threads: int
    blocks: int
    shared: int
    shared_per_block: int
    registers: int = 65536
    registers_per_thread: int = 255
    reserved_shared: int = 1024  # what the system takes of each block's shared memory


LIMITS: dict[str, Limits] = {
    "sm_75": Limits(1024, 16, 64 * 1024, 64 * 1024, reserved_shared=0),
    "sm_80": Limits(2048, 32, 164 * 1024, 163 * 1024),
    "sm_86": Limits(1536, 16, 100 * 1024, 99 * 1024),
    "sm_87": Limits(1536, 16, 164 * 1024, 163 * 1024),
    "sm_88": Limits(1536, 16, 100 * 1024, 99 * 1024),
    "sm_89": Limits(1536, 24, 100 * 1024, 99 * 1024),
    "sm_90": Limits(2048, 32, 228 * 1024, 227 * 1024),
    "sm_100": Limits(2048, 32, 228 * 1024, 227 * 1024),
    "sm_103": Limits(2048, 32, 228 * 1024, 227 * 1024),
    "sm_110": Limits(1536, 24, 228 * 1024, 227 * 1024),
    "sm_120": Limits(1536, 24, 100 * 1024, 99 * 1024),
    "sm_121": Limits(1536, 24, 100 * 1024, 99 * 1024),
}
_WARP = 32
_REGISTER_UNIT = 256  # registers are given to warps in units of this many
_SHARED_UNIT = {"sm_75": 256}  # bytes; 128 elsewhere
_PARTITIONS = 4  # a multiprocessor's registers and warps are split among four schedulers


@dataclass(frozen=True)
class Occupancy:
    """`blocks` and `warps` are resident per multiprocessor; `fraction` is of the most warps it can hold. `limiter` is
    "threads", "blocks", "registers", "shared memory", or "does not fit" when not even one block does."""

    blocks: int
    warps: int
    fraction: float
    limiter: str


def occupancy(arch: str, threads: int, registers: int, shared: int) -> Occupancy:
    """Theoretical occupancy of a kernel: `threads` per block, `registers` per thread, `shared` bytes per block
    (static and dynamic). `arch` is a key of LIMITS; a suffix as in sm_90a is ignored. Raises KeyError for others."""
    key = arch.rstrip("af")
    limits = LIMITS[key]
    warps = -(-threads // _WARP)
    most_warps = limits.threads // _WARP
    possible = {
        "threads": most_warps // warps,
        "blocks": limits.blocks,
        "registers": _by_registers(limits, registers, warps),
        "shared memory": _by_shared(key, limits, shared),
    }
    blocks = min(possible.values())
    if blocks == 0 or threads > 1024:
        return Occupancy(0, 0, 0.0, "does not fit")
    limiter = next(name for name, count in possible.items() if count == blocks)
    return Occupancy(blocks, blocks * warps, blocks * warps / most_warps, limiter)


def _by_registers(limits: Limits, registers: int, warps: int) -> int:
    if registers > limits.registers_per_thread:
        return 0
    if registers == 0:
        return limits.blocks
    per_warp = -(-registers * _WARP // _REGISTER_UNIT) * _REGISTER_UNIT
    resident = limits.registers // _PARTITIONS // per_warp * _PARTITIONS
    return resident // warps


def _by_shared(key: str, limits: Limits, shared: int) -> int:
    if shared > limits.shared_per_block:
        return 0
    unit = _SHARED_UNIT.get(key, 128)
    per_block = -(-(shared + limits.reserved_shared) // unit) * unit
    return limits.shared // per_block if per_block else limits.blocks
