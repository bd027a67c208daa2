"""What `grade doctor` looks at: each check says what is there, and for a lack what it costs and what mends it."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.backends import gpu
from grader.commands.doctor import BROKEN, LACK, OK, Check
from grader.commands.doctor_packages import installed, packages
from grader.journal import Journal, JournalError
from grader.outcome import GraderError

CAPABILITY = (7, 5)
"""The oldest GPUs that CUDA 13's compilers still make code for."""

TOOLS = {
    "ncu": ("no counters of the hardware; grade profile counts on the virtual GPU", "cuda-nsight-compute-13-0"),
    "nsys": ("no timeline of a whole program; no grade needs one", "cuda-nsight-systems-13-0"),
    "compute-sanitizer": ("no check of accesses on the GPU; --backend vgpu has one", "cuda-sanitizer-13-0"),
}
"""NVIDIA's tools: what the lack of one costs, and its package in NVIDIA's apt repository."""

TOOLKIT = Path("/usr/local/cuda/bin")
ADMIN_ONLY = Path("/proc/driver/nvidia/params")
PCI = Path("/sys/bus/pci/devices")
NVIDIA = "0x10de"
"""NVIDIA's number as a maker of PCI devices."""


def checks(root: Path) -> Iterator[Check]:
    """Everything, in the order in which one thing needs the other."""
    yield Check("python", OK, f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield from graphics()
    yield from packages()
    yield nvrtc()
    if gpu.present():
        yield stack()
    for name in TOOLS:
        yield tool(name)
    yield git()
    yield journal(root)


def graphics() -> Iterator[Check]:
    """The GPU and its driver."""
    if not gpu.present():
        yield _no_gpu()
        return
    import pynvml

    try:
        pynvml.nvmlInit()
        driver = pynvml.nvmlSystemGetDriverVersion()
        handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(pynvml.nvmlDeviceGetCount())]
        cards = [(pynvml.nvmlDeviceGetName(one), pynvml.nvmlDeviceGetCudaComputeCapability(one)) for one in handles]
    except pynvml.NVMLError as error:
        yield Check("gpu", OK, "there is one")
        yield Check(
            "driver", LACK, f"NVML does not answer ({error})", "clocks and other users go unnoticed in timings"
        )
        return
    old = [name for name, capability in cards if capability < CAPABILITY]
    text = ", ".join(f"{name} (sm_{major}{minor})" for name, (major, minor) in cards)
    if old:
        yield Check("gpu", BROKEN, text, f"kernels are compiled for sm_75 and newer, not for {old[0]}", _VGPU)
    else:
        yield Check("gpu", OK, text)
    version = gpu.driver_version()
    yield Check("driver", OK, f"{driver}, runs CUDA up to {version // 1000}.{version % 1000 // 10}")


_VGPU = "grade ... --backend vgpu"


def _no_gpu() -> Check:
    costs = "right or wrong is known all the same, from the virtual GPU; nothing is timed"
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
    if hidden in ("", "-1"):
        return Check("gpu", LACK, f"CUDA_VISIBLE_DEVICES={hidden!r} hides it", costs, "unset CUDA_VISIBLE_DEVICES")
    if any((path / "vendor").read_text().strip() == NVIDIA for path in PCI.glob("*") if (path / "vendor").is_file()):
        return Check(
            "gpu", LACK, "an NVIDIA card, but no driver that works", costs, "sudo apt-get install nvidia-driver-580"
        )
    return Check("gpu", LACK, "no NVIDIA GPU or driver", costs)


def nvrtc() -> Check:
    """The compiler of the CUDA track."""
    from grader.vgpu import nvrtc as compiler

    try:
        version = compiler.version()
        targets = compiler.supported_archs()
    except compiler.NvrtcMissing as error:
        return Check(
            "nvrtc",
            BROKEN,
            str(error),
            "the CUDA track cannot be compiled",
            "pip install 'nvidia-cuda-nvrtc==13.0.*'",
        )
    return Check("nvrtc", OK, f"{'.'.join(map(str, version))}, for sm_{min(targets)} to sm_{max(targets)}")


def stack() -> Check:
    """Whether driver, torch, CuPy and NVRTC fit each other, and this GPU."""
    try:
        device, target = gpu.describe(), gpu.arch()
    except GraderError as error:
        return Check("together", BROKEN, str(error), "nothing runs on the GPU", _VGPU)
    except Exception as error:  # a package that is there and does not load: whatever it raises is the news
        text = f"{type(error).__name__}: {error}"
        return Check("together", BROKEN, text, "nothing runs on the GPU", "pip install -e . --force-reinstall")
    cuda = str(device["torch_cuda"])
    major = cuda.partition(".")[0]
    text = f"torch for CUDA {cuda}, driver for CUDA {device['driver_cuda']}, NVRTC {device['nvrtc']}, target {target}"
    if not installed(f"cupy-cuda{major}x") and not installed("cupy"):
        wanted = f"pip uninstall -y cupy-cuda12x cupy-cuda13x && pip install cupy-cuda{major}x"
        return Check("together", LACK, text, f"CuPy is not for CUDA {major}, as torch is", wanted)
    return Check("together", OK, text)


def tool(name: str) -> Check:
    """One of NVIDIA's tools."""
    costs, package_name = TOOLS[name]
    found = shutil.which(name)
    if found is None and (TOOLKIT / name).is_file():
        return Check(name, LACK, f"{TOOLKIT / name}, not on PATH", costs, f"export PATH={TOOLKIT}:$PATH")
    if found is None and not gpu.present():
        return Check(name, OK, "not installed; without a GPU there is no use for it")
    if found is None:
        return Check(
            name, LACK, "not installed", costs, f"sudo apt-get install {package_name}   # NVIDIA's repository"
        )
    if name == "ncu" and _only_root_counts():
        remedy = (
            "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/ncu.conf; reboot"
        )
        return Check(name, LACK, f"{found}, but the driver gives counters only to root", costs, remedy)
    return Check(name, OK, found)


def _only_root_counts() -> bool:
    restricted = ADMIN_ONLY.is_file() and "RmProfilingAdminOnly: 1" in ADMIN_ONLY.read_text()
    return restricted and os.geteuid() != 0


def git() -> Check:
    """What `grade reset` falls back on."""
    found = shutil.which("git")
    if found:
        return Check("git", OK, found)
    costs = "no updates, and without solutions/ `grade reset` may find no stub"
    return Check("git", LACK, "not installed", costs, "sudo apt-get install git")


def journal(root: Path) -> Check:
    """The file that progress is kept in."""
    kept = Journal(root)
    shown = kept.path.relative_to(root)
    try:
        entries = kept.read()
    except JournalError as error:
        return Check("progress", BROKEN, error.trouble, "what you solved is not known", error.remedy)
    if kept.notes:
        return Check(
            "progress", LACK, kept.notes[0], "the next grade keeps a copy beside it and goes on with the rest"
        )
    folder = next(path for path in (kept.path, kept.folder, root) if path.exists())
    if not os.access(folder, os.W_OK):
        return Check("progress", LACK, f"{folder} cannot be written", "nothing is remembered", f"chmod u+w {folder}")
    size = f"{len(entries)} line{'s' * (len(entries) > 1)}" if entries else "not begun"
    return Check("progress", OK, f"{shown}, {size}")
