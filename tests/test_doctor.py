"""What `grade doctor` says of machines that lack something."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pynvml
import pytest
from packaging.requirements import Requirement
from support import ROOT

from grader.backends import gpu
from grader.commands import doctor_checks as checks
from grader.commands import doctor_packages as packages
from grader.commands.doctor import BROKEN, LACK, OK
from grader.commands.learner import open_journal
from grader.journal import Journal
from grader.outcome import GraderError


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is installed, as far as the checks can see: to be filled in by the test."""
    installed: dict[str, str] = {}
    for module in (checks, packages):
        monkeypatch.setattr(module, "installed", installed.get)
    monkeypatch.setattr(packages, "_import_error", lambda name: "")
    return installed


def without_gpu(monkeypatch: pytest.MonkeyPatch, present: bool = False) -> None:
    monkeypatch.setattr(gpu, "present", lambda: present)


def test_a_package_as_wanted(versions: dict[str, str]) -> None:
    versions["torch"] = "2.12.0+cu130"
    assert packages.package(Requirement("torch>=2.11,<2.14")).state == OK


def test_a_version_that_is_not_wanted_is_said(versions: dict[str, str]) -> None:
    versions["torch"] = "2.9.0"
    check = packages.package(Requirement("torch>=2.11,<2.14"))
    assert check.state == LACK and check.remedy == "pip install 'torch<2.14,>=2.11'"


def test_a_missing_package_is_a_fault(versions: dict[str, str]) -> None:
    check = packages.package(Requirement("triton>=3.6; python_version > '3'"))
    assert check.state == BROKEN and check.remedy == "pip install 'triton>=3.6'"


