"""Which backend is chosen, and what a GPU that does not fit its software is told. The GPU itself is simulated."""

from __future__ import annotations

import pytest
import torch

from grader import backends
from grader.backends import gpu, vgpu
from grader.outcome import GraderError


@pytest.fixture
def fitting(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine whose GPU, driver and torch fit each other."""
    monkeypatch.setattr(gpu, "present", lambda: True)
    monkeypatch.setattr(gpu, "driver_version", lambda: 13000)
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (8, 0))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    return monkeypatch


def test_auto_takes_the_gpu_where_there_is_one(fitting: pytest.MonkeyPatch) -> None:
    assert backends.get("auto").name == "gpu"
    fitting.setattr(gpu, "present", lambda: False)
    assert backends.get("auto").name == "vgpu"


def test_a_fitting_stack_is_accepted(fitting: pytest.MonkeyPatch) -> None:
    gpu._check_stack()


def test_no_gpu(fitting: pytest.MonkeyPatch) -> None:
    fitting.setattr(gpu, "present", lambda: False)
    with pytest.raises(GraderError, match="no NVIDIA GPU .*--backend vgpu"):
        gpu._check_stack()


def test_torch_without_cuda_is_not_silently_the_cpu(fitting: pytest.MonkeyPatch) -> None:
    fitting.setattr(torch.version, "cuda", None)
    with pytest.raises(GraderError, match="a build without CUDA; install"):
        gpu._check_stack()


def test_an_old_driver_gets_the_remedy(fitting: pytest.MonkeyPatch) -> None:
    fitting.setattr(gpu, "driver_version", lambda: 12080)
    with pytest.raises(GraderError, match=r"the driver runs CUDA 12\.8, but torch is built for 13\.0: .*README"):
        gpu._check_stack()


def test_a_hidden_gpu_is_named(fitting: pytest.MonkeyPatch) -> None:
    fitting.setattr(torch.cuda, "is_available", lambda: False)
    fitting.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(GraderError, match="CUDA_VISIBLE_DEVICES='' hides it"):
        gpu._check_stack()


@pytest.mark.parametrize(
    ("needs", "said"),
    [
        (["sm_80"], None),
        (["sm_75", "gpus>=1"], None),
        (["sm_89"], "compute capability 8.9; this one has 8.0"),
        (["gpus>=2"], "needs 2 GPUs; this machine has 1"),
        (["moon"], "does not know"),
    ],
)
def test_needs(fitting: pytest.MonkeyPatch, needs: list[str], said: str | None) -> None:
    answer = gpu.missing(needs)
    assert answer is None if said is None else said in str(answer)


def test_needs_without_a_gpu() -> None:
    assert vgpu.missing(["sm_90"]) is None
    assert "no GPU here" in str(vgpu.missing(["gpus>=2"]))


def test_every_backend_answers_every_question() -> None:
    questions = [name for name in vars(backends.Backend) if not name.startswith("_")] + ["name", "torch_device"]
    for name in backends.NAMES:
        assert all(hasattr(backends.get(name), question) for question in questions)
