"""How much memory a call of solve() holds beside its arguments, at most at once; in the worker.

What torch allocates passes its dispatcher, on every device. On a GPU the allocators are asked as well: they know of
what did not pass there.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Allocator(Protocol):
    """A device's own statistics, in bytes."""

    def held(self) -> int:
        """What is held now."""

    def most(self) -> int:
        """What was held at most since the last restart()."""

    def restart(self) -> None:
        """Forget what was held before."""


class Meter(TorchDispatchMode):
    """Counts while it is entered. `most` are the bytes that were held at once, `largest` is the shape of the largest
    tensor among them. What a launch allocates (compiling, autotuning, the virtual GPU) is not solve()'s doing.
    """

    def __init__(self, allocator: Allocator | None = None) -> None:
        super().__init__()
        self.most = 0
        self.largest: tuple[int, ...] = ()
        self._allocator = allocator
        self._held, self._size, self._before, self._launching = 0, 0, 0, False

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """The time of one call."""
        if self._allocator:
            self._allocator.restart()
            self._before = self._allocator.held()
        with self:
            yield
        self._ask()

    @contextlib.contextmanager
    def launching(self) -> Iterator[None]:
        """The time of one launch within it."""
        self._ask()
        held = self._allocator.held() if self._allocator else 0
        self._launching = True
        try:
            yield
        finally:
            self._launching = False
            if self._allocator:
                self._before += self._allocator.held() - held
                self._allocator.restart()

    def noting(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """What every operation goes through while this is entered."""
        result = func(*args, **(kwargs or {}))
        if not self._launching and not func.is_view and isinstance(result, Tensor):
            with torch._C.DisableTorchFunction():
                self._note(result, [given for given in tree_leaves((args, kwargs)) if isinstance(given, Tensor)])
        return result

    def _note(self, made: Tensor, given: list[Tensor]) -> None:
        storage = made.untyped_storage()
        if any(storage.data_ptr() == tensor.untyped_storage().data_ptr() for tensor in given):
            return  # filled, not made
        size = storage.nbytes()
        self._held += size
        self.most = max(self.most, self._held)
        if size > self._size:
            self._size, self.largest = size, tuple(made.shape)
        weakref.finalize(storage, self._release, size)

    def _release(self, size: int) -> None:
        self._held -= size

    def _ask(self) -> None:
        if self._allocator:
            self.most = max(self.most, self._allocator.most() - self._before)


# Set here: in the class's body torch would wrap it in what imports torch._dynamo, seconds for torch.compile's sake.
Meter.__torch_dispatch__ = Meter.noting  # type: ignore[method-assign,assignment]
