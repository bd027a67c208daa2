"""How many transactions a warp's memory request takes: sectors of global memory, wavefronts of shared memory.

Global memory is counted in 32-byte sectors per request (one warp's execution of one instruction). Shared memory is
counted in wavefronts per request: how often the banks (32, of 4 bytes each) must be visited because several lanes
want different words of one bank. Source: "Memory Tables" of NVIDIA's Kernel Profiling Guide.
"""

from __future__ import annotations

import numpy as np

from grader.vgpu.types import Array

SECTOR = 32  # bytes
BANKS = 32
_BANK_WIDTH = 4  # bytes
WAVEFRONT = BANKS * _BANK_WIDTH  # bytes that one visit of the banks can deliver
_WARP_SHIFT = 48  # of a key that holds a warp and a sector
_PART_SHIFT = 32  # of a key that holds a part of a warp and a word of shared memory


def sectors(warp: Array, where: Array, nbytes: int) -> Array:
    """A key for each distinct pair of a warp and a sector that accesses of `nbytes` bytes at `where` touch."""
    base = warp << _WARP_SHIFT
    first, last = where // SECTOR, (where + nbytes - 1) // SECTOR
    keys = base + first if np.array_equal(first, last) else np.concatenate([base + first, base + last])
    return distinct(keys)


def distinct(keys: Array) -> Array:
    """The sorted keys, each once. (np.unique's hash table takes several times as long.)"""
    keys = np.sort(keys)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])]


def count_runs(warp: Array) -> int:
    """How many warps there are, given one for each lane in ascending order."""
    return 1 + int(np.count_nonzero(warp[1:] != warp[:-1]))


def ideal(warp: Array, nbytes: int, unit: int) -> int:
    """The units (sectors or wavefronts) that each warp's bytes need if they are dense, added up over warps."""
    lanes = np.bincount(warp)
    return int((-(-lanes * nbytes // unit)).sum())


def wavefronts(warp: Array, where: Array, nbytes: int) -> int:
    """Visits of the banks, added up over warps. Accesses wider than a bank are served in parts of a warp: a half for
    8 bytes, a quarter for 16."""
    words = max(nbytes // _BANK_WIDTH, 1)
    if (warp[1:] < warp[:-1]).any():
        order = np.argsort(warp, kind="stable")
        warp, where = warp[order], where[order]
    part = warp
    if words > 1 or warp.size > 32 * count_runs(warp):
        starts = np.flatnonzero(np.concatenate([[True], warp[1:] != warp[:-1]]))
        position = np.arange(warp.size) - np.repeat(starts, np.diff(np.append(starts, warp.size)))
        served = position // max(32 // words, 1)
        part = warp * (int(served.max()) + 1) + served
    word = where // _BANK_WIDTH
    keys = [(part << _PART_SHIFT) + word + i for i in range(words)]
    wanted = distinct(np.concatenate(keys) if words > 1 else keys[0])  # equal words are broadcast
    banks = np.bincount((wanted >> _PART_SHIFT) * BANKS + (wanted & (BANKS - 1)))
    padded = np.pad(banks, (0, -banks.size % BANKS))
    return int(padded.reshape(-1, BANKS).max(axis=1).sum())
