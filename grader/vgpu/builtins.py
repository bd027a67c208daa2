"""Functions that the CUDA runtime provides on the device: printf and assert."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu import lanes as lane_sets
from grader.vgpu.lanes import Selection

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_LIMIT = 1 << 20  # characters of output kept per launch
_DIRECTIVE = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(hh|h|ll|l|z|t|j)?([diouxXcsfFeEgGaAp%])")


def call_builtin(
    engine: Engine, name: str, selection: Selection, arguments: list[int], result: int | None, pc: int
) -> int | None:
    """Run a device-runtime function for each lane; the PC to go on at, or None when no lane does."""
    lanes = engine.lanes(selection)
    frame = engine.depth * engine.launch.layout.frame_size
    words = [engine.local.peek(frame + offset, 8, lanes).view(np.uint64).reshape(-1) for offset in arguments]
    if name == "vprintf":
        for lane, format_, values in zip(lanes.tolist(), words[0].tolist(), words[1].tolist(), strict=True):
            _print(engine, lane, format_, values)
        if result is not None:
            engine.local.poke(frame + result, np.int32(1), lanes)
        return pc + 2  # past the copying of results, which there are none of in a frame
    first = int(lanes[0])
    texts = [_string(engine, int(word[0]), first) for word in (words[0], words[1])]
    line = int(words[2][0]) & 0xFFFFFFFF
    engine.log.add("assert", pc, f"{engine.who(first)}: assertion `{texts[0]}` failed ({texts[1]}:{line})")
    engine.exit(lane_sets.compact(lanes))
    return None


def _string(engine: Engine, address: int, lane: int) -> str:
    """The zero-terminated string at a generic address."""
    text = bytearray()
    while len(text) < 4096 and (byte := engine.memory.peek(address + len(text), 1, lane)) not in (b"\0", b""):
        text += byte
    return text.decode("utf-8", errors="replace")


def _print(engine: Engine, lane: int, format_: int, values: int) -> None:
    launch = engine.launch
    if launch.printed_size > _LIMIT:
        return
    text = format_printf(_string(engine, format_, lane), _Arguments(engine, values, lane))
    launch.printed.append(text)
    launch.printed_size += len(text)


class _Arguments:
    """The packed argument buffer of a printf call: each value at a multiple of its size."""

    def __init__(self, engine: Engine, address: int, lane: int) -> None:
        self._engine, self._address, self._lane = engine, address, lane
        self._offset = 0

    def take(self, code: str, size: int) -> int | float:
        self._offset = -(-self._offset // size) * size
        raw = self._engine.memory.peek(self._address + self._offset, size, self._lane).ljust(size, b"\0")
        self._offset += size
        value: int | float = struct.unpack("<" + code, raw)[0]
        return value

    def string(self) -> str:
        return _string(self._engine, int(self.take("Q", 8)), self._lane)


def format_printf(template: str, arguments: _Arguments) -> str:
    """C's printf for the directives that device code supports."""

    def expand(found: re.Match[str]) -> str:
        flags, width, precision, length, kind = found.groups()
        if kind == "%":
            return "%"
        width = str(int(arguments.take("i", 4))) if width == "*" else width or ""
        precision = str(int(arguments.take("i", 4))) if precision == "*" else precision
        spec = f"%{flags}{width}{'.' + precision if precision is not None else ''}"
        if kind == "s":
            return (spec + "s") % arguments.string()
        if kind == "p":
            return (spec + "s") % hex(int(arguments.take("Q", 8)))
        if kind in "aA":
            return (spec.split(".")[0] + "s") % float(arguments.take("d", 8)).hex()
        if kind in "fFeEgG":
            return (spec + kind) % arguments.take("d", 8)
        wide = length in ("l", "ll", "z", "t", "j")
        code = ("q" if kind in "di" else "Q") if wide else ("i" if kind in "dic" else "I")
        value = int(arguments.take(code, 8 if wide else 4))
        if kind == "c":
            return (spec + "s") % chr(value & 255)
        return (spec + kind.replace("i", "d").replace("u", "d")) % value

    return _DIRECTIVE.sub(expand, template)
