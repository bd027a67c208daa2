"""What torch allocates without a value, and what torch itself writes: told to an InitialisedMap."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from grader.vgpu.initialised import InitialisedMap

_WITHOUT_A_VALUE = frozenset(
    f"aten::{name}" for name in ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided")
)


class Allocations(TorchDispatchMode):
    """While this is entered, room that torch makes counts as uninitialised until a kernel, or torch, has written it,
    or it is freed.
    """

    def __init__(self, initialised: InitialisedMap) -> None:
        super().__init__()
        self.initialised = initialised


def _dispatched(
    mode: Allocations, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
) -> Any:
    kwargs = kwargs or {}
    result = func(*args, **kwargs)
    schema, initialised = func._schema, mode.initialised
    with torch._C.DisableTorchFunction():
        if schema.name in _WITHOUT_A_VALUE and not schema.is_mutable:
            if result.device.type == "cpu" and result.numel():
                initialised.mark_uninitialised(result)
                weakref.finalize(result.untyped_storage(), initialised.forget, result.data_ptr())
        elif schema.is_mutable:
            for place, argument in enumerate(schema.arguments):
                given = kwargs.get(argument.name, args[place] if place < len(args) else None)
                if isinstance(given, Tensor) and argument.alias_info is not None and argument.alias_info.is_write:
                    initialised.mark_written(given)
    return result


# Set here: in the class's body torch would wrap it in what imports torch._dynamo, seconds for torch.compile's sake.
Allocations.__torch_dispatch__ = _dispatched  # type: ignore[method-assign,assignment]
