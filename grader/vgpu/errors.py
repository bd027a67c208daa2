"""What can go wrong before a kernel runs; what goes wrong inside one is a Finding (findings.py)."""

from __future__ import annotations


class PtxError(Exception):
    """The text is not well-formed PTX; the message names the line of the PTX text."""


class Unsupported(Exception):
    """The kernel uses something that this engine does not model, so nothing can be said about its result.

    `feature` is the instruction (or the called function) as PTX spells it, `line` the "file:line" it comes from.
    """

    def __init__(self, feature: str, line: str = "") -> None:
        super().__init__(f"this kernel uses {feature}, which needs a GPU" + (f" ({line})" if line else ""))
        self.feature = feature
        self.line = line


class LaunchError(Exception):
    """A launch that a real driver would refuse: wrong arguments, an impossible grid, too much shared memory."""
