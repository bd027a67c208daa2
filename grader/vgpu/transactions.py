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


def sectors(warp: Array, where: Array, nbytes: int) -> Array:
    """The distinct (warp, sector) pairs, as columns, that accesses of `nbytes` bytes at `where` touch."""
    spans = [where // SECTOR, (where + nbytes - 1) // SECTOR] if nbytes > 1 else [where // SECTOR]
    keys = np.concatenate(spans)
    warps = np.tile(warp, len(spans))
    return np.unique(np.stack([warps, keys]), axis=1)


def ideal(warp: Array, nbytes: int, unit: int) -> int:
    """The units (sectors or wavefronts) that each warp's bytes need if they are dense, added up over warps."""
    lanes = np.bincount(warp)
    return int((-(-lanes * nbytes // unit)).sum())


def wavefronts(warp: Array, where: Array, nbytes: int) -> int:
    """Visits of the banks, added up over warps. Accesses wider than a bank are served in parts of a warp: a half for
    8 bytes, a quarter for 16."""
    words = max(nbytes // _BANK_WIDTH, 1)
    order = np.argsort(warp, kind="stable")
    warp, where = warp[order], where[order]
    starts = np.flatnonzero(np.concatenate([[True], warp[1:] != warp[:-1]]))
    position = np.arange(warp.size) - np.repeat(starts, np.diff(np.append(starts, warp.size)))
    served = position // max(32 // words, 1)
    part = warp * (int(served.max()) + 1) + served
    word = np.concatenate([where // _BANK_WIDTH + i for i in range(words)])
    pairs = np.unique(np.stack([np.tile(part, words), word]), axis=1)  # equal words are broadcast
    banks = np.bincount(np.unique(pairs[0], return_inverse=True)[1] * BANKS + pairs[1] % BANKS)
    padded = np.pad(banks, (0, -banks.size % BANKS))
    return int(padded.reshape(-1, BANKS).max(axis=1).sum())
