"""The packages that `grade doctor` looks at: whether they are there, as wanted, and fit each other."""

from __future__ import annotations

import importlib
import importlib.metadata
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

from grader.backends import gpu
from grader.commands.doctor import BROKEN, LACK, OK, Check

PACKAGE = "kernel-ladder"

REPLACED = {"cupy-cuda13x": "cupy-cuda12x", "nvidia-cuda-nvrtc": "nvidia-cuda-nvrtc-cu12"}
"""What the CUDA 12 builds have in the place of a package (README.md, "Older drivers")."""


def packages() -> Iterator[Check]:
    """What pyproject.toml asks for: whether it is there, in a version that it allows, and can be imported."""
    if installed(PACKAGE) is None:
        yield Check(
            PACKAGE, LACK, "not installed", "only `python -m grader` works, and only here", "pip install -e ."
        )
    wanted = map(Requirement, _declared())
    found = [check for one in wanted if _applies(one) for check in [package(one)]]
    yield from (check for check in found if check.state != OK or check.name in ("torch", "triton", "cupy"))
    yield Check(
        "packages", OK, f"{sum(check.state == OK for check in found)} of {len(found)} as {PACKAGE} wants them"
    )
    yield from _fits_torch()
    yield from _two_cupys()


def _declared() -> list[str]:
    """The requirements as installed; from the checkout itself where it is not."""
    if installed(PACKAGE) is not None:
        return importlib.metadata.requires(PACKAGE) or []
    project = Path(__file__).parents[2] / "pyproject.toml"
    return list(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"])


def _applies(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def package(requirement: Requirement) -> Check:
    """Whether one requirement is met; the builds for CUDA 12 do as well."""
    name = requirement.name.partition("-cuda")[0] if requirement.name.startswith("cupy") else requirement.name
    version = installed(requirement.name)
    if version is None and requirement.name in REPLACED and (version := installed(REPLACED[requirement.name])):
        return Check(name, OK, f"{version}, for CUDA 12")
    install = f"pip install '{requirement}'".replace(f"; {requirement.marker}", "")
    if version is None:
        if name == "cupy" and not gpu.present():
            return Check(name, LACK, "not installed", "the CUDA track cannot use a GPU; there is none here", install)
        return Check(name, BROKEN, "not installed", "the grader cannot do without it", install)
    if not requirement.specifier.contains(Version(version).public, prereleases=True):
        return Check(name, LACK, f"{version}", f"not tested: {PACKAGE} wants {requirement.specifier}", install)
    if name in ("torch", "triton", "cupy") and (error := _import_error(name)):
        if name == "cupy" and not gpu.present():
            return Check(name, OK, f"{version} (not used without a GPU)")
        again = f"pip install --force-reinstall '{requirement.name}=={version}'"
        return Check(name, BROKEN, f"{version} cannot be imported: {error}", f"nothing that uses {name} works", again)
    return Check(name, OK, version)


def _fits_torch() -> Iterator[Check]:
    """Whether triton is the one that this torch was made with; builds for the CPU name none."""
    version = installed("triton")
    if version is None or installed("torch") is None:
        return
    for requirement in map(Requirement, importlib.metadata.requires("torch") or ()):
        if requirement.name == "triton" and _applies(requirement) and version not in requirement.specifier:
            text = f"{version}, but this torch was made with {requirement.specifier}"
            costs = "torch.compile may fail, and with it baselines; kernels of your own run"
            yield Check("triton", LACK, text, costs, f"pip install 'triton{requirement.specifier}'")


def _two_cupys() -> Iterator[Check]:
    both = [name for name in ("cupy", "cupy-cuda11x", "cupy-cuda12x", "cupy-cuda13x") if installed(name)]
    if len(both) > 1:
        text = f"{' and '.join(both)} are both installed, and overwrite each other"
        remedy = f"pip uninstall {' '.join(both)}, then pip install the one for your CUDA"
        yield Check("cupy", BROKEN, text, "which of them is loaded is chance", remedy)


def installed(name: str) -> str | None:
    """The version of a distribution, None where it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _import_error(name: str) -> str:
    try:
        importlib.import_module(name)
    except Exception as error:  # whatever a broken package raises is the news
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    return ""
