"""The data of a timed run: many arenas in memory shared with the worker, each with data of its own, fresh each block.

All of it belongs to the judge. No call finds data that any call has seen before, so nothing can be remembered; and
every output is looked at: one of each block in full against the truth, the others against the baseline's answer.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import torch
from torch import Tensor

from grader.check import damage, expect, layout_of, misses
from grader.contract import Contract, derive_seed
from grader.decode import decode
from grader.exercise import Case
from grader.sandbox import Worker

SLACK = 4.0
"""How much further from the baseline, by norm, an output may be than the one that was found right in full, and than
bounds around both would have it."""

JUDGE_BYTES = 100
"""Room on the GPU for each input element of one problem: truth, bound and their temporaries in float64."""

Outputs = Mapping[str, Tensor]


class Refuted(Exception):
    """A timed run is not what it claims: an output is wrong, or a time cannot be. The message says which and how."""


class Arenas:
    """`count` problems of one `case`. Raises torch.OutOfMemoryError."""

    def __init__(self, contract: Contract, worker: Worker, case: Case, dtype: str, count: int, seed: int) -> None:
        self.contract, self.case, self.dtype = contract, case, dtype
        self._seeds = random.Random(seed)
        inputs = contract.large_inputs(case, dtype, self._seeds.getrandbits(48))
        self.layout = layout_of(inputs, contract.evaluate(inputs, case), dtype)
        self._shared = worker.share(count * self.layout.size, on_device=True)
        self.memory = worker.memory
        self.images = self._shared.to("cuda").view(count, self.layout.size)
        self.scalars = [case[name] for name in contract.sizes]
        self.refill()

    def refill(self) -> None:
        """New data everywhere, outputs poisoned."""
        self._drawn = [self._seeds.getrandbits(48) for _ in self.images]
        for image, seed in zip(self.images, self._drawn, strict=True):
            self.layout.fill(image, self._inputs(seed))
        self._sums = [self._sum(image) for image in self.images]

    def hand_over(self) -> None:
        """Make the data visible to the worker, where its memory is not the judge's own."""
        if self._shared.data_ptr() != self.images.data_ptr():
            self._shared.copy_(self.images.view(-1))
        torch.cuda.synchronize()

    def take_back(self) -> None:
        """See what the worker left."""
        if self._shared.data_ptr() != self.images.data_ptr():
            self.images.view(-1).copy_(self._shared)

    def inputs(self, index: int) -> dict[str, Tensor]:
        """The input tensors of one arena, in place."""
        return {
            slot.name: self.layout.tensor(self.images[index], slot) for slot in self.layout.slots if not slot.writable
        }

    def verify(self, baseline: Mapping[int, Outputs]) -> None:
        """Look at every output that the worker left. Raises Refuted."""
        chosen = self._seeds.randrange(len(self.images))
        bound = self._verify_in_full(chosen)
        usual = self._distance(chosen, baseline)
        for index, image in enumerate(self.images):
            if self._sum(image) != self._sums[index]:
                raise Refuted("solve() changed an input, or wrote out of bounds, when it was timed")
            distance = self._distance(index, baseline)
            for name, far in distance.items():
                if not far <= SLACK * (usual[name] + bound[name]):
                    raise Refuted(
                        f"`{name}` of a timed call is wrong (by norm, {far:.1e} away from PyTorch's answer; "
                        f"{bound[name]:.1e} is usual), although it was right when only checked: does solve() do the "
                        "whole work on every call?"
                    )

    def _verify_in_full(self, index: int) -> dict[str, float]:
        """The norms of the bounds around its outputs. Raises Refuted."""
        layout, expected = expect(self.contract, self.case, self.dtype, self._inputs(self._drawn[index]))
        image = self.images[index].to(expected.image.device)
        broken = damage(layout, expected, image)
        if broken:
            raise Refuted(broken)
        found = misses(layout, expected, image)
        if found:
            raise Refuted(
                f"{decode(found[0]).summary} in a timed call, although it was right when only checked: does solve() "
                "do the whole work on every call?"
            )
        return {name: float(torch.linalg.vector_norm(bound.double())) for name, bound in expected.bound.items()}

    def _distance(self, index: int, baseline: Mapping[int, Outputs]) -> dict[str, float]:
        """How far each output is from the baseline's, by norm; NaN where either holds any."""
        distances = {}
        for slot in self.layout.slots:
            if slot.writable:
                theirs = baseline[index][slot.name].float()
                ours = self.layout.tensor(self.images[index], slot).float()
                distances[slot.name] = float(torch.linalg.vector_norm(ours - theirs))
        return distances

    def _inputs(self, seed: int) -> dict[str, Tensor]:
        return self.contract.large_inputs(self.case, self.dtype, derive_seed(seed))

    def _sum(self, image: Tensor) -> int:
        """A checksum of all that solve() must leave alone: inputs and red zones."""
        total, start = torch.zeros((), dtype=torch.int64, device=image.device), 0
        for slot in self.layout.slots:
            if slot.writable:
                first = self.layout.offsets[slot.name]
                total += image[start:first].view(torch.int64).sum()
                start = first + -(-slot.nbytes // 256) * 256
        return int(total + image[start:].view(torch.int64).sum())
