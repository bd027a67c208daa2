"""Times calls on the GPU: what a call costs the device, with a cold L2 cache and without the host's own time.

One sample goes like this: wait until the device is idle; keep it busy with a spin kernel while the host queues what
follows; write twice the L2 cache full, so that nothing of the data is left in it (and its dirty lines cost whoever
comes next what they would in real life); event; the calls; event. Work that a call leaves running on another stream
is waited for and added. The primitives are looked up once, before any submitted code is there to replace them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import cupy
import torch

Call = Callable[[], object]

SPIN_MARGIN = 2.0
"""How many times longer than the host took last time the device is kept busy."""

MAX_SPIN = 0.02
"""Seconds; a host that needs longer is waited for, and its time counts."""

PERSISTING_L2_CACHE_SIZE = 6  # cudaLimit, <driver_types.h>

LATE = 0.05
"""Work beyond the last event counts from this share of the sample on: below lies the cost of looking."""


class Stopwatch:
    """Measures on the current device, on torch's current stream."""

    def __init__(self) -> None:
        runtime = cupy.cuda.runtime
        self._record, self._elapsed = runtime.eventRecord, runtime.eventElapsedTime
        self._wait, self._wait_all = runtime.eventSynchronize, runtime.deviceSynchronize
        self._memset, self._now = runtime.memsetAsync, time.perf_counter
        self._spin: Callable[[int], None] = torch.cuda._sleep
        self._events = runtime.eventCreate(), runtime.eventCreate()
        self._stream = torch.cuda.current_stream().cuda_stream
        properties = torch.cuda.get_device_properties(0)
        self._flushed: Any = torch.empty(2 * properties.L2_cache_size, dtype=torch.uint8, device="cuda")
        self._flush_pointer, self._flush_size = self._flushed.data_ptr(), self._flushed.numel()
        self._host = 1e-4
        self._cycles_per_second = self._measure_spin()

    def block(self, samples: Sequence[Sequence[Call]]) -> list[float]:
        """Seconds for each sample, divided by the calls in it."""
        _forbid_persistence()
        return [self._sample(calls) / len(calls) for calls in samples]

    def sustained(self, calls: Sequence[Call], rounds: int) -> tuple[float, float]:
        """Run all calls `rounds` times with nothing between: seconds until the host was done, and all was."""
        self._wait_all()
        started = self._now()
        for _ in range(rounds):
            for call in calls:
                call()
        queued = self._now()
        self._wait_all()
        return queued - started, self._now() - started

    def _sample(self, calls: Sequence[Call]) -> float:
        """Seconds of all calls. Never repeated, for a second call on the same data could be a copy of the first."""
        first, last = self._events
        spin = min(SPIN_MARGIN * self._host + 2e-5, MAX_SPIN)
        self._wait_all()
        started = self._now()
        self._spin(int(spin * self._cycles_per_second))
        self._memset(self._flush_pointer, 0, self._flush_size, self._stream)
        self._record(first, self._stream)
        for call in calls:
            call()
        self._record(last, self._stream)
        self._host = max(self._now() - started, 0.5 * self._host)
        self._wait(last)
        seen = self._now()
        self._wait_all()
        late = self._now() - seen
        seconds = float(self._elapsed(first, last)) / 1e3
        return seconds + (late if late > max(LATE * seconds, 2e-5) else 0.0)

    def _measure_spin(self) -> float:
        """How many of its cycles the spin kernel does in a second."""
        cycles, first, last = 2_000_000, *self._events
        for _ in range(2):  # the first run loads the kernel
            self._record(first, self._stream)
            self._spin(cycles)
            self._record(last, self._stream)
            self._wait(last)
        return float(cycles / (self._elapsed(first, last) / 1e3))


def _forbid_persistence() -> None:
    """No lines of the L2 cache may be set aside for data that a call wants to find there again."""
    with contextlib.suppress(cupy.cuda.runtime.CUDARuntimeError):  # a card that cannot do so need not be forbidden
        cupy.cuda.runtime.deviceSetLimit(PERSISTING_L2_CACHE_SIZE, 0)
