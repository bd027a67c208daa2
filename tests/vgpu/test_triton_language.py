"""Features of the Triton language on the virtual GPU, each against torch; a right kernel gets no finding."""

import pytest
import torch
import triton
import triton_language as kernels
from test_triton import DTYPES, clean, close, randn

HALVES = [torch.float16, torch.bfloat16]


def integers(low, high, *shape, dtype=torch.int32):
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(5)).to(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_where(reports, dtype):
    x, y = randn(1000, dtype=dtype), randn(1000, dtype=dtype).flip(0)
    x[::7], out = float("nan"), torch.empty_like(x)
    low, high = y - 1, y + 0.5
    kernels.clip[(4,)](x, low, high, out, 1000, BLOCK=256)
    assert torch.equal(out[1:7], torch.where(x < low, low, torch.where(x >= high, high, x))[1:7])
    torch.testing.assert_close(out, torch.where(x < low, low, torch.where(x >= high, high, x)), equal_nan=True)
    x = randn(1000, dtype=dtype)
    kernels.extrema[(4,)](x, y, out, 1000, BLOCK=256)
    even = torch.arange(1000) % 2 == 0
    assert torch.equal(out, torch.where(even, torch.maximum(x, y), torch.minimum(x, y))) and clean(reports)


CASTS = [
    (torch.float32, torch.float16), (torch.float32, torch.bfloat16), (torch.bfloat16, torch.float16),
    (torch.float16, torch.float32), (torch.float32, torch.float64), (torch.int32, torch.float16),
    (torch.int8, torch.bfloat16), (torch.int64, torch.float32), (torch.uint8, torch.float16),
    (torch.float32, torch.int8), (torch.bfloat16, torch.int32), (torch.float16, torch.int64),
    (torch.float32, torch.bool), (torch.int32, torch.int8),
    (torch.float8_e5m2, torch.float32), (torch.float8_e5m2, torch.float16), (torch.float8_e5m2, torch.bfloat16),
    (torch.float32, torch.float8_e5m2),
]  # fmt: skip


@pytest.mark.parametrize("source, target", CASTS, ids=lambda dtype: str(dtype)[6:])
def test_convert(reports, source, target):
    x = (randn(1000) * 40).to(source)
    out = torch.empty(1000, dtype=target)
    kernels.convert[(4,)](x, out, 1000, BLOCK=256)
    assert torch.equal(out.float(), x.to(target).float()) and clean(reports)


def test_every_fp8_code(reports):
    x = torch.arange(256).to(torch.uint8).view(torch.float8_e5m2)
    for target in DTYPES:
        out = torch.empty(256, dtype=target)
        kernels.convert[(1,)](x, out, 256, BLOCK=256)
        kept = x.float().isfinite() if target == torch.bfloat16 else slice(None)  # Triton on sm_80 drops bf16's inf
        torch.testing.assert_close(out.float()[kept], x.float()[kept], rtol=0, atol=0, equal_nan=True)
    assert clean(reports)


@pytest.mark.parametrize("dtype", HALVES)
def test_halves_to_fp8(reports, dtype):
    x, out = randn(1000, dtype=dtype), torch.empty(1000, dtype=torch.float8_e5m2)
    kernels.convert[(4,)](x, out, 1000, BLOCK=256)
    step = x.float().abs().log2().floor().exp2() / 4  # Triton on sm_80 rounds halves to the nearest, ties away from 0
    away = ((x.float().abs() / step + 0.5).floor() * step).copysign(x.float())
    assert torch.equal(out.float(), away) and clean(reports)


def test_bitcast(reports):
    x, out = randn(500), torch.empty(500, dtype=torch.int32)
    kernels.bits[(2,)](x, out, 500, BLOCK=256)
    assert torch.equal(out, x.view(torch.int32)) and clean(reports)


DOTS = [
    (torch.float32, "ieee", torch.float32, 1e-5), (torch.float32, "tf32", torch.float32, 2e-2),
    (torch.float32, "tf32x3", torch.float32, 1e-4), (torch.bfloat16, "tf32", torch.float32, 1e-4),
    (torch.float16, "tf32", torch.float32, 1e-4), (torch.float16, "tf32", torch.float16, 2e-2),
    (torch.int8, "ieee", torch.int32, 0), (torch.float8_e5m2, "tf32", torch.float32, 1e-4),
    (torch.float64, "ieee", torch.float64, 1e-5),
]  # fmt: skip


@pytest.mark.parametrize("dtype, precision, result, tolerance", DOTS)
@pytest.mark.parametrize("shape", [(16, 16, 32), (64, 32, 64)])
def test_dot(reports, dtype, precision, result, tolerance, shape):
    m, n, k = shape
    a, b = randn(m, k), randn(k, n)
    if dtype == torch.int8:
        a, b = a * 30, b * 30
    a, b, c = a.to(dtype), b.to(dtype), torch.empty(m, n, dtype=result)
    kernels.dot[(1,)](a, b, c, M=m, N=n, K=k, PRECISION=precision)
    close(c, a.double() @ b.double(), tolerance)
    assert clean(reports)


@pytest.mark.parametrize("dtype", DTYPES)
def test_batched_dot(reports, dtype):
    a, b, c = randn(4, 16, 16, dtype=dtype), randn(4, 16, 16, dtype=dtype).flip(1), torch.empty(4, 16, 16)
    kernels.batched_dot[(1,)](a, b, c, B=4, N=16)
    close(c, a.float() @ b.float(), 2e-2)
    assert clean(reports)


@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scan(reports, reverse):
    decay, x, out = torch.rand(100), randn(100), torch.empty(100)
    kernels.linear_recurrence[(1,)](decay, x, out, 100, BLOCK=128, REVERSE=reverse)
    want, state = [], torch.zeros(())
    steps = list(zip(decay, x, strict=True))
    for a, b in reversed(steps) if reverse else steps:
        state = a * state + b
        want.append(state)
    close(out, torch.stack(want[::-1] if reverse else want), 1e-5)
    assert clean(reports)


def test_cumulative(reports):
    x, total, product = randn(8, 32), torch.empty(8, 32), torch.empty(8, 32)
    kernels.running[(1,)](x, total, product, M=8, N=32)
    close(total, x.flip(1).cumsum(1).flip(1), 1e-5)
    close(product, x.cumprod(0), 1e-5)
    assert clean(reports)


@pytest.mark.parametrize("dtype", [*DTYPES, torch.int32])
@pytest.mark.parametrize("descending", [False, True])
def test_sort(reports, dtype, descending):
    x = (randn(4, 64) * 50).to(dtype)
    out = torch.empty_like(x)
    kernels.sort[(1,)](x, out, M=4, N=64, DESCENDING=descending)
    assert torch.equal(out, x.sort(1, descending=descending).values) and clean(reports)


@pytest.mark.parametrize("dtype", [*DTYPES, torch.int32])
def test_argmax_takes_the_first_of_equals(reports, dtype):
    x = integers(-20, 20, 8, 128).to(dtype)
    largest, at, least = torch.empty(8, dtype=dtype), integers(0, 1, 8), integers(0, 1, 8)
    kernels.best[(1,)](x, largest, at, least, M=8, N=128)
    assert torch.equal(largest, x.max(1).values)
    rows = x.tolist()
    assert at.tolist() == [row.index(max(row)) for row in rows]
    assert least.tolist() == [row.index(min(row)) for row in rows] and clean(reports)


@pytest.mark.parametrize("bins", [8, 128])
def test_histogram(reports, bins):
    x, out = integers(0, bins, 500), torch.empty(bins, dtype=torch.int32)
    kernels.count[(1,)](x, out, 500, BLOCK=512, BINS=bins)
    assert torch.equal(out.long(), x.bincount(minlength=bins)) and clean(reports)


def test_moving_elements(reports):
    x, index, out = randn(4, 64), integers(0, 64, 4, 64), torch.empty(4, 64)
    kernels.pick[(1,)](x, index, out, M=4, N=64)
    assert torch.equal(out, x.gather(1, index.long()))
    a, b, out, flipped = randn(64), randn(64).flip(0), torch.empty(128), torch.empty(128)
    kernels.interleave[(1,)](a, b, out, flipped, N=64)
    assert torch.equal(out, torch.stack([a, b], 1).reshape(-1))
    assert torch.equal(flipped, torch.stack([b, a], 1).reshape(-1).flip(0)) and clean(reports)


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32, torch.int64]
)
def test_atomic_add(reports, dtype):
    x, out = integers(-9, 9, 500).to(dtype), torch.zeros(8, dtype=dtype)
    kernels.atomic_sum[(4,)](x, out, 500, BLOCK=128)
    want = torch.zeros(8).index_add(0, torch.arange(500) % 8, x.float())
    assert torch.equal(out.float(), want) and clean(reports)


