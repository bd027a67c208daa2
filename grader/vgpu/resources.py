"""What ptxas says a kernel costs: registers, spills, stack and shared memory, from its -v report."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Resources:
    """One kernel's static costs: `registers` per thread, the rest in bytes (`shared` per block, static only)."""

    registers: int
    spill_stores: int
    spill_loads: int
    stack: int
    shared: int


_ENTRY = re.compile(r"Compiling entry function '([^']+)' for '[^']+'(.*?)(?=Compiling entry function|\Z)", re.DOTALL)


def parse_resources(log: str) -> dict[str, Resources]:
    """Resources by mangled kernel name, from the log of a compilation for a real target."""
    return {
        name: Resources(
            registers=_number(r"Used (\d+) registers", body),
            spill_stores=_number(r"(\d+) bytes spill stores", body),
            spill_loads=_number(r"(\d+) bytes spill loads", body),
            stack=_number(r"(\d+) bytes stack frame", body),
            shared=_number(r"(\d+) bytes smem", body),
        )
        for name, body in _ENTRY.findall(log)
    }


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0
