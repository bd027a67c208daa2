"""Which bytes of tensors nobody has written yet, kept from launch to launch."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.vgpu.bytestore import Bytes, ByteStore
from grader.vgpu.segments import Segment, extent_of


class InitialisedMap:
    """Marks memory as uninitialised; launches that are given the map clear the marks of what they write, and report
    reads of what is still marked. The tensors must stay alive as long as the map is used, or be forgotten."""

    def __init__(self) -> None:
        self._marked: list[tuple[int, Bytes]] = []  # (host address, one byte per byte: 1 = never written)

    def mark_uninitialised(self, tensor: Any) -> None:
        """Every byte of this torch CPU tensor or NumPy array now counts as never written."""
        extent = extent_of(tensor)
        for start, marks in self._marked:
            if start <= extent.start and extent.end <= start + marks.size:
                marks[extent.start - start : extent.end - start] = 1
                return
        self._marked.append((extent.start, np.ones(extent.end - extent.start, np.uint8)))

    def mark_written(self, tensor: Any) -> None:
        """Every element of this torch CPU tensor now counts as written, the gaps between them stay as they are."""
        extent = extent_of(tensor)
        for start, marks in self._marked:
            if start <= extent.start and extent.end <= start + marks.size:
                size = tensor.element_size()
                strides = (*(stride * size for stride in tensor.stride()), 1)
                first = marks[extent.start - start : extent.end - start]
                np.lib.stride_tricks.as_strided(first, (*tensor.shape, size), strides)[...] = 0

    def forget(self, start: int) -> None:
        """The memory that was marked from this host address on has been freed, and may be another tensor's."""
        self._marked = [(at, marks) for at, marks in self._marked if at != start]

    def unwritten(self, tensor: Any) -> int:
        """How many bytes of the tensor nobody has written (gaps of a strided tensor included)."""
        extent = extent_of(tensor)
        for start, marks in self._marked:
            if start <= extent.start and extent.end <= start + marks.size:
                return int(marks[extent.start - start : extent.end - start].sum())
        return 0

    def view(self, segment: Segment) -> ByteStore | None:
        """The marks of a segment's bytes; None if no byte of it was ever marked."""
        if not segment.size:
            return None
        host = segment.store.data.__array_interface__["data"][0]
        for start, marks in self._marked:
            if start <= host and host + segment.size <= start + marks.size:
                return ByteStore(marks[host - start : host - start + segment.size], segment.base % 256)
        return None