@pytest.mark.parametrize("dtype", [torch.int32, torch.float32, torch.int64, torch.uint32])
def test_atomic_max_and_min(reports, dtype):
    x = integers(1 if dtype == torch.uint32 else -900, 900, 500).to(dtype)
    most, least, before = torch.zeros(5, dtype=dtype), torch.full((4,), 1000).to(dtype), torch.empty(4, dtype=dtype)
    kernels.atomic_extrema[(4,)](x, most, least, before, 500, BLOCK=128)
    columns = x.long().view(125, 4)
    assert torch.equal(most[:4].long(), columns.max(0).values) and torch.equal(least.long(), columns.min(0).values)
    assert most[4].item() == x.long().max() and clean(reports)


def test_atomic_bits(reports):
    x, out = integers(0, 1 << 30, 300), torch.tensor([0, -1, 0]).int()
    kernels.atomic_bits[(3,)](x, out, 300, BLOCK=128)
    want = [0, -1, 0]
    for value in x.tolist():
        want = [want[0] | value, want[1] & value, want[2] ^ value]
    assert out.tolist() == want and clean(reports)


def test_atomic_cas(reports):
    slots, owner = torch.full((64,), -1).int(), torch.empty(8, 64, dtype=torch.int32)
    kernels.claim[(8,)](slots, owner, 64, BLOCK=64)
    assert (slots >= 0).all() and torch.equal(owner, slots.expand(8, 64)) and clean(reports)


