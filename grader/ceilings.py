"""What this card does at best, measured on it: the roof of the roofline. Kept in the cache folder once measured."""

from __future__ import annotations

import contextlib
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
import torch

from grader.backends import Launcher, Program, gpu
from grader.card import Card, cache_folder
from grader.roofline import Ceilings
from grader.stopwatch import Call, Stopwatch
from grader.vgpu import nvrtc

SAMPLES = 15

_KERNELS = """
extern "C" __global__ void read(const float4* data, float* out, long long count) {
    float sum = 0.0f;
    long long stride = (long long)gridDim.x * blockDim.x;
    #pragma unroll 8
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        float4 value = data[i];
        sum += value.x + value.y + value.z + value.w;
    }
    if (sum == 12345.678f) out[0] = sum;  // never, but the compiler cannot know
}
extern "C" __global__ void add(float* out, float value) {
    atomicAdd(out, value);
}
"""

Progress = Callable[[str], None]


def ceilings(card: Card, progress: Progress = lambda text: None, again: bool = False) -> Ceilings:
    """The ceilings of `card`, from the cache or, the first time or if asked for `again`, measured."""
    path = _path(card)
    if not again:
        with contextlib.suppress(OSError, ValueError, TypeError):
            return Ceilings(**json.loads(path.read_text()))
    measured = measure(progress)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(measured), indent=2))
    partial.replace(path)
    return measured


def measure(progress: Progress) -> Ceilings:
    """Measure all of them: a few seconds. Raises torch.OutOfMemoryError."""
    watch = Stopwatch()
    size = min(1 << 30, torch.cuda.mem_get_info()[0] // 8) // 16 * 16
    progress("copy and read bandwidth")
    copy, read = _copy(watch, size), _read(watch, size)
    rates = {}
    for name, multiply in _products().items():
        progress(f"matrix product in {name}")
        with contextlib.suppress(RuntimeError, AttributeError):  # a type that this card or this torch has not
            rates[name] = multiply(watch)
        torch.cuda.empty_cache()
    progress("launch and synchronisation")
    return Ceilings(copy, read, rates, _launch(), _graph_launch(watch), _synchronize(), _atomic(watch))


def _path(card: Card) -> Path:
    return cache_folder() / f"ceilings-{card.uuid}-{card.driver()}-{torch.__version__}.json"


def _median(watch: Stopwatch, call: Call) -> float:
    watch.block([[call]] * 3)
    return statistics.median(watch.block([[call]] * SAMPLES))


def _copy(watch: Stopwatch, size: int) -> float:
    source = torch.randint(256, (size,), dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    return 2 * size / _median(watch, lambda: target.copy_(source))


def _read(watch: Stopwatch, size: int) -> float:
    launch = _kernel("read", "data", "out", "count")
    data = torch.randn(size // 4, device="cuda")
    out = torch.empty(1, device="cuda")
    grid = (4 * torch.cuda.get_device_properties(0).multi_processor_count, 1, 1)
    args = (data, out, np.int64(size // 16))
    return size / _median(watch, lambda: launch(grid, (512, 1, 1), args, 0, None))


def _atomic(watch: Stopwatch) -> float:
    """Seconds from one addition to the next, when every thread adds to the same float."""
    launch = _kernel("add", "out", "value")
    out = torch.zeros(1, device="cuda")
    blocks, threads = 1024, 256
    return _median(watch, lambda: launch((blocks, 1, 1), (threads, 1, 1), (out, np.float32(1)), 0, None)) / (
        blocks * threads
    )


def _kernel(name: str, *parameters: str) -> Launcher:
    compiled = nvrtc.compile(_KERNELS, name="ceilings.cu", arch=gpu.arch(), expressions=[])
    return gpu.load(Program(compiled.image, name, parameters, lambda arch: b""))


def _products() -> dict[str, Callable[[Stopwatch], float]]:
    """Matrix products by element type; bits of random data, for zeros multiply faster."""
    types = {"float16": torch.float16, "bfloat16": torch.bfloat16}
    return {
        "float32": partial(_product, dtype=torch.float32, multiply=torch.mm),
        "tf32": _tf32,
        **{name: partial(_product, dtype=dtype, multiply=torch.mm) for name, dtype in types.items()},
        "float8_e4m3fn": partial(_product, dtype=torch.float8_e4m3fn, multiply=_scaled),
        "int8": partial(_product, dtype=torch.int8, multiply=torch._int_mm),
    }


def _product(
    watch: Stopwatch, dtype: torch.dtype, multiply: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
) -> float:
    """Operations per second of an n x n x n product; n as large as a fifth of a second allows."""
    best = 0.0
    for n in (2048, 4096, 8192):
        a, b = (torch.randn(n, n, device="cuda").mul(30 if dtype == torch.int8 else 1).to(dtype) for _ in range(2))
        right = b.t()  # column-major, as fp8 wants it
        seconds = _median(watch, partial(multiply, a, right))
        best = max(best, 2 * n**3 / seconds)
        if seconds > 0.025:
            break
    return best


def _tf32(watch: Stopwatch) -> float:
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        return _product(watch, torch.float32, torch.mm)
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before


def _scaled(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    one = torch.ones((), device="cuda")
    return torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


def _empty() -> None:
    torch.cuda._sleep(0)  # type: ignore[no-untyped-call]


def _launch(count: int = 2000) -> float:
    """Seconds that one kernel of many takes when it does nothing: what the host can queue."""
    _empty()
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(count):
        _empty()
    torch.cuda.synchronize()
    return (time.perf_counter() - started) / count


def _graph_launch(watch: Stopwatch, count: int = 200) -> float:
    """The same inside a CUDA graph: what the device itself needs between two kernels."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(count):
            _empty()
    return _median(watch, graph.replay) / count


def _synchronize(count: int = 200) -> float:
    """Seconds from launching an empty kernel to knowing that it has ended."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        _empty()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
    return statistics.median(times)
