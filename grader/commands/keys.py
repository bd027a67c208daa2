"""Single keys from the terminal, without Enter and without an echo."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Self

END = "\x04"
"""What is read where the terminal is gone, or Ctrl-D was pressed."""

ESCAPE = "\x1b"
TOGETHER = 0.02
"""Seconds between the characters of one key at most."""


class Keys(AbstractContextManager["Keys"]):
    """Has the terminal on standard input hand over each key at once, as long as its context lasts."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()

    def pressed(self, seconds: float = 0.0) -> str:
        """The next key, or "" if none was pressed within `seconds`; arrows and the like are none."""
        key = self._read(seconds)
        if key != ESCAPE:
            return key
        if self._read(TOGETHER) in ("[", "O"):  # the rest of a sequence comes with its beginning
            while (part := self._read(TOGETHER)) and not "@" <= part <= "~":
                pass
        return ""

    def _read(self, seconds: float) -> str:
        if not select.select([self._input], [], [], seconds)[0]:
            return ""
        try:
            data = os.read(self._input, 1)
        except OSError:
            return END
        return data.decode(errors="ignore") if data else END

    def _listen(self, number: int = 0, frame: FrameType | None = None) -> None:
        tty.setcbreak(self._input)

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._input)
        self._listen()
        self._old = signal.signal(signal.SIGCONT, self._listen)  # after Ctrl-Z and fg
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        signal.signal(signal.SIGCONT, self._old)
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