@pytest.mark.parametrize("dtype", DTYPES)
def test_software_pipeline(reports, dtype):
    a, b, c = randn(32, 160, dtype=dtype), randn(160, 64, dtype=dtype), torch.empty(32, 64, dtype=dtype)
    compiled = kernels.pipelined[(2,)](a, b, c, 160, BM=32, BN=32, BK=32)
    assert "cp.async" in compiled.asm["ptx"]
    close(c, a.float() @ b.float(), 5e-2)
    assert clean(reports)


@pytest.mark.filterwarnings("ignore:tl.make_block_ptr is deprecated")
@pytest.mark.parametrize("dtype", HALVES)
def test_block_pointers(reports, dtype):
    a, b, c = randn(50, 72, dtype=dtype), randn(40, 72, dtype=dtype), torch.empty(50, 40, dtype=dtype)
    kernels.block_pointers[(2, 2)](a, b, c, 50, 40, 72, BM=32, BN=32, BK=32)
    close(c, a.float() @ b.float().T, 5e-2)
    assert clean(reports)


@pytest.mark.parametrize("n", [33, 100])
def test_heuristics(reports, n):
    x, out = randn(n), torch.empty(n)
    kernels.shape_dependent[(1,)](x, out, n)
    assert torch.equal(out, x if n % 2 else 2 * x) and clean(reports)


@pytest.mark.parametrize("n", [96, 100])
def test_autotune_with_heuristics(reports, n):
    x, out = randn(n), torch.empty(n)
    kernels.tuned[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n)
    assert torch.equal(out, x + 32) and len(reports) == 1 and clean(reports)


def test_constant_branches(reports):
    for kind, want in (("relu", torch.relu), ("square", torch.square), ("repeat", lambda x: x + 1 + 1 + 1)):
        x, out = randn(200), torch.empty(200)
        kernels.activation[(2,)](x, out, 200, BLOCK=128, KIND=kind)
        assert torch.equal(out, want(x)) and clean(reports)


def test_persistent_programs(reports):
    x, out = randn(1000), torch.empty(1000)
    kernels.persistent[(3,)](x, out, 1000, BLOCK=64)
    assert torch.equal(out, x * 2 + torch.arange(1000) // 64 % 3)
    kernels.work_queue[(3,)](x, out, torch.zeros(1, dtype=torch.int32), 1000, BLOCK=64)
    assert torch.equal(out, -x)
    steps = torch.empty(30, dtype=torch.int32)
    kernels.collatz[(30,)](steps, 30, BLOCK=1)
    assert steps[:9].tolist() == [0, 1, 7, 2, 5, 8, 16, 3, 19] and clean(reports)


def test_two_dimensional_masks(reports):
    x, out = randn(37, 64)[:, :50], torch.empty(37, 50)
    kernels.windows[(3, 2)](x, out, 37, 50, x.stride(0), BM=16, BN=32)
    want = x.clone()
    want[:, 1:] += x[:, :-1]
    want[1:] += x[:-1]
    close(out, want, 1e-6)
    assert clean(reports)


def test_assert_and_print(reports):
    x, out = torch.arange(40.0), torch.empty(40)
    kernels.checked[(2,)](x, out, 40, BLOCK=32, debug=True)
    assert torch.equal(out, x) and clean(reports)
    assert "value" in reports[0].printed and "39.0" in reports[0].printed


def test_mathematics(reports):
    x, out = randn(100), torch.empty(5, 100)
    kernels.mathematics[(1,)](x, out, 100, BLOCK=128)
    v, a = x.double(), x.double().abs()
    rows = [v.sin() + v.cos(), a.log2() + v.exp2(), a.sqrt() + v / 3 + v * v + v,
            v.floor() - v.ceil() + v.clamp(-0.5, 0.5), v.tanh() + a**1.5]  # fmt: skip
    close(out, torch.stack(rows), 3e-6)
    assert clean(reports)


def test_wide_integers(reports):
    x, y = integers(0, 1 << 60, 100, dtype=torch.int64), integers(1, 1 << 40, 100, dtype=torch.int64)
    out, high = torch.empty(100, dtype=torch.int64), torch.empty(100, dtype=torch.int64)
    kernels.wide_integers[(1,)](x, y, out, high, 100, BLOCK=128)
    assert torch.equal(out, x // y + x % y + (x ^ y) + (x >> 3))
    assert high.tolist() == [a * b >> 64 for a, b in zip(x.tolist(), y.tolist(), strict=True)] and clean(reports)


def test_reduction_of_a_pair(reports):
    x, out = randn(5, 100), torch.empty(5)
    kernels.log_sum_exp[(5,)](x, out, 100, BLOCK=128)
    close(out, x.logsumexp(1), 1e-5)
    assert clean(reports)


def test_there_are_enough():
    assert len([name for name in vars(kernels) if not name.startswith("_")]) >= 25
