"""Line tables: which line of the learner's source an instruction comes from.

A kernel inlines functions of its own file, of library headers (cuda_fp16.hpp) and of Triton's standard library.
A report must name a line that the learner wrote: the innermost line, along the chain of inlined calls, that lies
in the directory of the file in which the kernel itself is defined.
"""

from __future__ import annotations

import os
import re

from grader.vgpu.ptx import Location

Place = tuple[int, int, int]  # file number, line, column

_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s+(\d+)")
_INLINED_AT = re.compile(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)")
_COMMENT_CALL = re.compile(r"@\[\s*([^\s\]:]+):(\d+):(\d+)")  # LLVM writes the chain of calls only as a comment


class LineTable:
    """Collects .loc and .file directives, then resolves each recorded place to a Location."""

    def __init__(self) -> None:
        self.files: dict[int, str] = {}
        self._calls: dict[Place, Place] = {}
        self._entries: list[tuple[int, list[Place | tuple[str, int, int]]]] = []  # (home file number, chain)
        self._index: dict[tuple[object, ...], int] = {}
        self._home = 0

    def start_function(self) -> None:
        """The next .loc names the file in which the function is defined."""
        self._home = 0

    def add(self, directive: str) -> int | None:
        """Record a .loc directive; its index, or None when it says "no line" (line 0)."""
        found = _LOC.match(directive)
        if found is None or int(found[2]) == 0:
            return None
        place: Place = (int(found[1]), int(found[2]), int(found[3]))
        self._home = self._home or place[0]
        chain: list[Place | tuple[str, int, int]] = [place]
        if (caller := _INLINED_AT.search(directive)) is not None:
            self._calls[place] = (int(caller[1]), int(caller[2]), int(caller[3]))
        chain += self._callers(place) if caller else []
        chain += [(name, int(line), int(column)) for name, line, column in _COMMENT_CALL.findall(directive)]
        key = (self._home, *chain)
        if key not in self._index:
            self._index[key] = len(self._entries)
            self._entries.append((self._home, chain))
        return self._index[key]

    def _callers(self, place: Place) -> list[Place]:
        chain: list[Place] = []
        while place in self._calls and self._calls[place] not in chain:
            place = self._calls[place]
            chain.append(place)
        return chain

    def unknown(self) -> int:
        """The index that stands for "no line known"."""
        if () not in self._index:
            self._index[()] = len(self._entries)
            self._entries.append((0, []))
        return self._index[()]

    def resolve(self) -> list[Location]:
        """One Location per index, once every .file directive has been seen."""
        return [self._resolve(home, chain) for home, chain in self._entries]

    def _resolve(self, home: int, chain: list[Place | tuple[str, int, int]]) -> Location:
        if not chain:
            return Location("unknown line", 0)
        home_file = self.files.get(home, "?")
        candidates = [Location(self._file(where[0], home_file), where[1]) for where in chain]
        directory = os.path.dirname(home_file)
        mine = (place for place in candidates if os.path.dirname(place.file) == directory)
        return next(mine, candidates[-1])

    def _file(self, file: int | str, home_file: str) -> str:
        if isinstance(file, int):
            return self.files.get(file, "?")
        return next((path for path in self.files.values() if os.path.basename(path) == file), home_file)
