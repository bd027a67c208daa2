"""Compares the virtual GPU with hardware, instruction by instruction.

    python scripts/parity.py dump FILE [--backend vgpu]    run every form on the GPU, keep the bits of the results
    python scripts/parity.py check FILE                    run them on the virtual GPU and compare

A form is one PTX instruction with its suffixes (parity_forms.py, _floats, _convert, _warp), run by 512 threads on
edge values, rounding midpoints and random bits (parity_values.py). FILE holds results only: inputs are made anew, and
their hash is compared. How close is close enough, per form: parity_rules.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from parity_convert import conversions  # noqa: E402
from parity_floats import approximate, floats, halves  # noqa: E402
from parity_forms import Form, bits, integers  # noqa: E402
from parity_gpu import device_name, run_gpu, run_vgpu  # noqa: E402
from parity_rules import disagreement, positive  # noqa: E402
from parity_values import LANES, Column, checksum, inputs_of, width  # noqa: E402
from parity_warp import warpwide  # noqa: E402

Runner = Callable[[Form, list[Column]], list[Column]]
RUNNERS: dict[str, Runner] = {"gpu": run_gpu, "vgpu": run_vgpu}


@cache
def forms() -> dict[str, Form]:
    """Every form by name."""
    every = [*integers(), *bits(), *floats(), *approximate(), *halves(), *conversions(), *warpwide()]
    table = {form.name: form for form in every}
    assert len(table) == len(every), "two forms of one name"
    return table


def dump(path: Path, backend: str, wanted: list[Form]) -> dict[str, str]:
    """Run forms and write their results; those the device refuses, with its words."""
    results: dict[int, list[Column]] = {16: [], 32: [], 64: []}
    entries: dict[str, int] = {}
    refused: dict[str, str] = {}
    for form in wanted:
        inputs = inputs_of(form.name, form.inputs)
        try:
            outputs = RUNNERS[backend](form, inputs)
        except Exception as error:  # whatever a driver or the virtual GPU says: it is part of the result
            refused[form.name] = f"{type(error).__name__}: {error}"[:300]
            continue
        entries[form.name] = checksum(inputs)
        for type_, values in zip(form.outputs, outputs, strict=True):
            results[max(width(type_), 16)].append(values)
    meta = {"device": device_name(backend), "forms": entries, "refused": refused}
    arrays = {f"bits{n}": np.array(columns, f"<u{n // 8}") for n, columns in results.items()}
    arrays["meta"] = np.array(json.dumps(meta))
    np.savez_compressed(path, allow_pickle=False, **arrays)
    return refused


@dataclass(frozen=True)
class Dump:
    """The results of one device: per form the columns, as unsigned bits."""

    device: str
    refused: dict[str, str]
    results: dict[str, list[Column]]


def load(path: Path) -> Dump:
    """Read a dump. Raises SystemExit if it was made from other inputs or forms."""
    with np.load(path) as file:
        meta = json.loads(str(file["meta"]))
        left = {n: iter(file[f"bits{n}"].astype(np.uint64)) for n in (16, 32, 64)}
    results = {}
    for name, stored in meta["forms"].items():
        form = forms().get(name)
        if form is None or checksum(inputs_of(name, form.inputs)) != stored:
            raise SystemExit(f"{path}: {name} was dumped from other inputs; dump again")
        results[name] = [next(left[max(width(type_), 16)]) for type_ in form.outputs]
    return Dump(meta["device"], meta["refused"], results)


@dataclass(frozen=True)
class Comparison:
    """One form: lanes compared and wrong, the largest error in units of the bound, the first difference in words."""

    lanes: int
    wrong: int
    worst: float
    first: str


def compare(form: Form, dumped: list[Column]) -> Comparison:
    """The virtual GPU's results against dumped ones."""
    inputs = inputs_of(form.name, form.inputs)
    own = run_vgpu(form, inputs)
    scales = None
    if form.rule.startswith("magnitude"):
        scales = run_vgpu(form, [positive(k, column) for k, column in zip(form.inputs, inputs, strict=True)])
    valid = np.ones(LANES, np.bool_) if form.valid is None else np.asarray(form.valid(inputs), np.bool_)
    wrong, worst = np.zeros(LANES, np.bool_), 0.0
    for index, type_ in enumerate(form.outputs):
        scale = None if scales is None else scales[index][valid]
        bad, error = disagreement(form.rule, type_, dumped[index][valid], own[index][valid], scale)
        wrong[valid] |= bad
        worst = max(worst, error)
    first = ""
    if wrong.any():
        lane = int(np.flatnonzero(wrong)[0])
        columns = [" ".join(f"{int(c[lane]):#x}" for c in part) for part in (inputs[:6], dumped, own)]
        first = f"lane {lane}, inputs {columns[0]}: hardware {columns[1]}, virtual GPU {columns[2]}"
    return Comparison(int(valid.sum()), int(wrong.sum()), worst, first)


def check(path: Path) -> int:
    """Print a table by opcode and every form that differs; the number of those."""
    dumped = load(path)
    found = {name: compare(forms()[name], columns) for name, columns in dumped.results.items()}
    by_opcode: dict[str, list[Comparison]] = {}
    for name, result in found.items():
        by_opcode.setdefault(name.split(".")[0], []).append(result)
    print(f"virtual GPU against {dumped.device}\n{'opcode':12}{'forms':>7}{'results':>10}{'wrong':>8}{'error':>9}")
    for opcode, parts in sorted(by_opcode.items()):
        lanes, wrong = sum(part.lanes for part in parts), sum(part.wrong for part in parts)
        print(f"{opcode:12}{len(parts):7}{lanes:10}{wrong:8}{max(part.worst for part in parts):9.2f}")
    failed = {name: result for name, result in found.items() if result.wrong}
    for name, result in failed.items():
        print(f"\n{name}: {result.wrong} of {result.lanes} differ\n  {result.first}")
    for name, why in dumped.refused.items():
        print(f"refused by the device: {name}: {why}")
    missing = forms().keys() - dumped.results.keys() - dumped.refused.keys()
    print(f"\n{len(found)} forms, {len(failed)} differ, {len(dumped.refused)} refused, {len(missing)} not dumped")
    return len(failed)


def main() -> int:
    parser = argparse.ArgumentParser(description="The virtual GPU against hardware, instruction by instruction.")
    parser.add_argument("action", choices=["dump", "check"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--backend", choices=list(RUNNERS), default="gpu", help="what to dump from")
    options = parser.parse_args()
    if options.action == "check":
        return min(check(options.file), 1)
    refused = dump(options.file, options.backend, list(forms().values()))
    for name, why in refused.items():
        print(f"refused: {name}: {why}")
    print(f"{len(forms()) - len(refused)} forms dumped, {len(refused)} refused: {options.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
