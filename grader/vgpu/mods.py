"""Reading the suffixes of an instruction: every one must be recognised, or the instruction is unsupported."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.ptx import Instruction


class Mods:
    """A consumable view of an instruction's suffixes. Use `finish` when all expected ones have been taken."""

    def __init__(self, emitter: Emitter, ins: Instruction) -> None:
        self._emitter = emitter
        self._left = list(ins.mods)

    def take(self, *choices: str, default: str = "") -> str:
        """Remove and return the first suffix that is one of `choices`; `default` if there is none."""
        for index, mod in enumerate(self._left):
            if mod in choices:
                return self._left.pop(index)
        return default

    def flag(self, name: str) -> bool:
        return bool(self.take(name))

    def drop(self, *prefixes: str) -> None:
        """Remove suffixes that change no result, such as cache hints."""
        self._left = [mod for mod in self._left if not mod.startswith(prefixes)]

    def type(self, *allowed: str) -> str:
        """Remove and return the last suffix, which must be one of `allowed`."""
        if not self._left or self._left[-1] not in allowed:
            raise self._emitter.unsupported()
        return self._left.pop()

    def finish(self) -> None:
        """Raise Unsupported if a suffix is left over."""
        if self._left:
            raise self._emitter.unsupported()


def operands(emitter: Emitter, ins: Instruction, count: int) -> None:
    """Raise Unsupported unless the instruction has `count` operands."""
    if len(ins.operands) != count:
        raise emitter.unsupported(f"with {len(ins.operands)} operands")
