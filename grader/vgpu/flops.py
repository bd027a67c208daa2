"""Floating-point operations of one instruction: an addition or multiplication counts 1, a fused one 2."""

from __future__ import annotations

import re

from grader.vgpu.ptx import Instruction

_ONE = {"add", "sub", "mul", "div", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh", "min", "max"}
_TWO = {"fma", "mad"}
_FLOATS = {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"}
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)$")


def flops_of(ins: Instruction, lanes: int) -> int:
    """What `lanes` executions by single threads come to."""
    if ins.op in ("mma", "wmma"):
        shape = next((found for mod in ins.mods if (found := _SHAPE.match(mod))), None)
        if shape is None or "load" in ins.mods or "store" in ins.mods:
            return 0
        return 2 * int(shape[1]) * int(shape[2]) * int(shape[3]) * (lanes // 32)
    type_ = ins.mods[-1] if ins.mods else ""
    if type_ not in _FLOATS:
        return 0
    per_lane = 1 if ins.op in _ONE else 2 if ins.op in _TWO else 0
    return per_lane * lanes * (2 if type_.endswith("x2") else 1)
