"""Stubs are the solutions with their regions emptied, and the ones in levels/ are fresh."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT
from test_manifest import GOOD, write

from grader.audit import stub_faults
from grader.discover import select
from grader.exercise import Exercise, ExerciseError
from grader.manifest import read_manifest
from grader.stubs import make_stub, stubs

CUDA = """\
__global__ void f(float* x) {
    // SOLUTION: set x
    x[0] = 1;  // SOLUTION is only a word here
    // END SOLUTION
}
"""

PYTHON = """\
def solve(x):
    # SOLUTION: launch f
    f[1, 1](x)
    # END SOLUTION
"""


def test_cuda_region_becomes_a_todo() -> None:
    assert make_stub(CUDA) == "__global__ void f(float* x) {\n    // TODO: set x\n}\n"


def test_python_region_becomes_a_todo_and_a_pass() -> None:
    assert make_stub(PYTHON) == "def solve(x):\n    # TODO: launch f\n    pass\n"


GIVEN = """\
    // SOLUTION: mend it
    int n = 4;
    // STUB: if (i <= n) {
    if (i < n) {
        // STUB:
        __syncthreads();
    }
    // END SOLUTION
"""


def test_a_region_with_wrong_lines_is_code_to_mend() -> None:
    assert make_stub(GIVEN) == "    // TODO: mend it\n    int n = 4;\n    if (i <= n) {\n    }\n"


def test_several_regions() -> None:
    stub = make_stub(CUDA + CUDA)
    assert stub.count("TODO") == 2 and "x[0]" not in stub


@pytest.mark.parametrize("exercise", select(ROOT, ["all"]), ids=lambda exercise: exercise.id)
def test_every_stub_is_fresh_and_holds_nothing_of_the_solution(exercise: Exercise) -> None:
    assert stub_faults(ROOT, exercise) == []


@pytest.mark.parametrize(
    "text",
    [
        CUDA.replace("END SOLUTION", "END"),
        CUDA.replace("    // END", "// END"),
        CUDA + "// STUB: outside of a region\n",
    ],
)
def test_a_region_that_does_not_close_is_named(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "solutions/level1/drills/t"
    folder.mkdir(parents=True)
    (folder / "cuda_kernel.cu").write_text(text)
    exercise = read_manifest(write(tmp_path, GOOD), "level1/drills/t")
    with pytest.raises(ExerciseError, match=r"cuda_kernel\.cu: a region does not begin and end"):
        list(stubs(tmp_path, [exercise]))


def test_a_missing_solution_is_named(tmp_path: Path) -> None:
    exercise = read_manifest(write(tmp_path, GOOD), "level1/drills/t")
    with pytest.raises(ExerciseError, match=r"cuda_kernel\.cu: missing"):
        list(stubs(tmp_path, [exercise]))
