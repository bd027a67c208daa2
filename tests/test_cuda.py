"""The CUDA track's host side: compiling, the compiler's words, arguments checked against the kernel's own types."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode

from grader import backends, cuda
from grader.backends import vgpu
from grader.cuda import BuildError, LaunchError, cdiv
from grader.launched import Launched
from grader.parameters import Parameter
from grader.recorder import recorder

SOURCE = """\
#include <cuda_fp16.h>
#include <cuda_bf16.h>
typedef long long index_t;

template <typename T, int WIDTH>
__global__ void scale(const T* __restrict__ x, T* out, float alpha, index_t n) { out[0] = x[WIDTH]; }

__global__ void add(const float* a, const float4* b, float* out, int n, unsigned char flag, bool on) {
    out[0] = a[0] + b[0].x + TILE;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with SOURCE in it; whatever this machine has, kernels are only compiled."""
    monkeypatch.setattr(backends, "current", lambda: vgpu)
    (tmp_path / "cuda_kernel.cu").write_text(SOURCE)
    return tmp_path


def load(folder: Path, kernel: str, file: str = "cuda_kernel.cu", **defines: object) -> cuda.Kernel:
    """What `load` does when it is called from a file in `folder`."""
    scope = {"__file__": str(folder / "cuda_launch.py"), "load": cuda.load}
    exec("loaded = lambda *args, **kwargs: load(*args, **kwargs)", scope)
    kernel_: cuda.Kernel = scope["loaded"](file, kernel, TILE=16, **defines)  # type: ignore[operator]
    return kernel_


def test_parameters_are_the_compilers(folder: Path) -> None:
    texts = [parameter.text for parameter in load(folder, "add").parameters]
    assert texts == ["const float *", "const float4 *", "float *", "int", "unsigned char", "__nv_bool"]
    scaled = load(folder, "scale<__nv_bfloat16, 4>")
    assert [parameter.text for parameter in scaled.parameters][:2] == ["const __nv_bfloat16 *", "__nv_bfloat16 *"]
    assert scaled.parameters[3].text == "long long"


def test_the_compilers_report_is_kept(folder: Path) -> None:
    load(folder, "add")
    build = cuda.builds[-1]
    assert build["kernel"] == "add" and build["target"] == "sm_90"
    assert build["registers"] > 0 and build["spill_stores"] == 0


@pytest.mark.parametrize(
    ("find", "replace", "said"),
    [
        ("a[0] +", "a[0] + missing +", r'cuda_kernel\.cu\(9\): error: identifier "missing" is undefined'),
        ("+ TILE;", "+ TILE", r'cuda_kernel\.cu\(10\): error: expected a ";"'),
        ("__global__ void add", "__global__ void sum", r"no kernel called 'add'; it has: scale, sum"),
    ],
)
def test_compile_errors_name_the_line(folder: Path, find: str, replace: str, said: str) -> None:
    (folder / "cuda_kernel.cu").write_text(SOURCE.replace(find, replace))
    with pytest.raises(BuildError, match=said) as caught:
        load(folder, "add")
    assert "ladder" not in str(caught.value), "the grader's own lines are not the learner's business"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("void add(int* x) { x[0] = 1; }", r"\(1\): error: this function runs nowhere: write `__global__ void`"),
        ("#include <iostream>\n", r'cannot open source file "iostream": the CPU\'s headers are not for kernels'),
        (
            "\n__global__ void add(int* x) {\n  if (x) {\n    x[0] = 1;\n}\n",
            r'\(2\): error: this "{" is never closed',
        ),
    ],
)
def test_compile_errors_are_for_beginners(folder: Path, source: str, said: str) -> None:
    (folder / "cuda_kernel.cu").write_text(source)
    with pytest.raises(BuildError, match=said) as caught:
        load(folder, "add")
    assert "-default-device" not in str(caught.value) and "At end of source" not in str(caught.value)


def test_a_call_without_a_grid_is_no_launch(folder: Path) -> None:
    with pytest.raises(LaunchError, match=r"add\(\.\.\.\) has no grid and block; a launch is add\[grid, block\]"):
        load(folder, "add")(*arguments())


def test_a_caret_shows_the_place(folder: Path) -> None:
    (folder / "cuda_kernel.cu").write_text(SOURCE.replace("a[0] +", "missing +"))
    with pytest.raises(BuildError, match=r"out\[0\] = missing .*\n\s+\^"):
        load(folder, "add")


def test_no_kernels_at_all(folder: Path) -> None:
    (folder / "cuda_kernel.cu").write_text("__device__ int x;\n")
    with pytest.raises(BuildError, match="it has no __global__ function"):
        load(folder, "add")


def test_no_file_and_no_utf8(folder: Path) -> None:
    with pytest.raises(BuildError, match=r"absent\.cu: no such file"):
        load(folder, "add", file="absent.cu")
    (folder / "cuda_kernel.cu").write_bytes(b"// ok\n// \xff\n")
    with pytest.raises(BuildError, match=r"cuda_kernel\.cu:2: not UTF-8"):
        load(folder, "add")


def arguments() -> list[object]:
    a, out = torch.zeros(4), torch.zeros(4)
    return [a, torch.zeros(4), out, 4, 1, True]


def test_a_right_launch_runs(folder: Path) -> None:
    recorder.shapes.clear()
    given = arguments()
    load(folder, "add")[1, 1](*given)
    assert given[2].tolist() == [16, 0, 0, 0]  # type: ignore[attr-defined]
    assert recorder.shapes[-1] == Launched(1, 1)
    assert vgpu.take_findings() == []


def test_a_launch_does_not_pay_for_the_guard(folder: Path) -> None:
    """What looks at every use of a tensor in solve() stays out of the launch: it would cost more than that."""

    class Watch(TorchFunctionMode):
        seen = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            self.seen += 1
            return func(*args, **(kwargs or {}))

    kernel, given = load(folder, "add"), arguments()
    with Watch() as watch:
        kernel[1, 1](*given)
        assert watch.seen == 0
        assert given[2].tolist() == [16, 0, 0, 0] and watch.seen  # type: ignore[attr-defined]


def test_findings_speak_of_the_sources_own_names(folder: Path) -> None:
    given = [torch.zeros(2), torch.zeros(0), *arguments()[2:]]
    load(folder, "add")[1, 1](*given)
    (finding,) = vgpu.take_findings()
    assert finding["kind"] == "out of bounds" and finding["severity"] == "error"
    assert "cuda_kernel.cu:9: thread 0 of block 0 reads b[0]" in finding["message"]
    assert vgpu.take_findings() == []


def test_an_assemblers_error_is_shown(folder: Path) -> None:
    (folder / "cuda_kernel.cu").write_text('__global__ void add(int* x) { asm volatile("add.s32 1, 2;"); }')
    with pytest.raises(BuildError, match="ptxas"):
        load(folder, "add")


def test_what_the_virtual_gpu_cannot_run_is_unverified(folder: Path) -> None:
    barrier = 'asm volatile("{ .shared .b64 b; mbarrier.init.shared.b64 [b], 1; }");'
    (folder / "cuda_kernel.cu").write_text(f"__global__ void f(int* x) {{ {barrier} x[0] = 1; }}")
    kernel = load(folder, "f")  # what is never launched need not be understood
    with pytest.raises(vgpu.cannot(), match=r"this kernel uses mbarrier.init.* needs a GPU .*cuda_kernel.cu:1"):
        kernel[1, 1](torch.zeros(1, dtype=torch.int32))


def test_a_kernel_for_newer_gpus_only_is_unverified(folder: Path) -> None:
    newer = '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900\n#error "needs sm_90"\n#endif\n'
    (folder / "cuda_kernel.cu").write_text(newer + "__global__ void f(int* x) { x[0] = 1; }")
    kernel = load(folder, "f")
    with pytest.raises(vgpu.cannot(), match=r"what compute_80 does not have.*needs sm_90"):
        kernel[1, 1](torch.zeros(1, dtype=torch.int32))


@pytest.mark.parametrize(
    ("position", "value", "said"),
    [
        (0, torch.zeros(4, dtype=torch.bfloat16), r"argument 1 \(`const float \*a`\): got a bfloat16 tensor"),
        (1, torch.zeros(4, dtype=torch.float16), r"argument 2 \(`const float4 \*b`\): got a float16 tensor"),
        (2, 4, r"argument 3 \(`float \*out`\): wants a tensor, got int"),
        (3, 2.5, r"argument 4 \(`int n`\): wants a whole number, got 2.5"),
        (3, 2**31, r"argument 4 \(`int n`\): 2147483648 does not fit"),
        (3, torch.zeros(4), r"argument 4 \(`int n`\): wants a number, got a tensor"),
        (3, "4", r"argument 4 \(`int n`\): wants a number, got str"),
        (4, 256, r"argument 5 \(`unsigned char flag`\): 256 does not fit"),
        (0, torch.zeros(4, device="meta"), r"argument 1 .*: got a tensor on meta; the kernel runs on cpu"),
    ],
)
def test_a_wrong_argument_is_named(folder: Path, position: int, value: object, said: str) -> None:
    given = arguments()
    given[position] = value
    with pytest.raises(LaunchError, match=said):
        load(folder, "add")[1, 256](*given)


def test_a_wrong_count_is_named(folder: Path) -> None:
    with pytest.raises(LaunchError, match=r"add takes 6 arguments \(const float \*a, .*, __nv_bool on\); got 5"):
        load(folder, "add")[1, 256](*arguments()[:-1])


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((1, 2048), "block of .* has 2048 threads|must be between 1 and 1024"),
        ((1, (32, 64)), "has 2048 threads; 1024 is the most"),
        ((0, 256), r"add: grid is 0: nothing would run\..* cdiv\(n, BLOCK\) rounds up"),
        (((3, 0), 256), r"grid is \(3, 0\): nothing would run"),
        ((-1, 256), "grid is -1; its x must be between 1 and"),
        ((1, 0), "block is 0; its x must be between 1 and"),
        (((1, 70000), 256), "grid .* its y must be between 1 and 65535"),
        ((1.5, 256), r"grid is 1\.5; it is a whole number"),
        (((1, 1, 1, 1), 256), "tuple of up to three"),
        ((1, (1, 1, 128)), "its z must be between 1 and 64"),
        (7, "takes two things"),
    ],
)
def test_a_wrong_shape_is_named(folder: Path, shape: object, said: str) -> None:
    with pytest.raises(LaunchError, match=said):
        load(folder, "add")[shape]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("int", 7, np.int32(7)),
        ("unsigned int", 2**32 - 1, np.uint32(2**32 - 1)),
        ("long long", -(2**40), np.int64(-(2**40))),
        ("float", 0.1, np.float32(0.1)),
        ("double", 3, np.float64(3)),
        ("__nv_bool", 1, np.bool_(True)),
        ("short", np.int64(5), np.int16(5)),
    ],
)
def test_scalars_take_the_exact_type(text: str, value: object, expected: np.generic) -> None:
    converted = Parameter(text).convert(value, "cpu")
    assert converted == expected and type(converted) is type(expected)


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("const __half2 *", torch.float16),
        ("__nv_bfloat162 *", torch.bfloat16),
        ("const uint4 *", torch.bfloat16),
        ("const unsigned char *", torch.float8_e4m3fn),
        ("__nv_fp8_e4m3 *", torch.float8_e4m3fn),
        ("signed char *", torch.int8),
        ("const long long *", torch.int64),
        ("void *", torch.float64),
        ("some_struct *", torch.float32),
    ],
)
def test_pointers_take_their_types(text: str, dtype: torch.dtype) -> None:
    tensor = torch.empty(4, dtype=dtype)
    assert Parameter(text).convert(tensor, "cpu") is tensor


def test_cdiv() -> None:
    assert [cdiv(n, 4) for n in (1, 4, 5, 8)] == [1, 1, 2, 2]


def test_missing_nvrtc_is_the_machines_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*args: object, **kwargs: object) -> None:
        raise cuda.nvrtc.NvrtcMissing("no NVRTC found; install it with: pip install nvidia-cuda-nvrtc")

    monkeypatch.setattr(cuda, "nvrtc", SimpleNamespace(**{**vars(cuda.nvrtc), "compile": absent}))
    with pytest.raises(backends.GraderError, match="pip install"):
        load(folder, "add")