def test_cupy_is_for_gpus(versions: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    without_gpu(monkeypatch)
    assert packages.package(Requirement("cupy-cuda13x>=14")).state == LACK
    without_gpu(monkeypatch, present=True)
    assert packages.package(Requirement("cupy-cuda13x>=14")).state == BROKEN
    versions["cupy-cuda12x"] = "14.0"
    assert packages.package(Requirement("cupy-cuda13x>=14")).text == "14.0, for CUDA 12"


def test_a_package_that_does_not_load(versions: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    versions["torch"] = "2.12"
    monkeypatch.setattr(packages, "_import_error", lambda name: "ImportError: libfoo.so")
    check = packages.package(Requirement("torch"))
    assert check.state == BROKEN and "libfoo.so" in check.text and "--force-reinstall" in check.remedy


def test_a_checkout_that_is_not_installed_is_checked_all_the_same(versions: dict[str, str]) -> None:
    found = list(packages.packages())
    assert found[0].remedy == "pip install -e ." and {"torch", "numpy", "typer"} <= {check.name for check in found}


def test_two_cupys(versions: dict[str, str]) -> None:
    versions |= {"cupy-cuda12x": "14", "cupy-cuda13x": "14"}
    (check,) = packages._two_cupys()
    assert check.state == BROKEN and check.remedy.startswith("pip uninstall cupy-cuda12x cupy-cuda13x")


def test_a_triton_that_is_not_torchs(versions: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    versions |= {"torch": "2.12", "triton": "3.7.1"}
    monkeypatch.setattr(
        importlib.metadata, "requires", lambda name: ["triton==3.6.0; platform_system != 'x'", "jinja2"]
    )
    (check,) = packages._fits_torch()
    assert check.state == LACK and check.remedy == "pip install 'triton==3.6.0'"
    versions["triton"] = "3.6.0"
    assert list(packages._fits_torch()) == []


def test_no_gpu_costs_only_times(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_gpu(monkeypatch)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(checks, "PCI", tmp_path)
    (check,) = checks.graphics()
    assert check.state == LACK and "nothing is timed" in check.costs and not check.remedy
    (tmp_path / "0000:01:00.0").mkdir()
    (tmp_path / "0000:01:00.0/vendor").write_text("0x10de\n")
    (check,) = checks.graphics()
    assert "no driver that works" in check.text and check.remedy
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    (check,) = checks.graphics()
    assert check.remedy == "unset CUDA_VISIBLE_DEVICES"


def test_what_does_not_fit_is_told_in_the_backends_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise GraderError("the driver runs CUDA 12.4, but torch is built for 13.0")

    monkeypatch.setattr(gpu, "describe", refuse)
    assert checks.stack().state == BROKEN and "driver runs CUDA 12.4" in checks.stack().text


def test_cupy_for_another_cuda_than_torch(versions: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    device = {"torch_cuda": "12.6", "driver_cuda": "13.0", "nvrtc": "12.6"}
    monkeypatch.setattr(gpu, "describe", lambda: device)
    monkeypatch.setattr(gpu, "arch", lambda: "sm_90a")
    versions["cupy-cuda13x"] = "14"
    assert checks.stack().state == LACK and "cupy-cuda12x" in checks.stack().remedy
    versions["cupy-cuda12x"] = "14"
    assert checks.stack().state == OK and "target sm_90a" in checks.stack().text


def test_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checks, "TOOLKIT", tmp_path)
    monkeypatch.setattr(checks.shutil, "which", lambda name: None)
    without_gpu(monkeypatch)
    assert checks.tool("ncu").state == OK
    without_gpu(monkeypatch, present=True)
    assert "apt-get install cuda-nsight-compute" in checks.tool("ncu").remedy
    (tmp_path / "nsys").touch()
    assert checks.tool("nsys").remedy == f"export PATH={tmp_path}:$PATH"
    monkeypatch.setattr(checks.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(checks, "_only_root_counts", lambda: True)
    assert "only to root" in checks.tool("ncu").text and checks.tool("nsys").state == OK


def test_the_journal(tmp_path: Path) -> None:
    assert checks.journal(tmp_path).text == ".kernel-ladder/journal.jsonl, not begun"
    Journal(tmp_path).append({"event": "hint", "exercise": "x"})
    assert checks.journal(tmp_path).text == ".kernel-ladder/journal.jsonl, 1 line"
    Journal(tmp_path).path.write_text("garbage\n")
    assert checks.journal(tmp_path).state == LACK


@pytest.mark.parametrize("module", ["numpy", "packaging.requirements", "cuda.pathfinder"])
def test_what_the_checks_stand_on_is_missing(module: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None; sys.argv[1:] = ['doctor']; from grader.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and "the grader cannot do without it" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("capability", "state"), [((9, 0), OK), ((7, 5), OK), ((6, 1), BROKEN)])
def test_a_gpu_and_its_driver(capability: tuple[int, int], state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_gpu(monkeypatch, present=True)
    monkeypatch.setattr(gpu, "driver_version", lambda: 13010)
    answers = {
        "nvmlInit": None,
        "nvmlSystemGetDriverVersion": "580.1",
        "nvmlDeviceGetCount": 1,
        "nvmlDeviceGetHandleByIndex": "handle",
        "nvmlDeviceGetName": "Toy GPU",
        "nvmlDeviceGetCudaComputeCapability": capability,
    }
    for name, answer in answers.items():
        monkeypatch.setattr(pynvml, name, lambda *_, answer=answer: answer)
    card, driver = checks.graphics()
    assert card.state == state and card.text == f"Toy GPU (sm_{capability[0]}{capability[1]})"
    assert driver.text == "580.1, runs CUDA up to 13.1"


def test_nvml_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent() -> None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)

    without_gpu(monkeypatch, present=True)
    monkeypatch.setattr(pynvml, "nvmlInit", silent)
    card, driver = checks.graphics()
    assert (card.state, driver.state) == (OK, LACK)


@pytest.mark.parametrize("inside", ["", "journal.jsonl/notes"])
def test_what_is_in_the_journals_way_can_be_moved_as_doctor_says(inside: str, tmp_path: Path) -> None:
    """A file in the folder's place, a folder in the file's; nothing is lost, and every command says the same."""
    way = tmp_path / ".kernel-ladder" / inside
    way.parent.mkdir(parents=True, exist_ok=True)
    way.write_text("mine")
    check = checks.journal(tmp_path)
    assert check.state == BROKEN and check.remedy
    with pytest.raises(GraderError) as raised:
        open_journal(tmp_path)
    command = check.remedy.rpartition(": ")[2]
    assert str(raised.value).endswith(command)
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    assert checks.journal(tmp_path).state == OK
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]
    Journal(tmp_path).append({"event": "hint"})
