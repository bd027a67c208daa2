"""Imports only go down, and the worker never sees what knows the truth."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from support import ROOT

LAYERS = [
    {"exercise", "outcome", "roofline", "launched"},
    {
        *("discover", "manifest", "contract", "data", "bounds", "arena", "check", "decode", "places", "supposed"),
        *("verdict", "stubs", "guard", "cuda", "parameters", "backends", "failures", "tritonwords", "replies"),
        *("journal", "attempt", "progress", "way", "page", "pristine"),
        *("mutants", "portable", "points", "archive"),
        *("recorder", "kernelprofile", "diagnosis", "limits", "scratch", "meter", "answers"),
        *("timing", "stopwatch", "card", "ceilings", "devicememory"),
    },
    {
        "runner",
        "judge",
        "hidden",
        "sandbox",
        "zygote",
        "worker",
        "arenas",
        "bench",
        "plan",
        "dialogue",
        "profiling",
        "examiner",
    },
    {"report", "reportfiles", "formats", "audit", "trials", "scaffold", "commands"},
    {"cli", "__main__"},
]
MODULES = {path.stem for path in (ROOT / "grader").glob("*.py")} - {"__init__"} | {"backends", "commands", "formats"}


def imports(path: Path) -> set[str]:
    """The grader's modules that a file imports, anywhere in it: "judge", "backends", "vgpu"."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "grader":
            parts = node.module.split(".")[1:2]
            found |= set(parts) if parts else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("grader.")}
    return found


def files_of(module: str) -> list[Path]:
    folder = ROOT / "grader" / module
    return sorted(folder.glob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def layer(module: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if module in names)


def test_every_module_has_a_layer() -> None:
    assert set().union(*LAYERS) == MODULES


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_go_down(module: str) -> None:
    for path in files_of(module):
        above = {name for name in imports(path) - {"vgpu"} if layer(name) > layer(module)}
        assert not above, f"{path} imports {above}, which lie above it"


def test_the_virtual_gpu_stands_alone() -> None:
    for path in (ROOT / "grader/vgpu").rglob("*.py"):
        assert imports(path) <= {"vgpu"}, path


def test_no_process_that_runs_submitted_code_can_import_the_truth() -> None:
    """Invariant 1: from the worker and the zygote no import leads to the reference, the bounds or the checks."""
    seen: set[str] = set()
    waiting = ["worker", "zygote"]
    while waiting:
        module = waiting.pop()
        if module not in seen and module in MODULES:
            seen.add(module)
            waiting += [name for path in files_of(module) for name in imports(path)]
    assert seen.isdisjoint({"contract", "check", "bounds", "decode", "judge", "runner"})


def test_grader_reads_solutions_only_to_make_stubs() -> None:
    """Invariant 4."""
    readers = {path.name for path in (ROOT / "grader").glob("*.py") if '"solutions"' in path.read_text()}
    assert readers == {"stubs.py"}


def test_modules_are_small() -> None:
    for module in MODULES:
        for path in files_of(module):
            assert len(path.read_text().splitlines()) <= 275, path
