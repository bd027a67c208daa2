"""What solve() allocates is counted, and held against the exercise's formula."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest
import torch
from support import ROOT

from grader.guard import Guard
from grader.meter import Meter
from grader.scratch import allowed, excess

CASE = {"batch": 2, "seq": 129, "alpha": 0.5}


@pytest.mark.parametrize(
    ("formula", "value"),
    [("0", 0), ("8 * batch * seq", 2064), ("4 * (batch + 1) * seq - 2", 1546), ("seq // 2 * 2", 128)],
)
def test_formulas(formula: str, value: int) -> None:
    assert allowed(formula, CASE) == value


@pytest.mark.parametrize("formula", ["", "seq +", "seq ** 2", "len(seq)", "nothing", "2.5 * seq", "alpha", "True"])
def test_what_is_no_formula(formula: str) -> None:
    with pytest.raises(ValueError, match="formula|not a size"):
        allowed(formula, CASE)


def test_the_sentence() -> None:
    assert excess("8 * batch * seq", CASE, 2064, (2, 129)) is None
    said = excess("8 * batch * seq", CASE, 66564, (129, 129))
    assert said == (
        "solve() allocated 66,564 bytes, the task allows 2,064 (8 * batch * seq); "
        "the largest is a tensor of shape (129, 129): an S x S matrix?"
    )
    assert str(excess("0", CASE, 1024, ())).endswith("allows 0 (0)")


@pytest.mark.parametrize(
    "mode", ["grader.meter import Meter as Mode", "grader.vgpu.allocations import Allocations as Mode"]
)
def test_noticing_allocations_does_not_import_the_compiler(mode: str) -> None:
    """torch wraps a mode's method in what imports torch._dynamo: two seconds for every submission that allocates."""
    code = f"import sys, torch\nfrom {mode}\nwith Mode(None): torch.empty(0)\nprint('torch._dynamo' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == "False\n"


def test_only_what_is_new_counts_and_what_is_freed_does_not() -> None:
    given, meter = torch.zeros(1000), Meter()
    with meter.running():
        given.zero_()
        given[5:].view(5, 199).fill_(2.0)
        assert meter.most == 0
        first = given.new_empty(100)
        view = first[3:]
        del first
        second = torch.zeros(50)
        assert meter.most == 600
        del view, second
        third = torch.empty_like(given[:120])
        assert (meter.most, meter.largest) == (600, (120,))
        third = torch.full((200,), 1.0)  # for a moment both are there
    assert meter.most == 480 + 800 and meter.largest == (200,) and third.numel() == 200
    gc.collect()


class Statistics:
    """A device whose allocator knows more than passed torch's dispatcher."""

    now = peak = 0

    def held(self) -> int:
        return self.now

    def most(self) -> int:
        return self.peak

    def restart(self) -> None:
        self.peak = self.now

    def add(self, size: int) -> None:
        self.now += size
        self.peak = max(self.peak, self.now)


def test_a_launchs_own_memory_does_not_count() -> None:
    watcher, device = Guard(), Statistics()
    device.add(5000)
    meter = Meter(device)
    with watcher.metering(meter), watcher.watching():
        device.add(300)
        with watcher.launching():  # an autotuner, which keeps a little of it
            torch.empty(100_000)
            device.add(10_000)
            device.add(-9_900)
        device.add(50)
        device.add(-350)
        kept = torch.empty(10)
    assert meter.most == 350 and kept.nbytes == 40
    assert watcher.meter is None


@pytest.mark.gpu
def test_the_devices_allocators_know_what_torch_does_not_dispatch() -> None:
    import cupy

    from grader.devicememory import Statistics

    kept = torch.empty(1 << 20, device="cuda")
    meter = Meter(Statistics())
    with meter.running():
        torch.cuda.caching_allocator_delete(torch.cuda.caching_allocator_alloc(1 << 16))
    assert meter.most == 1 << 16
    cupy.get_default_memory_pool().free_all_blocks()
    meter = Meter(Statistics())
    with meter.running():
        cupy.empty(1 << 22, dtype=cupy.uint8)
    assert meter.most >= 1 << 22 and kept.numel() == 1 << 20
