"""Benchmarks beside the same work in NumPy, in groups, so that --benchmark-only shows the ratios. Checks are on."""

import numpy as np
import pytest
from golden import CASES
from test_module import ADD

pytestmark = pytest.mark.benchmark(min_rounds=3, max_time=0.2, warmup=True)


def source(name):
    import golden_basic  # noqa: F401

    return next(case.source for case in CASES if case.name == name)


def row_softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.fixture
def numbers():
    return np.random.default_rng(0).standard_normal((32, 1000)).astype(np.float32)


@pytest.mark.benchmark(group="vector add, 10,000")
@pytest.mark.parametrize("profile", [False, True], ids=["", "profiled"])
def test_vector_add(benchmark, cuda, profile):
    a, c = np.ones(10_000, np.float32), np.empty(10_000, np.float32)
    kernel = cuda(ADD).kernel("add")
    benchmark(lambda: kernel.launch(40, 256, (a, a, c, 10_000), profile=profile))


@pytest.mark.benchmark(group="vector add, 10,000")
def test_vector_add_numpy(benchmark):
    a = np.ones(10_000, np.float32)
    benchmark(lambda: a + a)


@pytest.mark.benchmark(group="matmul")
@pytest.mark.parametrize("n", [64, 256])
def test_matmul(benchmark, cuda, n):
    a, c = np.ones((n, n), np.float32), np.empty((n, n), np.float32)
    kernel = cuda(source("matmul_tiled")).kernel("k")
    benchmark(lambda: kernel.launch((n // 16, n // 16), (16, 16), (a, a, c, n, n, n)))


@pytest.mark.benchmark(group="matmul")
@pytest.mark.parametrize("n", [64, 256])
def test_matmul_numpy(benchmark, n):
    a = np.ones((n, n), np.float32)
    benchmark(lambda: a @ a)


@pytest.mark.benchmark(group="softmax, 32 x 1000")
def test_softmax(benchmark, cuda, numbers):
    kernel = cuda(source("softmax_rows")).kernel("k")
    benchmark(lambda: kernel.launch(32, 256, (numbers, np.empty_like(numbers), 1000)))


@pytest.mark.benchmark(group="softmax, 32 x 1000")
def test_softmax_numpy(benchmark, numbers):
    benchmark(lambda: row_softmax(numbers))
