"""reference.py: what it must define, what its mistakes are called, and that data is replayed by the seed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch
from test_manifest import GOOD, write

from grader.check import expect, layout_of, sources
from grader.contract import Contract, derive_seed, load_contract, random_case
from grader.exercise import ExerciseError
from grader.manifest import read_manifest

REFERENCE = """\
def inputs(rand, m, n, alpha):
    return {"x": rand(m, n)}


def reference(x, alpha):
    return alpha * x


def flops(m, n, alpha):
    return m * n
"""
CASE = {"m": 3, "n": 5, "alpha": 2.5}


def contract_of(folder: Path, text: str, manifest: str = GOOD) -> Contract:
    write(folder, manifest)
    (folder / "reference.py").write_text(text)
    return load_contract(read_manifest(folder, "level1/drills/t"))


def test_signature_and_truth(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, REFERENCE)
    assert contract.signature(CASE) == ["x", "out", "m", "n", "alpha"]
    inputs = contract.inputs(CASE, "normal", "float16", 1)
    truth = contract.truth(inputs, CASE)["out"]
    assert truth.dtype is torch.float64
    assert torch.equal(truth, inputs["x"].double() * 2.5)


def test_several_outputs_are_a_dict(tmp_path: Path) -> None:
    text = REFERENCE.replace("return alpha * x", 'return {"double": 2 * x, "half": x / 2}')
    assert contract_of(tmp_path, text).signature(CASE) == ["x", "double", "half", "m", "n", "alpha"]


TWO_OUTPUTS = REFERENCE.replace("return alpha * x", 'return {"scaled": alpha * x, "same": x}')


def test_each_output_is_held_to_its_own_family(tmp_path: Path) -> None:
    table = 'family = { same = "exact", scaled = "arithmetic" }'
    contract = contract_of(tmp_path, TWO_OUTPUTS, GOOD.replace('family = "exact"', table))
    layout, expected = expect(contract, CASE, "float16", contract.inputs(CASE, "positions", "float16", 1))
    assert not expected.bound["same"].any()
    assert expected.bound["scaled"].all()
    assert [list(sources(contract, layout, expected, slot)) for slot in layout.slots[1:]] == [["x"], ["x"]]


@pytest.mark.parametrize("names", [["same"], ["same", "scald"], ["same", "scaled", "x"]])
def test_families_that_do_not_fit_the_outputs(tmp_path: Path, names: list[str]) -> None:
    table = ", ".join(f'{name} = "exact"' for name in names)
    message = f"exercise.toml: `family` names {', '.join(names)}, but reference.. returns same, scaled"
    with pytest.raises(ExerciseError, match=message):
        contract_of(tmp_path, TWO_OUTPUTS, GOOD.replace('family = "exact"', f"family = {{ {table} }}"))


def test_the_seed_replays_and_another_does_not(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, REFERENCE)
    first, again, other = (contract.inputs(CASE, "normal", "float32", seed)["x"] for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert derive_seed(1, "a", 2) != derive_seed(1, "a", 3)


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        ("def flops", "def flop", r"defines no flops\(\)"),
        ("def reference(x, alpha):", "def reference(x, alpha)", r"reference\.py:5: expected ':'"),
        (
            "def inputs(rand, m, n, alpha)",
            "def inputs(rand, m, k)",
            r"does not take what the cases .* give: m, n, alpha",
        ),
        (
            "def reference(x, alpha)",
            "def reference(x, c)",
            r"reference\.py:5: reference\(\) takes 'c', which is neither an input \(x\) nor a size \(m, n, alpha\)",
        ),
        (
            "def reference(x, alpha)",
            "def reference(alpha)",
            r"reference\.py:5: reference\(\) failed: TypeError: .*'x'",
        ),
        ("def flops(m, n, alpha)", "def flops(m)", r"reference\.py:9: flops\(\) failed: TypeError: .*'n'"),
        ("return m * n", "return m * k", r"reference\.py:10: flops\(\) failed: NameError"),
        ("return alpha * x", "return alpha * y", r"reference\.py:6: reference\(\) failed: NameError: name 'y'"),
        ("return alpha * x", "return 3", r"reference\(\) must return a tensor, or a dict"),
        ('return {"x": rand(m, n)}', "return rand(m, n)", r"inputs\(\) must return a dict"),
        ("def inputs", "import nowhere\n\n\ndef inputs", r"reference\.py:1: cannot be imported: ModuleNotFoundError"),
    ],
)
def test_a_broken_reference_is_named(tmp_path: Path, find: str, replace: str, message: str) -> None:
    assert find in REFERENCE
    with pytest.raises(ExerciseError, match=message):
        contract_of(tmp_path, REFERENCE.replace(find, replace))


def test_a_default_of_the_reference_stands(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, REFERENCE.replace("(x, alpha):", "(x, alpha, eps=1e-5, **more):"))
    assert contract.signature(CASE) == ["x", "out", "m", "n", "alpha"]


def test_a_missing_reference_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match=r"reference\.py: missing"):
        load_contract(read_manifest(write(tmp_path, GOOD), "level1/drills/t"))


def test_random_case_stays_inside_and_moves() -> None:
    cases = [{"n": 1, "k": 7, "alpha": 0.5, "beta": 1.0}, {"n": 1025, "k": 7, "alpha": 2.5, "beta": 3.0}]
    drawn = [random_case(cases, random.Random(seed)) for seed in range(200)]
    assert all(case["alpha"] < case["beta"] for case in drawn), "scalars stay together"
    assert all(1 <= case["n"] <= 1025 and case["k"] == 7 and case["alpha"] in (0.5, 2.5) for case in drawn)
    assert len({case["n"] for case in drawn}) > 50


def test_random_case_takes_fixed_sizes_together() -> None:
    cases = [{"n": 1, "heads": 4, "shared": 2}, {"n": 1025, "heads": 9, "shared": 3}]
    drawn = [random_case(cases, random.Random(seed), ("heads", "shared")) for seed in range(200)]
    assert {(case["heads"], case["shared"]) for case in drawn} == {(4, 2), (9, 3)}
    assert len({case["n"] for case in drawn}) > 50


def test_work_counts_each_tensor_once(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, REFERENCE)
    inputs = contract.inputs(CASE, "normal", "float16", 0)
    layout = layout_of(inputs, contract.evaluate(inputs, CASE), "float16")
    elements = sum(tensor.numel() for tensor in inputs.values())
    work = contract.work(CASE, layout, "float16")
    assert contract.elements(CASE, "float16") == elements
    assert (work.read, work.dtype) == (2 * elements, "float16") and work.written > 0 and work.flops > 0


def test_bytes_moved_overrules_the_count(tmp_path: Path) -> None:
    text = REFERENCE + "\n\ndef bytes_moved(m, n, alpha):\n    return 1000 * m * n\n"
    contract = contract_of(tmp_path, text)
    inputs = contract.inputs(CASE, "normal", "float32", 0)
    layout = layout_of(inputs, contract.evaluate(inputs, CASE), "float32")
    assert contract.work(CASE, layout, "float32").bytes == 1000 * CASE["m"] * CASE["n"]


def test_a_size_that_is_0_in_every_case_stays_0() -> None:
    assert random_case([{"n": 0, "m": 5}, {"n": 0, "m": 5}], random.Random(1)) == {"n": 0, "m": 5}
