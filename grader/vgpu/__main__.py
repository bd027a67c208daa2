"""The command line: compile a kernel, run it, and print what the checker found.

python -m grader.vgpu kernel.cu --kernel add --grid 4 --block 256 --arg f32[1000]=rand --arg f32[1000] --arg i32=1000
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from grader.vgpu import InitialisedMap, LaunchError, Module, Report, Unsupported, nvrtc
from grader.vgpu.cudasource import explain, parameter_names
from grader.vgpu.errors import PtxError
from grader.vgpu.occupancy import LIMITS, occupancy
from grader.vgpu.resources import parse_resources

_TYPES: dict[str, Any] = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
_ARGUMENT = re.compile(r"(\w+?)(?:\[(\d+)\])?(?:=(.+))?$")
_SHOWN = 8  # elements of an array that are printed


def parse_argument(text: str, rng: np.random.Generator, marks: InitialisedMap) -> Any:
    """`i32=5` is a number; `f32[100]` an uninitialised array; `f32[100]=rand`, `=range` or `=0` fill it.

    Raises argparse.ArgumentTypeError.
    """
    found = _ARGUMENT.match(text)
    if found is None or found[1] not in _TYPES or (found[2] is None and found[3] is None):
        raise argparse.ArgumentTypeError(f"{text!r}: write type=value or type[count]=fill, such as f32[100]=rand")
    dtype, count, fill = _TYPES[found[1]], found[2], found[3]
    if count is None:
        return dtype(float(fill) if dtype in (np.float16, np.float32, np.float64) else int(fill))
    size = int(count)
    if fill is None:
        array = np.zeros(size, dtype)
        marks.mark_uninitialised(array)
        return array
    if fill == "rand":
        return (
            rng.standard_normal(size) if dtype in (np.float16, np.float32, np.float64) else rng.integers(0, 100, size)
        ).astype(dtype)
    return np.arange(size).astype(dtype) if fill == "range" else np.full(size, float(fill)).astype(dtype)


def _arguments(texts: list[str], rng: np.random.Generator, marks: InitialisedMap) -> list[Any]:
    """All of the launch's arguments. Raises argparse.ArgumentTypeError."""
    values = []
    for text in texts:
        try:
            values.append(parse_argument(text, rng, marks))
        except (ValueError, OverflowError) as error:
            raise argparse.ArgumentTypeError(f"--arg {text}: {error}") from None
    return values


def dimensions(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def main(arguments: list[str] | None = None) -> int:
    """Compile, run and report; 0 if the kernel is clean, 1 if it has errors, 2 if it cannot be run."""
    options = _parser().parse_args(arguments)
    rng, marks = np.random.default_rng(options.seed), InitialisedMap()
    names: tuple[str, ...] = ()
    try:
        source = _read(options.file)
        args = _arguments(options.arg, rng, marks)
        if options.file.endswith(".ptx"):
            text, name = source, options.kernel
        else:
            compiled = nvrtc.compile(source, name=options.file, arch="compute_80", expressions=[options.kernel])
            text, name = compiled.image.decode(), compiled.lowered[options.kernel]
            names = parameter_names(source, options.kernel)
        report = (
            Module(text)
            .kernel(name)
            .launch(
                options.grid,
                options.block,
                args,
                options.smem,
                seed=options.seed,
                profile=options.profile,
                initialised=marks,
                names=names,
            )
        )
    except nvrtc.CompileError as error:
        print(explain(str(error), source, options.file, options.kernel), file=sys.stderr)
        return 2
    except (_NoFile, nvrtc.NvrtcMissing, PtxError, LaunchError, Unsupported, argparse.ArgumentTypeError) as error:
        print(error, file=sys.stderr)
        return 2
    _show(report, options.arg, args)
    if not options.file.endswith(".ptx"):
        _show_resources(source, options)
    return 1 if report.errors else 0


class _NoFile(Exception):
    """The source cannot be read; the message says why."""


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise _NoFile(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _NoFile(f"{file}: not UTF-8") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grader.vgpu", description="Run a CUDA kernel without a GPU.")
    parser.add_argument("file", help="a .cu or .ptx file")
    parser.add_argument("--kernel", required=True, help="the kernel's name, such as add or scale<float>")
    parser.add_argument("--grid", type=dimensions, default=(1,), help="blocks: x[,y[,z]] (1)")
    parser.add_argument("--block", type=dimensions, default=(32,), help="threads per block: x[,y[,z]] (32)")
    parser.add_argument("--arg", action="append", default=[], help="type=value or type[count][=rand|range|number]")
    parser.add_argument("--smem", type=int, default=0, help="dynamic shared memory, in bytes (0)")
    parser.add_argument("--seed", type=int, default=0, help="of random arguments and of the order of blocks (0)")
    parser.add_argument("--profile", action="store_true", help="counts per source line")
    parser.add_argument(
        "--arch", default="sm_90", choices=sorted(LIMITS), help="target of the resource report (sm_90)"
    )
    return parser


def _show(report: Report, texts: list[str], args: list[Any]) -> None:
    print(report.printed, end="")
    for finding in report.findings:
        print(f"{finding.severity}: {finding}")
    for text, value in zip(texts, args, strict=True):
        if isinstance(value, np.ndarray):
            shown = " ".join(f"{item:g}" for item in value[:_SHOWN].tolist())
            print(f"{text:>20}: {shown}{' ...' if value.size > _SHOWN else ''}")
    print(f"{report.steps} thread-instructions, {len(report.findings)} findings")
    if report.profile is not None:
        print("line  active lanes  sectors/request  efficiency  wavefronts/request  flops")
    for line in report.profile.lines if report.profile is not None else ():
        print(
            f"{line.line:>4}  {line.active_lanes:12.1f}  {line.sectors_per_request:15.1f}"
            f"  {line.global_efficiency:10.0%}  {line.wavefronts_per_request:18.1f}  {line.flops}"
        )


def _show_resources(source: str, options: argparse.Namespace) -> None:
    compiled = nvrtc.compile(source, name=options.file, arch=options.arch, expressions=[options.kernel])
    used = parse_resources(compiled.log).get(compiled.lowered[options.kernel])
    if used is None:
        return
    threads = int(np.prod(options.block))
    fit = occupancy(options.arch, threads, used.registers, used.shared + options.smem)
    spilled = used.spill_stores + used.spill_loads
    print(
        f"{options.arch}: {used.registers} registers, {spilled} bytes spilled, {used.stack} bytes of stack, "
        f"{used.shared} bytes of shared memory; occupancy {fit.fraction:.0%}, limited by {fit.limiter}"
    )


if __name__ == "__main__":
    sys.exit(main())
