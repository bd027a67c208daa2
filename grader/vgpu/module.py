"""Modules and kernels: the package's entry points for PTX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from grader.vgpu.codegen import CompiledProgram
from grader.vgpu.errors import LaunchError, PtxError
from grader.vgpu.facts import Facts, find_facts
from grader.vgpu.initialised import InitialisedMap
from grader.vgpu.launch import DEFAULT_BUDGET, Dim, Launch, Report
from grader.vgpu.layout import Layout, generic_base, object_base
from grader.vgpu.lowering import lower
from grader.vgpu.parser import parse
from grader.vgpu.ptx import Location, Variable


@dataclass(frozen=True)
class Parameter:
    """A kernel's parameter as PTX declares it. `type` is a PTX type ("u64", "f32", "b8" for a struct), `size` and
    `align` are in bytes; `is_pointer` is True if the kernel uses the value as an address."""

    name: str
    type: str
    size: int
    align: int
    is_pointer: bool


class Module:
    """A PTX text, ready to run. Raises PtxError. Module variables keep their values from launch to launch."""

    def __init__(self, ptx: str) -> None:
        self.ptx = ptx
        self._module = parse(ptx)
        self._kernels: dict[str, Kernel] = {}
        self._data: dict[str, Any] = {}

    @property
    def kernel_names(self) -> tuple[str, ...]:
        """The (mangled) names of the kernels."""
        return tuple(f.name for f in self._module.functions.values() if f.is_entry and f.body is not None)

    def kernel(self, name: str) -> Kernel:
        """The kernel of this (mangled) name. Raises LaunchError if there is none, Unsupported if it uses an
        instruction that the engine does not model."""
        if name not in self._kernels:
            if name not in self.kernel_names:
                raise LaunchError(f"no kernel named {name}; there are: {', '.join(self.kernel_names) or 'none'}")
            self._kernels[name] = Kernel(self, name)
        return self._kernels[name]

    def variable(self, name: str) -> Any:
        """The bytes of a __device__ or __constant__ variable, as a NumPy array to read or to fill before a launch."""
        variable = self._module.variables.get(name)
        if variable is None or variable.space not in ("global", "const"):
            raise LaunchError(f"no variable named {name} in this module")
        return self._bytes_of(variable)

    def _bytes_of(self, variable: Variable) -> Any:
        if variable.name not in self._data:
            initial = np.frombuffer(variable.init, np.uint8) if variable.init else np.zeros(variable.size, np.uint8)
            data = np.zeros(variable.size, np.uint8)
            data[: initial.size] = initial
            self._data[variable.name] = data
        return self._data[variable.name]

    def storage(self, layout: Layout) -> dict[str, Any]:
        """What a launch needs: the bytes of every global variable, and all constants in one array ("const")."""
        const = np.zeros(layout.const_size, np.uint8)
        data: dict[str, Any] = {"const": const}
        for variable in self._module.variables.values():
            if variable.space in ("global", "const"):
                data[variable.name] = self._bytes_of(variable)
                self._relocate(variable, layout)
        for name, (offset, variable) in layout.const.items():
            const[offset : offset + variable.size] = data[name]
        return data

    def _relocate(self, variable: Variable, layout: Layout) -> None:
        for at, symbol, generic in variable.relocations:
            if symbol.name in layout.globals:
                address = object_base(layout.globals[symbol.name])
            else:
                address = layout.address(symbol.name) + (generic_base("const") if generic else 0)
            raw = np.frombuffer((address + symbol.offset).to_bytes(8, "little"), np.uint8)
            self._bytes_of(variable)[at : at + 8] = raw


class Kernel:
    """A compiled kernel. Compiling happens once; launches share it."""

    def __init__(self, module: Module, name: str) -> None:
        self.name = name
        self._module = module
        try:
            self._program = lower(module._module, name)
            self._layout = Layout(self._program)
            self._compiled = CompiledProgram(self._program, self._layout)
        except (LookupError, AssertionError, ValueError, TypeError, AttributeError) as error:
            # compilers never write operands of a wrong kind or number; only hand-made text gets here
            raise PtxError(f"the kernel {name} has an instruction with impossible operands ({error!r})") from error

    @cached_property
    def _facts(self) -> Facts:
        return find_facts(self._program)

    @property
    def ptx(self) -> str:
        """The text of the module that the kernel is part of."""
        return self._module.ptx

    @property
    def place(self) -> Location:
        """Where the source defines the kernel: its first line that is known."""
        places = (self._module._module.locations[ins.loc] for ins in self._program.code)
        return next((place for place in places if place.line), Location("unknown line", 0))

    @property
    def params(self) -> tuple[Parameter, ...]:
        """The parameters in order."""
        pointers = self._facts.pointer_params
        return tuple(
            Parameter(p.name, p.type, p.size, p.align, p.size == 8 and p.name in pointers)
            for p in self._program.routines[0].function.params
        )

    @property
    def shared_bytes(self) -> int:
        """Static shared memory per block, in bytes."""
        return self._layout.static_shared

    def launch(
        self,
        grid: Dim,
        block: Dim,
        args: Sequence[Any],
        smem: int = 0,
        *,
        seed: int = 0,
        profile: bool = False,
        budget: int = DEFAULT_BUDGET,
        initialised: InitialisedMap | None = None,
        names: Sequence[str] = (),
        block_in_order: bool = False,
    ) -> Report:
        """Run the kernel over `grid` blocks of `block` threads and report what it did wrong.

        `args`: torch CPU tensors or NumPy arrays for pointers (changed in place), numbers, None for a null pointer,
        bytes or ctypes structures for structs. `smem` is dynamic shared memory in bytes. A `seed` other than 0
        shuffles the order of blocks. `budget` limits thread-instructions. `initialised` knows which bytes nobody has
        written. `names` are the parameters' names for messages. `block_in_order`: a block is one sequential
        program, as in Triton, so that its own accesses to global memory never conflict, and shared memory is the
        compiler's. Raises LaunchError.
        """
        storage = self._module.storage(self._layout)
        state = Launch(
            self._compiled,
            self._layout,
            self._facts,
            storage,
            grid,
            block,
            args,
            smem,
            budget,
            profile,
            initialised,
            names,
            block_in_order,
        )
        state.run(seed)
        return state.report()
