"""One call of solve() more, watched: what the kernels cost, what each line does, and which lines to change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.check import expect
from grader.contract import Contract, derive_seed
from grader.dialogue import Stop, ask
from grader.exercise import Case
from grader.kernelprofile import KernelProfile
from grader.outcome import Status
from grader.sandbox import Worker


@dataclass(frozen=True)
class Profiled:
    """What one call came to. `build` has the kernels' static costs and occupancy, `findings` all that was noticed,
    `kernels` the counts, which only the virtual GPU has; `waits` how often solve() waited for the device."""

    build: tuple[Mapping[str, Any], ...]
    findings: tuple[Mapping[str, Any], ...]
    kernels: tuple[KernelProfile, ...]
    waits: int = 0

    @property
    def moved(self) -> Mapping[str, int]:
        """The bytes that all kernels together moved, in whole sectors and without caches, and their flops."""
        return {
            "bytes": sum(kernel.traffic for kernel in self.kernels),
            "flops": sum(kernel.flops for kernel in self.kernels),
        }

    @property
    def errors(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(finding for finding in self.findings if finding.get("severity") == "error")

    @property
    def advice(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(finding for finding in self.findings if finding.get("severity") == "advice")


def largest_case(contract: Contract, dtype: str) -> Case:
    """The case with the most data: there the habits of a kernel weigh more than the ragged ends of its blocks."""
    return max(contract.exercise.cases, key=lambda case: contract.elements(case, dtype))


def profile(worker: Worker, deadline: float, contract: Contract, case: Case, dtype: str, seed: int) -> Profiled:
    """Have the worker, which has loaded the submission, make one call on data of the exercise's first kind.

    Raises Stop, GraderError.
    """
    data_seed = derive_seed(seed, contract.exercise.id, "profile")
    inputs = contract.inputs(case, contract.exercise.kinds[0], dtype, data_seed)
    layout, expected = expect(contract, case, dtype, inputs)
    worker.share(layout.size).copy_(expected.image)
    reply = ask(
        worker,
        deadline,
        "launches",
        "the call that is profiled",
        op="profile",
        memory=worker.memory,
        layout=layout.to_json(),
        scalars=[case[name] for name in contract.sizes],
    )
    try:
        kernels = tuple(KernelProfile.from_json(row) for row in reply.get("kernels") or ())
        waits = int(reply["waits"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Stop(Status.CRASH, "launches", "the submission answered in the grader's place") from None
    return Profiled(tuple(reply.get("build") or ()), tuple(reply.get("findings") or ()), kernels, waits)
