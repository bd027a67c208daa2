"""NVRTC, NVIDIA's runtime compiler for CUDA C++, called through ctypes.

It needs neither a GPU nor a driver: the library comes with the nvidia-cuda-nvrtc wheel (or any CUDA toolkit on
the machine). Reference: "NVRTC (Runtime Compilation)" in NVIDIA's CUDA documentation.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cuda.pathfinder import find_nvidia_header_directory, load_nvidia_dynamic_lib

from grader.vgpu.headers import HEADERS


class CompileError(Exception):
    """The source does not compile; the message is the compiler's log (file, line and caret for each error)."""


class NvrtcMissing(Exception):
    """This machine has no usable NVRTC; the message says what to install."""


@dataclass(frozen=True)
class Compiled:
    """What one compilation yields.

    `image` is PTX text for a virtual target (compute_80) and a cubin for a real one (sm_90); `log` holds warnings
    and, for a real target, ptxas' resource report; `lowered` maps each name expression to its mangled name.
    """

    image: bytes
    log: str
    lowered: dict[str, str]


def compile(
    source: str,
    *,
    name: str,
    arch: str,
    expressions: Sequence[str] = (),
    defines: Mapping[str, object] | None = None,
    options: Sequence[str] = (),
) -> Compiled:
    """Compile CUDA C++ `source` for `arch` ("compute_80" gives PTX, "sm_90" a cubin).

    `name` is the file name that errors and line tables show. `expressions` are names of kernels, such as "add" or
    "scale<float, 4>", whose mangled names are wanted. Raises CompileError, NvrtcMissing.
    """
    lib = _library()
    program = ctypes.c_void_p()
    texts, names = _strings(list(HEADERS.values())), _strings(list(HEADERS))
    _check(lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), len(HEADERS), texts, names))
    try:
        for expression in expressions:
            _check(lib.nvrtcAddNameExpression(program, expression.encode()))
        flags = [
            f"--gpu-architecture={arch}",
            "--std=c++17",
            "--generate-line-info",
            *(f"--include-path={directory}" for directory in _include_directories()),
            *(f"--define-macro={key}={value}" for key, value in (defines or {}).items()),
            *(["--ptxas-options=-v"] if arch.startswith("sm_") else []),
            *(["--no-cache"] if version() >= (12, 9) else []),  # what comes from its cache has no resource report
            *options,
        ]
        failed = lib.nvrtcCompileProgram(program, len(flags), _strings(flags))
        log = (
            _bytes(lib.nvrtcGetProgramLogSize, lib.nvrtcGetProgramLog, program).rstrip(b"\0").decode(errors="replace")
        )
        if failed:
            raise CompileError(log or lib.nvrtcGetErrorString(failed).decode())
        kind = "CUBIN" if arch.startswith("sm_") else "PTX"
        image = _bytes(getattr(lib, f"nvrtcGet{kind}Size"), getattr(lib, f"nvrtcGet{kind}"), program)
        if kind == "PTX":
            image = image.rstrip(b"\0")
        return Compiled(image, log, {expression: _lowered(program, expression) for expression in expressions})
    finally:
        lib.nvrtcDestroyProgram(ctypes.byref(program))


def supported_archs() -> list[int]:
    """The compute capabilities this NVRTC compiles for, as numbers: 90 stands for sm_90."""
    lib, count = _library(), ctypes.c_int()
    _check(lib.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    archs = (ctypes.c_int * count.value)()
    _check(lib.nvrtcGetSupportedArchs(archs))
    return list(archs)


@cache
def version() -> tuple[int, int]:
    """NVRTC's (major, minor) version."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return major.value, minor.value


@cache
def _library() -> ctypes.CDLL:
    try:
        path = load_nvidia_dynamic_lib("nvrtc").abs_path
    except Exception as error:  # pathfinder has several error types, and their texts list every place searched
        raise NvrtcMissing("no NVRTC found; install it with: pip install nvidia-cuda-nvrtc") from error
    for builtins in sorted(Path(path or "").parent.glob("libnvrtc-builtins.so.*")):
        ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)  # NVRTC 13.0 does not look beside itself for it
    lib = ctypes.CDLL(path)
    lib.nvrtcGetErrorString.restype = ctypes.c_char_p
    return lib


@cache
def _include_directories() -> tuple[Path, ...]:
    """Where cuda_fp16.h and its like are, libcu++ (<cuda/std/...>), and what mma.h includes (crt/mma.h), which has a
    package of its own: where that is not installed, a CUDA toolkit's.
    """
    found = [find_nvidia_header_directory(library) for library in ("cudart", "cccl")]
    directories = [Path(path) for path in found if path]
    nested = [path / "cccl" for path in directories if (path / "cccl").is_dir()]
    if not any((path / "crt/mma.h").is_file() for path in directories):
        nested += [path for path in _toolkits() if (path / "crt/mma.h").is_file()][:1]
    return tuple(dict.fromkeys(directories + nested))


def _toolkits() -> Iterator[Path]:
    """The include directories that CUDA toolkits have here: the one that is asked for, on the PATH, the usual one."""
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(name):
            yield Path(os.environ[name]) / "include"
    compiler = shutil.which("nvcc")
    if compiler:
        yield Path(compiler).resolve().parent.parent / "include"
    yield Path("/usr/local/cuda/include")


def _lowered(program: ctypes.c_void_p, expression: str) -> str:
    name = ctypes.c_char_p()
    _check(_library().nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(name)))
    return (name.value or b"").decode()


def _bytes(size_of: ctypes._NamedFuncPointer, fetch: ctypes._NamedFuncPointer, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    _check(size_of(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _check(fetch(program, buffer))
    return buffer.raw


def _strings(values: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(values))(*(value.encode() for value in values))


def _check(status: int) -> None:
    if status:
        raise RuntimeError(f"NVRTC: {_library().nvrtcGetErrorString(status).decode()}")
