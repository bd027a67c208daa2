"""An exercise's reference.py: makes the inputs, the truth and the shapes of the outputs. Used by the judge alone."""

from __future__ import annotations

import hashlib
import inspect
import math
import random
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from grader.arena import Layout
from grader.data import EXACT_INTEGERS, KINDS
from grader.exercise import Case, Exercise, ExerciseError
from grader.roofline import Work

Tensors = Mapping[str, Tensor]
Peer = Callable[[Tensors, Case], Tensors]


@dataclass(frozen=True)
class Contract:
    """The functions of one reference.py, checked. `sizes` are the case's names in the order solve() takes them."""

    exercise: Exercise
    module: ModuleType
    sizes: tuple[str, ...]

    def inputs(self, case: Case, kind: str, dtype: str, seed: int) -> dict[str, Tensor]:
        """The input tensors by name, on the CPU, rounded to `dtype`. The same arguments give the same data."""
        rng = np.random.default_rng(seed)

        def rand(*shape: int) -> Tensor:
            values = KINDS[kind](rng, shape, EXACT_INTEGERS[dtype])
            return torch.from_numpy(np.ascontiguousarray(values)).to(getattr(torch, dtype))

        return self._make(rand, case)

    def large_inputs(self, case: Case, dtype: str, seed: int) -> dict[str, Tensor]:
        """N(0, 1) inputs of a size that only a GPU draws quickly, on the GPU."""
        generator = torch.Generator("cuda").manual_seed(seed)

        def rand(*shape: int) -> Tensor:
            return torch.randn(shape, generator=generator, device="cuda").to(getattr(torch, dtype))

        return self._make(rand, case)

    def _make(self, rand: Callable[..., Tensor], case: Case) -> dict[str, Tensor]:
        made = self._call("inputs", rand, **{name: case[name] for name in self.sizes})
        if not isinstance(made, dict) or not all(isinstance(value, Tensor) for value in made.values()):
            raise self._broken("inputs() must return a dict from names to tensors")
        return made

    def truth(self, inputs: Tensors, case: Case) -> dict[str, Tensor]:
        """The reference on float64 copies of `inputs`: outputs by name. A lone tensor is "out"."""
        wide = {name: value.double() if value.is_floating_point() else value for name, value in inputs.items()}
        return self.evaluate(wide, case)

    def evaluate(self, inputs: Tensors, case: Case) -> dict[str, Tensor]:
        """The reference on `inputs` as they are, in their own type: what PyTorch itself would answer."""
        wanted = [name for name in self._reference_parameters if name not in inputs]
        for name in wanted:
            if name not in case:
                known = f"an input ({', '.join(inputs)}) nor a size ({', '.join(self.sizes)})"
                raise self._broken(f"reference() takes {name!r}, which is neither {known}", self._line("reference"))
        result = self._call("reference", **inputs, **{name: case[name] for name in wanted})
        outputs = {"out": result} if isinstance(result, Tensor) else result
        if not isinstance(outputs, dict) or not all(isinstance(value, Tensor) for value in outputs.values()):
            raise self._broken("reference() must return a tensor, or a dict from names to tensors")
        return outputs

    def compiled(self) -> Peer:
        """The reference under torch.compile, called as `evaluate` is."""
        return replace(self, module=_with(self.module, reference=torch.compile(self.module.reference))).evaluate

    def peers(self) -> Mapping[str, Peer]:
        """Other implementations worth beating, by name: what reference.py returns from peers(), if it has one."""
        named = self._call("peers") if hasattr(self.module, "peers") else {}
        return {
            name: replace(self, module=_with(self.module, reference=function)).evaluate
            for name, function in named.items()
        }

    def shapes(self, case: Case, dtype: str) -> dict[str, Tensor]:
        """The inputs of `case` without their data: tensors of the device "meta", for which nothing is allocated."""

        def rand(*shape: int) -> Tensor:
            return torch.empty(shape, dtype=getattr(torch, dtype), device="meta")

        return self._make(rand, case)

    def elements(self, case: Case, dtype: str) -> int:
        """How many elements the inputs of `case` have together."""
        return sum(tensor.numel() for tensor in self.shapes(case, dtype).values())

    def work(self, case: Case, layout: Layout, dtype: str) -> Work:
        """What must be done for `case`: reference.py's flops(), and each input and output once in bytes, unless its
        bytes_moved() says otherwise.
        """
        sizes = {name: case[name] for name in self.sizes}
        written = sum(slot.nbytes for slot in layout.slots if slot.writable)
        read = sum(slot.nbytes for slot in layout.slots if not slot.writable)
        if hasattr(self.module, "bytes_moved"):
            read = self._call("bytes_moved", **sizes) - written
        return Work(read, written, self.operations(case), dtype)

    def check_families(self) -> None:
        """Raises ExerciseError where `family` in exercise.toml is a table, but not one of the outputs."""
        family, case = self.exercise.family, self.exercise.cases[0]
        outputs = set(self.evaluate(self.inputs(case, "normal", "float32", 0), case))
        if not isinstance(family, str) and set(family) != outputs:
            named, made = ", ".join(family), ", ".join(sorted(outputs))
            path = self.exercise.folder / "exercise.toml"
            raise ExerciseError(f"{path}: `family` names {named}, but reference() returns {made}")

    def operations(self, case: Case) -> float:
        """What reference.py's flops() says of `case`."""
        return float(self._call("flops", **{name: case[name] for name in self.sizes}))

    def signature(self, case: Case) -> list[str]:
        """The arguments of solve(), in order: inputs, outputs, sizes."""
        inputs = self.inputs(case, "normal", "float32", 0)
        return [*inputs, *self.evaluate(inputs, case), *self.sizes]

    @cached_property
    def _reference_parameters(self) -> tuple[str, ...]:
        """What must be passed to reference(), and what may be: a default stands unless a size is called like it."""
        parameters = inspect.signature(self.module.reference).parameters.values()
        named = [one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
        return tuple(one.name for one in named if one.default is one.empty or one.name in self.sizes)

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(self.module, name)(*args, **kwargs)
        except Exception as error:
            raise _from_traceback(self.exercise, error, f"{name}() failed", self._line(name)) from error

    def _line(self, name: str) -> int | None:
        """Where the function `name` is defined."""
        code = getattr(inspect.unwrap(getattr(self.module, name)), "__code__", None)
        return code.co_firstlineno if code else None

    def _broken(self, message: str, line: int | None = None) -> ExerciseError:
        return ExerciseError(f"{self.exercise.folder / 'reference.py'}{f':{line}' if line else ''}: {message}")


def _with(module: ModuleType, **replaced: Any) -> ModuleType:
    """A copy of a module in which some names mean something else."""
    copy = ModuleType(module.__name__)
    copy.__dict__.update(module.__dict__, **replaced)
    return copy


def load_contract(exercise: Exercise) -> Contract:
    """Import `exercise`'s reference.py. Raises ExerciseError with file, line and remedy."""
    path = exercise.folder / "reference.py"
    module = ModuleType(f"reference_{exercise.slug}")
    module.__file__ = str(path)
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except FileNotFoundError:
        raise ExerciseError(f"{path}: missing; it defines inputs() and reference()") from None
    except SyntaxError as error:
        raise ExerciseError(f"{path}:{error.lineno}: {error.msg}") from None
    except Exception as error:
        raise _from_traceback(exercise, error, "cannot be imported") from error
    for name in ("inputs", "reference", "flops"):
        if not callable(getattr(module, name, None)):
            raise ExerciseError(f"{path}: defines no {name}(); CONTRIBUTING.md shows the contract")
    sizes = tuple(inspect.signature(module.inputs).parameters)[1:]
    if set(sizes) != set(exercise.bench):
        raise ExerciseError(
            f"{path}: inputs(rand, {', '.join(sizes)}) does not take what the cases of exercise.toml give: "
            f"{', '.join(exercise.bench)}"
        )
    contract = Contract(exercise, module, sizes)
    contract.check_families()  # a broken exercise is reported before anything runs
    contract.operations(exercise.cases[0])
    return contract


def random_case(cases: Sequence[Case], rng: random.Random, fixed: Sequence[str] = ()) -> Case:
    """One case more, fresh each run: each size drawn log-uniformly between its smallest and largest.

    Scalars that go together (a lower and an upper bound) are taken together, from one of the cases, and so are the
    sizes that are `fixed` (heads that others share, a power of two).
    """
    together = rng.choice(cases)

    def draw(name: str) -> int | float:
        values = [case[name] for case in cases]
        if name in fixed or any(isinstance(value, float) for value in values):
            return together[name]
        low, high = max(1, int(min(values))), int(max(values))
        if high <= low:
            return high  # also where that is 0
        return min(high, int(low * math.exp(rng.random() * math.log(high / low)) + 0.5))

    return {name: draw(name) for name in cases[0]}


def derive_seed(seed: int, *parts: object) -> int:
    """A seed for one purpose of a run: stable across processes and Python versions."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _from_traceback(exercise: Exercise, error: Exception, what: str, line: int | None = None) -> ExerciseError:
    """`line` is where the blame lies if no line of reference.py was reached."""
    path = exercise.folder / "reference.py"
    lines = [frame.lineno for frame in traceback.extract_tb(sys.exc_info()[2]) if frame.filename == str(path)]
    last = lines[-1] if lines else line
    where = f"{path}:{last}" if last else str(path)
    return ExerciseError(f"{where}: {what}: {type(error).__name__}: {error}")
