"""CUDA C++ sources as text: the names in them, and the compiler's complaints about them, for messages."""

from __future__ import annotations

import re


def explain(log: str, source: str, file: str, kernel: str, hidden: str = "__nv_name_map") -> str:
    """The compiler's log, less what it says about lines that are not the source's own (of those, ones that hold
    `hidden`), and with our words for a few of its own.
    """
    if f"{file}(" in log or "__nv_name_map" not in log:
        unwanted = (hidden, "__nv_name_map", " detected in the compilation of ")
        kept = [part for part in log.split("\n\n") if not any(words in part for words in unwanted)]
        return _reword("\n\n".join(kept).strip())
    names = [word for word in _kernel_names(source) if word]
    there = f"it has: {', '.join(names)}" if names else "it has no __global__ function"
    return f"{file}: no kernel called {kernel!r}; {there}"


def _reword(log: str) -> str:
    for pattern, words in _REWORDED.items():
        log = re.sub(pattern, words, log)
    return log


_REWORDED = {
    r"A function without execution space annotations .*": "this function runs nowhere: write `__global__ void` "
    "before a kernel, `__device__` before a helper; main() and what else runs on the CPU does not belong here",
    r'(cannot open source file "(?:[a-z_]+|assert\.h|math\.h|std\w+\.h)").*': r"\1: the CPU's headers are not for "
    "kernels; printf, assert and the mathematical functions need none",
    r'At end of source: error: expected a "}"\n(\S+\(\d+\)): note .*': r'\1: error: this "{" is never closed',
}
"""Sentences of the compiler that advise what a learner here should not do, or name no line."""


def parameter_names(source: str, kernel: str) -> tuple[str, ...]:
    """The names of a kernel's parameters, for messages; none where the source does not read plainly."""
    name = re.escape(kernel.partition("<")[0].rpartition("::")[2])
    found = re.search(rf"__global__[^;{{}}]*?\b{name}\s*\(([^()]*)\)", source)
    names = [re.search(r"(\w+)\s*(?:\[\w*\])?\s*$", part) for part in found[1].split(",")] if found else []
    return tuple(match[1] for match in names if match)


def _kernel_names(source: str) -> list[str]:
    """The names after `__global__`, good enough for a message."""
    names = []
    for part in source.split("__global__")[1:]:
        words = part.partition("(")[0].split()
        if "__launch_bounds__" in part.partition("(")[0]:
            words = part.partition(")")[2].partition("(")[0].split()
        names.append(words[-1] if words else "")
    return names
