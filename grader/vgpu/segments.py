"""Global memory: each tensor and module variable is a segment in an address window of its own."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.vgpu.bytestore import Bytes, ByteStore
from grader.vgpu.errors import LaunchError
from grader.vgpu.layout import MIDDLE, WINDOW_BITS


@dataclass(slots=True)
class Segment:
    """`base` is the device address of the first byte. The bytes are the tensor's own memory, not a copy."""

    base: int
    store: ByteStore
    name: str
    element: int  # bytes, for indices in messages
    shape: tuple[int, ...] = ()  # of a row-major tensor that has the segment to itself
    keep_alive: Any = None
    uninitialised: ByteStore | None = None  # a byte of 1 for every byte that nobody has written
    may_write: bool = True
    writer: Any = None  # shadow of conflicts.py
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return self.store.data.size

    def index(self, flat: int) -> str:
        """The element that many from the first, as "a[35]", with its row and column if the tensor has any: the last
        rows go on beyond the end.
        """
        plain = f"{self.name}[{flat}]"
        if len(self.shape) < 2:
            return plain
        places = []
        for extent in reversed(self.shape[1:]):
            flat, place = divmod(flat, extent)
            places.append(place)
        each = "".join(f"[{place}]" for place in (flat, *reversed(places)))
        return f"{plain} ({each} of {' x '.join(map(str, self.shape))})"


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a tensor's elements lie in the host's memory: bytes from `start` up to `end`."""

    start: int
    end: int
    phase: int  # alignment of `start` as a GPU's allocator would give it, modulo 256
    element: int


def extent_of(tensor: Any) -> Extent:
    """The extent of a torch CPU tensor or NumPy array (duck-typed: torch is not imported here).

    Raises LaunchError for anything else, and for a tensor that is not in host memory.
    """
    if isinstance(tensor, np.ndarray):
        start, phase = tensor.ctypes.data, tensor.ctypes.data % 16
        element, shape, strides = tensor.itemsize, tensor.shape, tensor.strides
    elif hasattr(tensor, "data_ptr") and hasattr(tensor, "element_size"):
        if tensor.device.type != "cpu":
            raise LaunchError(f"the virtual GPU works on CPU tensors, not on {tensor.device}")
        element, shape = tensor.element_size(), tuple(tensor.shape)
        start, phase = tensor.data_ptr(), tensor.storage_offset() * element % 256
        strides = tuple(stride * element for stride in tensor.stride())
    else:
        raise LaunchError(f"expected a tensor or an array, got {type(tensor).__name__}")
    if 0 in shape:
        return Extent(start, start, phase, element)
    low = sum(min((n - 1) * stride, 0) for n, stride in zip(shape, strides, strict=True))
    high = sum(max((n - 1) * stride, 0) for n, stride in zip(shape, strides, strict=True))
    return Extent(start + low, start + high + element, (phase + low) % 256, element)


def _row_major(tensor: Any) -> tuple[int, ...]:
    """The shape of a tensor whose elements lie row by row without gaps; nothing for any other."""
    whole = tensor.flags.c_contiguous if isinstance(tensor, np.ndarray) else tensor.is_contiguous()
    return tuple(tensor.shape) if whole else ()


def host_bytes(start: int, end: int) -> Bytes:
    """Host memory as a writable array of bytes; the caller keeps its owner alive."""
    if end <= start:
        return np.empty(0, np.uint8)
    return np.ctypeslib.as_array((ctypes.c_uint8 * (end - start)).from_address(start))


class SegmentTable:
    """The segments of a launch, by window. Tensors whose memory overlaps share one."""

    def __init__(self, first_window: int) -> None:
        self.by_window: dict[int, Segment] = {}
        self._next = first_window

    def add_variable(self, window: int, data: Bytes, name: str, element: int) -> None:
        self.by_window[window] = Segment((window << WINDOW_BITS) + MIDDLE, ByteStore(data), name, element)

    def add_tensors(self, tensors: list[tuple[str, Any]]) -> list[int]:
        """Place the tensors and return the device address of each one's first element."""
        extents = [extent_of(tensor) for _, tensor in tensors]
        addresses = [0] * len(tensors)
        order = sorted(range(len(tensors)), key=lambda i: extents[i].start)
        cluster: list[int] = []
        end = -1
        for index in [*order, None]:
            if cluster and (index is None or extents[index].start >= end):
                self._place(tensors, extents, cluster, addresses)
                cluster = []
                end = -1
            if index is not None:
                cluster.append(index)
                end = max(end, extents[index].end)
        for index, (_, tensor) in enumerate(tensors):  # negative strides: the first element is not the lowest
            first = tensor.ctypes.data if isinstance(tensor, np.ndarray) else tensor.data_ptr()
            addresses[index] += first - extents[index].start
        return addresses

    def _place(
        self, tensors: list[tuple[str, Any]], extents: list[Extent], cluster: list[int], addresses: list[int]
    ) -> None:
        start = min(extents[i].start for i in cluster)
        end = max(extents[i].end for i in cluster)
        leader = extents[cluster[0]]
        base = (self._next << WINDOW_BITS) + MIDDLE + leader.phase
        names = " and ".join(dict.fromkeys(tensors[i][0] for i in cluster))
        store = ByteStore(host_bytes(start, end), leader.phase)
        kept = [tensors[i][1] for i in cluster]
        shape = _row_major(kept[0]) if len(kept) == 1 else ()
        self.by_window[self._next] = Segment(base, store, names, leader.element, shape, kept)
        for i in cluster:
            addresses[i] = base + extents[i].start - start
        self._next += 1
