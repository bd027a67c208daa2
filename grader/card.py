"""The card as its driver sees it, through NVML: identity, clock, what slows it down, who else uses it; its lock."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pynvml

SLOWED = {
    pynvml.nvmlClocksThrottleReasonHwSlowdown: "hardware slowdown",
    pynvml.nvmlClocksThrottleReasonSwThermalSlowdown: "too hot",
    pynvml.nvmlClocksThrottleReasonHwThermalSlowdown: "too hot",
    pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown: "power brake",
}
"""Reasons that spoil a measurement. A power cap that a heavy kernel runs into is part of the card's speed."""


def cache_folder() -> Path:
    """Where the grader keeps what it has measured: $XDG_CACHE_HOME/kernel-ladder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kernel-ladder"


class Card:
    """The GPU that torch calls cuda:0. Where NVML has no answer (WSL, say), its questions are answered neutrally."""

    def __init__(self) -> None:
        import torch

        properties = torch.cuda.get_device_properties(0)
        self.uuid = f"GPU-{properties.uuid}"
        self._handle = None
        with contextlib.suppress(pynvml.NVMLError):
            pynvml.nvmlInit()
            self._handle = pynvml.nvmlDeviceGetHandleByUUID(self.uuid)

    def clock(self) -> float:
        """The SM clock in MHz; 0.0 where it is not known."""
        with contextlib.suppress(pynvml.NVMLError):
            if self._handle:
                return float(pynvml.nvmlDeviceGetClockInfo(self._handle, pynvml.NVML_CLOCK_SM))
        return 0.0

    def slowed_by(self) -> str:
        """What slows the card down just now; empty if nothing does."""
        with contextlib.suppress(pynvml.NVMLError):
            if self._handle:
                active = pynvml.nvmlDeviceGetCurrentClocksThrottleReasons(self._handle)
                return next((words for bit, words in SLOWED.items() if active & bit), "")
        return ""

    def driver(self) -> str:
        """The driver's version."""
        with contextlib.suppress(pynvml.NVMLError):
            if self._handle:
                return str(pynvml.nvmlSystemGetDriverVersion())
        return ""

    def others(self) -> list[str]:
        """Processes that compute on this card and are not ours: "python3 (pid 4711)"."""
        running = []
        with contextlib.suppress(pynvml.NVMLError):
            if self._handle:
                running = pynvml.nvmlDeviceGetComputeRunningProcesses(self._handle)
        ours = {os.getpid(), *(child.pid for child in psutil.Process().children(recursive=True))}
        return [_name(process.pid) for process in running if process.pid not in ours]

    @contextlib.contextmanager
    def lock(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the card: of several graders that share it, one measures. `waiting` is called if that takes time."""
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{self.uuid}.lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _name(pid: int) -> str:
    with contextlib.suppress(psutil.Error):
        return f"{psutil.Process(pid).name()} (pid {pid})"
    return f"pid {pid}"
