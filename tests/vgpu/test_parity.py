"""The virtual GPU against bits dumped from hardware (scripts/parity.py made parity_h200.npz on an H200)."""

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import parity  # noqa: E402

HARDWARE = Path(__file__).parent / "parity_h200.npz"
SAMPLE = ["add.u32", "fma.rn.f32", "ex2.approx.f32", "setp.lt.f16x2", "shfl.sync.bfly.b32 width 16 by small"]
SAMPLE += ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "atom.shared.cas.b16", "cvt.rn.satfinite.e4m3x2.f32"]


@cache
def hardware():
    return parity.load(HARDWARE)


def test_every_form_ran_on_hardware():
    assert "H200" in hardware().device
    assert hardware().refused == {}
    assert hardware().results.keys() == parity.forms().keys()


@pytest.mark.parametrize("name", parity.forms())
def test_results_are_those_of_hardware(name):
    found = parity.compare(parity.forms()[name], hardware().results[name])
    assert found.wrong == 0, found.first


@pytest.fixture
def dumped(tmp_path):
    """A dump of a few forms, taken from the virtual GPU."""
    path = tmp_path / "dump.npz"
    assert parity.dump(path, "vgpu", [parity.forms()[name] for name in SAMPLE]) == {}
    return path


def test_a_dump_of_the_virtual_gpu_agrees_with_it(dumped, capsys):
    assert parity.check(dumped) == 0
    assert f"{len(SAMPLE)} forms, 0 differ" in capsys.readouterr().out


@pytest.mark.parametrize("name", SAMPLE)
def test_one_wrong_result_is_found(dumped, name):
    results = parity.load(dumped).results[name]
    form = parity.forms()[name]
    assert parity.compare(form, results).wrong == 0
    results[0][300] ^= np.uint64(0x2000 if "approx" not in name and "mma" not in name else 0x40000)
    found = parity.compare(form, results)
    assert found.wrong == 1 and "lane 300" in found.first


def test_other_inputs_are_refused(dumped, monkeypatch):
    monkeypatch.setattr(parity, "checksum", lambda columns: 0)
    with pytest.raises(SystemExit, match="dump again"):
        parity.load(dumped)
