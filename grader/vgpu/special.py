"""Special registers (%tid.x, %laneid ...): per-lane arrays, or one value where all lanes agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.errors import Unsupported
from grader.vgpu.lanes import Selection, take
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine


def special_values(engine: Engine) -> dict[str, Array]:
    """The special registers whose value never changes, for the lanes of one chunk."""
    launch = engine.launch
    lane = (engine.thread_of & 31).astype(np.uint32)
    bit = np.uint32(1) << lane
    values: dict[str, Array] = {
        "%laneid": lane,
        "%warpid": (engine.thread_of >> 5).astype(np.uint32),
        "%nwarpid": np.uint32(-(-launch.block_size // 32))[()],
        "%lanemask_eq": bit, "%lanemask_lt": bit - np.uint32(1), "%lanemask_le": (bit - np.uint32(1)) | bit,
        "%lanemask_gt": ~((bit - np.uint32(1)) | bit), "%lanemask_ge": ~(bit - np.uint32(1)),
        "%smid": (engine.block_of % 108).astype(np.uint32), "%nsmid": np.uint32(108), "%gridid": np.uint32(1),
        "%dynamic_smem_size": np.uint32(launch.dynamic_shared), "%total_smem_size": np.uint32(launch.shared_size),
        "%clusterid.x": np.uint32(0), "%nclusterid.x": np.uint32(1), "%cluster_ctarank": np.uint32(0),
        "%cluster_nctarank": np.uint32(1),
    }  # fmt: skip
    thread, block = engine.thread_of, engine.block_of
    for axis, size, extent in zip("xyz", launch.block, launch.grid, strict=True):
        values[f"%ntid.{axis}"], values[f"%nctaid.{axis}"] = np.uint32(size), np.uint32(extent)
        values[f"%tid.{axis}"] = _lane_values(thread % size, size == 1)
        values[f"%ctaid.{axis}"] = _lane_values(block % extent, extent == 1 or engine.block_count == 1)
        thread, block = thread // size, block // extent
    return values


def _lane_values(values: Array, uniform: bool) -> Array:
    narrow: Array = values.astype(np.uint32)
    return narrow[0] if uniform else narrow


_CLOCKS = {"%clock": np.uint32, "%clock64": np.uint64, "%clock_hi": np.uint32, "%globaltimer": np.uint64,
           "%globaltimer_lo": np.uint32, "%globaltimer_hi": np.uint32}  # fmt: skip


def special(engine: Engine, name: str, selection: Selection) -> Array:
    """The value of a special register in a group of lanes. Raises Unsupported."""
    value = engine.specials.get(name)
    if value is None:
        if name not in _CLOCKS:
            raise Unsupported(f"the special register {name}")
        engine.polls += 1
        ticks = 0 if name.endswith("_hi") else engine.launch.steps
        clock: Array = np.array(ticks, np.uint64).astype(_CLOCKS[name])[()]
        return clock
    return value if selection is None else take(value, selection)
