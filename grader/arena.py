"""Where a call's tensors live: one block of bytes, every tensor between red zones, everything else poison.

The judge draws up the image of the arena before the call; the worker copies it to the device, calls solve() and
copies it back; the judge compares. A zone that changed is a write out of bounds, an input that changed was
overwritten, an output that still holds poison was never written.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

POISON = 0xFF
"""The byte that fills and surrounds outputs before a call: NaN in floating-point types, -1 in signed integers."""

INPUT_ZONE = 0x7FFF
"""The 16 bits around inputs, NaN as well: other than POISON, so that copying the one over the other shows."""

ZONE = 8192
"""Bytes of red zone before and after each tensor: room for a whole block that runs past the end (1024 doubles), and a
multiple of 256, the alignment of CUDA allocations."""


@dataclass(frozen=True)
class Slot:
    """One tensor of a call: its name, whether solve() may write it, shape and element type."""

    name: str
    writable: bool
    shape: tuple[int, ...]
    dtype: str

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.torch_dtype.itemsize

    @property
    def torch_dtype(self) -> torch.dtype:
        dtype: torch.dtype = getattr(torch, self.dtype)
        return dtype


class Layout:
    """The slots of one call and where each lies. `size` is the arena's length in bytes."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = tuple(slots)
        self.offsets: dict[str, int] = {}
        end = 0
        for slot in self.slots:
            self.offsets[slot.name] = end + ZONE
            end = self._room(slot)[1]
        self.size = end

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(slot) for slot in self.slots]

    @staticmethod
    def from_json(rows: Sequence[Mapping[str, Any]]) -> Layout:
        return Layout([Slot(row["name"], row["writable"], tuple(row["shape"]), row["dtype"]) for row in rows])

    def tensor(self, arena: Tensor, slot: Slot) -> Tensor:
        """The slot's tensor, a view into `arena` (uint8)."""
        start = self.offsets[slot.name]
        return arena[start : start + slot.nbytes].view(slot.torch_dtype).view(slot.shape)

    def fill(self, arena: Tensor, inputs: Mapping[str, Tensor]) -> None:
        """Poison everything, then put the inputs in place."""
        arena.fill_(POISON)
        for slot in self.slots:
            if not slot.writable:
                start, end = self._room(slot)
                arena[start:end].view(torch.int16).fill_(INPUT_ZONE)
                self.tensor(arena, slot).copy_(inputs[slot.name])

    def zones(self) -> list[tuple[Slot, str, int, int]]:
        """(slot, "before" or "after", start, end) of every red zone, padding included."""
        zones = []
        for slot in self.slots:
            first, last = self._room(slot)
            start = self.offsets[slot.name]
            zones += [(slot, "before", first, start), (slot, "after", start + slot.nbytes, last)]
        return zones

    def _room(self, slot: Slot) -> tuple[int, int]:
        """Where the slot begins and ends, zones and padding included."""
        start = self.offsets[slot.name]
        return start - ZONE, start + math.ceil(slot.nbytes / 256) * 256 + ZONE


def shared_bytes(fd: int, size: int) -> Tensor:
    """The first `size` bytes of the shared memory `fd` as a uint8 tensor; writes go through."""
    return torch.frombuffer(mmap.mmap(fd, size), dtype=torch.uint8)
