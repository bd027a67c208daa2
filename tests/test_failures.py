"""Exceptions of submitted code in the learner's terms: their own lines, and what to write instead."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from grader.failures import Failure, explain
from grader.guard import count_triton_launches
from grader.outcome import Status
from grader.recorder import recorder
from grader.vgpu import triton_driver

KERNEL = """\
import triton
import triton.language as tl


@triton.jit
def helper(x):
    return x + 1


@triton.jit
def add_kernel(a, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, helper(tl.load(a + offsets, mask)), mask)


def solve(a, out, n):
    add_kernel[(1,)](a, out, n, BLOCK=32)
"""


def failure(folder: Path, find: str, replace: str, monkeypatch: pytest.MonkeyPatch) -> Failure:
    """What becomes of KERNEL's exception after an edit."""
    from triton.runtime.jit import KernelInterface

    monkeypatch.setattr(KernelInterface, "__getitem__", KernelInterface.__getitem__)  # put back what is counted here
    monkeypatch.setattr(recorder, "shapes", [])
    count_triton_launches()
    assert find in KERNEL
    path, module = folder / "triton_kernel.py", ModuleType("triton_kernel")
    path.write_text(KERNEL.replace(find, replace))
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "triton_kernel", module)
    with triton_driver.active(lambda kernel, report: None), pytest.raises(Exception) as caught:
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        module.solve(torch.zeros(9), torch.zeros(9), 9)
    return explain(caught.value, folder, Status.CRASH, ())


@pytest.mark.parametrize(
    ("find", "replace", "message", "hint"),
    [
        ("tl.store", "tl.stor", "14: module 'triton.language' has no attribute 'stor'", "did you mean store?"),
        ("return x + 1", "return x + y", "7: y is not defined", ""),
        (
            "tl.load(a + offsets, mask)",
            "a[offsets]",
            "14: a[offsets]: a pointer cannot be indexed",
            "tl.load(a + offs",
        ),
        (
            "tl.store(out + offsets, ",
            "out[offsets] = (",
            "14: out[offsets]: a pointer cannot",
            "tl.store(out + offsets, ",
        ),
        ("    mask = ", "    if offsets < n:\n        mask = ", "13: Boolean value of Tensor", "mask=offsets < n"),
    ],
)
def test_triton_compile_errors_name_the_file_and_its_line(
    find: str, replace: str, message: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = failure(tmp_path, find, replace, monkeypatch)
    assert told.status == Status.BUILD_ERROR
    assert told.message.startswith(f"triton_kernel.py:{message}") and hint in told.message
    assert told.detail.startswith(f"triton_kernel.py:{message}") and hint in told.detail
    assert "_semantic" not in told.detail and " at " not in told.message


@pytest.mark.parametrize(
    ("find", "replace", "message", "hint"),
    [
        ("[(1,)]", "[1]", "object of type 'int' has no len()", "a Triton grid is a tuple"),
        ("[(1,)]", "", "Cannot call @triton.jit'd", "a launch needs a grid: add_kernel[("),
        (", BLOCK=32", "", "add_kernel() missing 1 required positional argument: 'BLOCK'", ""),
        (
            "@triton.jit\ndef add",
            "def add",
            "'function' object is not subscriptable",
            "needs @triton.jit above its def",
        ),
        ("[(1,)]", "[(n // 32,)]", "grid is (0,): nothing would run", "cdiv(n, BLOCK) rounds up"),
        (
            "[(1,)]",
            "[lambda meta: (n // meta['BLOCK'],)]",
            "grid is (0,): nothing would run",
            "cdiv(n, BLOCK) rounds up",
        ),
        ("    add_kernel[", "    len(5)\n    add_kernel[", "TypeError: object of type 'int' has no len()", ""),
    ],
)
def test_a_launch_that_fails_is_told_what_to_write(
    find: str, replace: str, message: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = failure(tmp_path, find, replace, monkeypatch)
    assert told.status == Status.CRASH and told.message.startswith("triton_kernel.py:")
    assert message in told.message and hint in told.message and hint in (told.detail or hint)
    assert hint or not told.message.endswith("(...)"), "a hint that is none of this error's"


def test_syntax_errors_show_the_place_without_the_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = failure(tmp_path, "def solve(a, out, n):", "def solve(a, out, n:", monkeypatch)
    assert told.status == Status.BUILD_ERROR and told.message == "triton_kernel.py:17: '(' was never closed"
    assert told.detail == f"{told.message}\n    def solve(a, out, n:\n             ^"
