"""Every solution and its peers on this machine's GPU: PyTorch, torch.compile, and what reference.py names in peers().

    pytest tests/bench_solutions.py --benchmark-json=bench.json && python scripts/results.py bench.json

Not part of the test suite: it measures, and needs a GPU. Times are the device's own (grader/stopwatch.py): a cold L2
cache, no host time, fresh data for each call.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

import pytest
import torch
from support import ROOT

from grader.backends import gpu
from grader.bench import Bench, fit
from grader.check import layout_of
from grader.contract import Contract, load_contract
from grader.discover import select, submissions
from grader.exercise import TRACKS, Case, Exercise, Submission
from grader.plan import describe_case
from grader.roofline import place

pytestmark = [  # what torch.compile warns of is its own affair
    pytest.mark.gpu,
    pytest.mark.filterwarnings("default::DeprecationWarning"),
    pytest.mark.filterwarnings("default::UserWarning"),
]
ROUNDS = 40
SETS = 4
"""Different data in turn; the stopwatch's flush makes every one of them cold."""

Solve = Callable[..., Any]


class DeviceClock:
    """A timer for pytest-benchmark that only moves by what the device has done."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


CLOCK = DeviceClock()


@cache
def bench() -> Bench:
    return Bench()


def timed_exercises() -> list[Exercise]:
    return [exercise for exercise in select(ROOT, ["all"]) if exercise.goals]


def problems(exercise: Exercise) -> Iterator[tuple[Case, str]]:
    """What is measured: `bench` in the first type and in bfloat16, if the exercise has it; `also` in the first."""
    first = next(iter(exercise.dtypes.values()))[0]
    yield exercise.bench, first
    if first != "bfloat16" and any("bfloat16" in exercise.dtypes[track] for track in exercise.goals):
        yield exercise.bench, "bfloat16"
    yield from ((case, first) for case in exercise.also)


def contestants() -> Iterator[Any]:
    for exercise in timed_exercises():
        for case, dtype in problems(exercise):
            tracks = [track for track in exercise.goals if dtype in exercise.dtypes[track]]
            for name in (*tracks, "torch", "torch.compile", *load_contract(exercise).peers()):
                label = f"{exercise.id}-{describe_case(case).replace(', ', '-')}-{dtype}-{name}"
                yield pytest.param(exercise, case, dtype, name, id=label)


def solve_of(submission: Submission) -> Solve:
    """solve() of a solution, which is trusted: in this very process."""
    path = submission.files[-1]
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    solve: Solve = module.solve
    return solve


def calls(contract: Contract, name: str, wanted: Case, dtype: str) -> tuple[list[Callable[[], Any]], dict[str, Any]]:
    """What calls the contestant on each set of data, and the work that one call is."""
    case, scaled = fit(contract, dtype, torch.cuda.mem_get_info()[0] // SETS, wanted)
    scalars = [case[size] for size in contract.sizes]
    sets = [contract.large_inputs(case, dtype, seed) for seed in range(SETS)]
    layout = layout_of(sets[0], contract.evaluate(sets[0], case), dtype)
    info = {"case": case, "scaled": scaled, "dtype": dtype, "work": contract.work(case, layout, dtype)}
    if name not in TRACKS:
        run = {"torch": contract.evaluate, "torch.compile": contract.compiled(), **contract.peers()}[name]
        return [lambda inputs=inputs: run(inputs, case) for inputs in sets], info
    (submission,) = submissions([contract.exercise], ROOT / "solutions", name)
    solve = solve_of(submission)

    def call(inputs: dict[str, torch.Tensor]) -> Callable[[], Any]:
        outputs = [
            torch.empty(slot.shape, dtype=slot.torch_dtype, device="cuda") for slot in layout.slots if slot.writable
        ]
        return lambda: solve(*(value.cuda() for value in inputs.values()), *outputs, *scalars)

    return [call(inputs) for inputs in sets], info


@pytest.mark.benchmark(timer=CLOCK, warmup=False)
@pytest.mark.parametrize(("exercise", "case", "dtype", "contestant"), list(contestants()))
def test_speed(exercise: Exercise, case: Case, dtype: str, contestant: str, benchmark: Any) -> None:
    contract = load_contract(exercise)
    every, info = calls(contract, contestant, case, dtype)
    watch, turn = bench().watch, iter(range(10**9))
    watch.block([[call] for call in every] * 2)  # compile, warm up

    def once() -> None:
        CLOCK.now += watch.block([[every[next(turn) % len(every)]]])[0]

    benchmark.group = f"{exercise.id}, {describe_case(info['case'])}, {dtype}"
    benchmark.pedantic(once, rounds=ROUNDS, iterations=1)
    where = place(info["work"], bench().ceilings, benchmark.stats.stats.median)
    benchmark.extra_info.update(info, work=asdict(info["work"]), contestant=contestant, exercise=exercise.id)
    benchmark.extra_info.update(asdict(where), rate=where.rate, device=gpu.describe())
    torch.cuda.empty_cache()
