"""Special registers (%tid.x, %laneid ...): per-lane arrays, or one value where all lanes agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.errors import Unsupported
from grader.vgpu.lanes import Selection, take
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_CLOCKS = {
    "%clock": np.uint32,
    "%clock64": np.uint64,
    "%clock_hi": np.uint32,
    "%globaltimer": np.uint64,
    "%globaltimer_lo": np.uint32,
    "%globaltimer_hi": np.uint32,
}
_MULTIPROCESSORS = 108  # %nsmid; those of an A100, whose architecture PTX is compiled for


def special(engine: Engine, name: str, selection: Selection) -> Array:
    """The value of a special register in a group of lanes. Raises Unsupported."""
    if name in _CLOCKS:
        engine.polls += 1
        ticks = 0 if name.endswith("_hi") else engine.launch.steps
        return np.uint64(ticks).astype(_CLOCKS[name])
    if name not in engine.specials:
        engine.specials[name] = _value(engine, name)
    value = engine.specials[name]
    return value if selection is None else take(value, selection)


def _value(engine: Engine, name: str) -> Array:
    base, _, axis = name.partition(".")
    if axis and axis in "xyz":
        return _coordinate(engine, base, "xyz".index(axis))
    lane = (engine.thread_of & 31).astype(np.uint32)
    values: dict[str, Array] = {
        "%laneid": lane,
        "%warpid": (engine.thread_of >> 5).astype(np.uint32),
        "%nwarpid": np.uint32(-(-engine.block_size // 32)),
        "%smid": (engine.block_of % _MULTIPROCESSORS).astype(np.uint32),
        "%nsmid": np.uint32(_MULTIPROCESSORS),
        "%dynamic_smem_size": np.uint32(engine.launch.dynamic_shared),
        "%total_smem_size": np.uint32(engine.launch.shared_size),
        "%gridid": np.uint32(1),
        "%cluster_nctarank": np.uint32(1),
        "%cluster_ctarank": np.uint32(0),
    }
    return values[name] if name in values else _lane_mask(name, np.uint32(1) << lane)


def _lane_mask(name: str, bit: Array) -> Array:
    below = bit - np.uint32(1)
    masks = {"eq": bit, "lt": below, "le": below | bit, "gt": ~(below | bit), "ge": ~below}
    relation = name.removeprefix("%lanemask_")
    if relation not in masks:
        raise Unsupported(f"the special register {name}")
    return masks[relation]


def _coordinate(engine: Engine, base: str, axis: int) -> Array:
    block, grid = engine.launch.block, engine.launch.grid
    if base in ("%ntid", "%nctaid"):
        return np.uint32((block if base == "%ntid" else grid)[axis])
    if base in ("%clusterid", "%cluster_ctaid"):
        return np.uint32(0)
    if base in ("%nclusterid", "%cluster_nctaid"):
        return np.uint32(1)
    if base not in ("%tid", "%ctaid"):
        raise Unsupported(f"the special register {base}")
    index, extent = (engine.thread_of, block) if base == "%tid" else (engine.block_of, grid)
    if extent[axis] == 1:
        return np.uint32(0)
    stride = int(np.prod(extent[:axis], dtype=np.int64))
    values = (index // stride % extent[axis]).astype(np.uint32)
    return values[0] if base == "%ctaid" and engine.block_count == 1 else values
