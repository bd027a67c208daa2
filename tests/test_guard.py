"""What solve() may do beside launching kernels, and what it may not."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from grader import guard as guard_module
from grader.guard import Guard, Refused, _audit, guard


def tensors() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.arange(6.0).reshape(2, 3), torch.zeros(2, 3)


Action = Callable[[torch.Tensor, torch.Tensor], object]

ALLOWED: dict[str, Action] = {
    "empty_like": lambda a, out: torch.empty_like(a),
    "zeros": lambda a, out: torch.zeros(7, dtype=torch.int32),
    "full": lambda a, out: torch.full((3,), 2.5),
    "fill_": lambda a, out: out.fill_(1.0),
    "zero_": lambda a, out: out.zero_(),
    "view": lambda a, out: a.view(6)[1:3].view(torch.int32),
    "transpose": lambda a, out: a.T.unsqueeze(0).expand(4, 3, 2),
    "shape": lambda a, out: (a.shape, a.stride(), a.dtype, a.device, a.data_ptr(), a.is_contiguous()),
}

REFUSED: dict[str, tuple[str, Action]] = {
    "operator": ("torch's `add`", lambda a, out: a + a),
    "out": ("torch's `add`", lambda a, out: torch.add(a, a, out=out)),
    "copy_": ("torch's `copy_`", lambda a, out: out.copy_(a)),
    "clone": ("torch's `clone`", lambda a, out: a.clone()),
    "setitem": ("torch's `copy_`", lambda a, out: out.__setitem__(slice(None), a)),
    "contiguous": ("torch's `clone`", lambda a, out: a.T.contiguous()),
    "matmul": ("torch's `mm`", lambda a, out: a @ a.T),
    "fill from a tensor": ("torch's `fill_`", lambda a, out: out.fill_(a[0, 0])),
    "item": ("torch's `_local_scalar_dense`", lambda a, out: a[0, 0].item()),
    "numpy": ("tensor.numpy", lambda a, out: a.numpy()),
    "tolist": ("tensor.tolist", lambda a, out: a.tolist()),
    "dlpack": ("tensor.__dlpack__", lambda a, out: a.__dlpack__()),
    "storage": ("tensor.untyped_storage", lambda a, out: a.untyped_storage()),
    "print": ("prints a tensor", lambda a, out: repr(a)),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_allocation_views_and_constants_are_fine(name: str) -> None:
    watcher = Guard()
    a, out = tensors()
    with watcher.watching():
        ALLOWED[name](a, out)
    assert watcher.refusal is None


@pytest.mark.parametrize("name", REFUSED)
def test_work_in_torch_is_refused_with_its_name(name: str) -> None:
    sentence, action = REFUSED[name]
    watcher = Guard()
    a, out = tensors()
    with pytest.raises(Refused, match=sentence), watcher.watching():
        action(a, out)
    assert watcher.refusal and sentence in watcher.refusal
    assert not out.any()


def test_a_refusal_is_remembered_though_it_is_caught() -> None:
    watcher = Guard()
    a, _ = tensors()
    with watcher.watching(), contextlib.suppress(BaseException):
        a + a
    assert watcher.refusal and "`add`" in watcher.refusal


def test_except_exception_does_not_catch_a_refusal() -> None:
    assert not issubclass(Refused, Exception)


def test_a_launch_may_use_torch_and_counts_once() -> None:
    watcher = Guard()
    a, _ = tensors()
    with watcher.watching(), watcher.launching(), watcher.launching():
        a + a
    assert (watcher.launches, watcher.refusal) == (1, None)


def test_code_of_the_submission_inside_a_launch_is_still_watched(tmp_path: Path) -> None:
    watcher = Guard()
    watcher.folder = f"{tmp_path}{os.sep}"
    space: dict[str, Callable[..., object]] = {}
    exec(compile("def grid(a): return a + a", str(tmp_path / "triton_kernel.py"), "exec"), space)
    a, _ = tensors()
    with pytest.raises(Refused), watcher.watching(), watcher.launching():
        space["grid"](a)


def test_a_refusal_names_the_line_of_the_submission(tmp_path: Path) -> None:
    watcher = Guard()
    watcher.folder = f"{tmp_path}{os.sep}"
    space: dict[str, Callable[..., object]] = {}
    exec(compile("\ndef solve(a):\n    return a + a", str(tmp_path / "cuda_launch.py"), "exec"), space)
    a, _ = tensors()
    said = "^cuda_launch.py:3: solve.. called torch's `add`.*in solve..'s outputs"
    with pytest.raises(Refused, match=said), watcher.watching():
        space["solve"](a)


@pytest.fixture
def roots(tmp_path: Path) -> Iterator[tuple[str, ...]]:
    (tmp_path / "grader").mkdir()
    yield (f"{tmp_path / 'grader'}{os.sep}",)
    guard.refusal = None


WRITE = os.O_WRONLY | os.O_CREAT


@pytest.mark.parametrize(
    ("event", "args", "sentence"),
    [
        ("os.fork", (), "tried to fork"),
        ("os.kill", (1, 9), "signal another process"),
        ("open", ("grader/check.py", "w", WRITE), "belongs to the grader"),
        ("open", (b"grader/check.py", None, WRITE), "belongs to the grader"),
        ("open", ("grader/../grader/check.py", "r+", os.O_RDWR), "belongs to the grader"),
        ("os.remove", ("grader/check.py", -1), "belongs to the grader"),
        ("os.rename", ("elsewhere", "grader/check.py", -1, -1), "belongs to the grader"),
        ("os.rename", ("grader", "elsewhere", -1, -1), "belongs to the grader"),
        ("os.rmdir", ("grader", -1), "belongs to the grader"),
        ("os.symlink", ("elsewhere", "grader/check.py", -1), "belongs to the grader"),
        ("os.truncate", ("grader/check.py", 0), "belongs to the grader"),
        ("os.chmod", ("grader/check.py", 0o777, -1), "belongs to the grader"),
    ],
)
def test_the_audit_hook_refuses(
    event: str, args: tuple[object, ...], sentence: str, roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(roots[0]).parent)
    with pytest.raises(Refused, match=sentence):
        _audit(event, args, roots)


@pytest.mark.parametrize(
    ("event", "args"),
    [
        ("os.kill", (os.getpid(), 9)),
        ("open", ("grader/check.py", "r", os.O_RDONLY)),
        ("open", ("graders.txt", "w", WRITE)),
        ("open", (3, "w", WRITE)),
        ("os.symlink", ("grader/check.py", "elsewhere", -1)),
        ("os.remove", ("elsewhere", -1)),
        ("import", ("json", None, None, None, None)),
    ],
)
def test_the_audit_hook_allows(
    event: str, args: tuple[object, ...], roots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(roots[0]).parent)
    _audit(event, args, roots)


def test_paths_may_be_relative_to_an_open_folder(roots: tuple[str, ...]) -> None:
    descriptor = os.open(roots[0], os.O_RDONLY)
    try:
        with pytest.raises(Refused):
            _audit("os.remove", ("check.py", descriptor), roots)
    finally:
        os.close(descriptor)


def test_memory_is_not_read_through_ctypes_while_solve_runs(roots: tuple[str, ...]) -> None:
    _audit("ctypes.cdata", (1,), roots)
    with pytest.raises(Refused), guard_module.guard.watching():
        _audit("ctypes.cdata", (1,), roots)
