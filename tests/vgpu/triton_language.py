"""Triton kernels of the tests, one feature of the language each: formats, dots, scans, atomics, control flow."""

# mypy: ignore-errors
import triton
import triton.language as tl


@triton.jit
def clip(x, low, high, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    a, b = tl.load(low + i, mask=i < n), tl.load(high + i, mask=i < n)
    tl.store(out + i, tl.where(v < a, a, tl.where(v >= b, b, v)), mask=i < n)


@triton.jit
def extrema(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.load(x + i, mask=i < n), tl.load(y + i, mask=i < n)
    tl.store(out + i, tl.where(i % 2 == 0, tl.maximum(a, b), tl.minimum(a, b)), mask=i < n)


@triton.jit
def convert(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n).to(out.dtype.element_ty), mask=i < n)


@triton.jit
def bits(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n).to(out.dtype.element_ty, bitcast=True), mask=i < n)


@triton.jit
def dot(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x, y = tl.load(a + m[:, None] * K + k[None]), tl.load(b + k[:, None] * N + n[None])
    acc = tl.dot(x, y, input_precision=PRECISION, out_dtype=c.dtype.element_ty)
    tl.store(c + m[:, None] * N + n[None], acc)


@triton.jit
def batched_dot(a, b, c, B: tl.constexpr, N: tl.constexpr):
    z, i, j = tl.arange(0, B)[:, None, None], tl.arange(0, N)[None, :, None], tl.arange(0, N)[None, None]
    where = z * N * N + i * N + j
    tl.store(c + where, tl.dot(tl.load(a + where), tl.load(b + where)))


@triton.jit
def _compose(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def linear_recurrence(decay, x, out, n, BLOCK: tl.constexpr, REVERSE: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pair = (tl.load(decay + i, mask=i < n, other=1.0), tl.load(x + i, mask=i < n, other=0.0))
    tl.store(out + i, tl.associative_scan(pair, 0, _compose, reverse=REVERSE)[1], mask=i < n)


@triton.jit
def running(x, total, product, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None]
    v = tl.load(x + i)
    tl.store(total + i, tl.cumsum(v, 1, reverse=True))
    tl.store(product + i, tl.cumprod(v, 0))


@triton.jit
def sort(x, out, M: tl.constexpr, N: tl.constexpr, DESCENDING: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None]
    tl.store(out + i, tl.sort(tl.load(x + i), descending=DESCENDING))


@triton.jit
def best(x, largest, where_largest, where_smallest, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    v = tl.load(x + m[:, None] * N + tl.arange(0, N)[None])
    value, index = tl.max(v, 1, return_indices=True)
    tl.store(largest + m, value)
    tl.store(where_largest + m, index)
    tl.store(where_smallest + m, tl.argmin(v, 1))


@triton.jit
def count(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + tl.arange(0, BINS), tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS, mask=i < n))


@triton.jit
def pick(x, index, out, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None]
    tl.store(out + i, tl.gather(tl.load(x + i), tl.load(index + i), 1))


@triton.jit
def interleave(x, y, out, flipped, N: tl.constexpr):
    i = tl.arange(0, N)
    both = tl.interleave(tl.load(x + i), tl.load(y + i))
    tl.store(out + tl.arange(0, 2 * N), both)
    a, b = tl.split(tl.reshape(both, (N, 2)))
    tl.store(flipped + tl.arange(0, 2 * N), tl.flip(tl.reshape(tl.join(b, a), (2 * N,)), 0))


@triton.jit
def atomic_sum(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + i % 8, tl.load(x + i, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def atomic_extrema(x, most, least, before, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.atomic_max(most + i % 4, v, mask=i < n)
    tl.atomic_min(least + i % 4, v, mask=i < n)
    tl.store(before + tl.program_id(0), tl.atomic_max(most + 4, tl.max(tl.where(i < n, v, 0), 0)))


@triton.jit
def atomic_bits(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.atomic_or(out + i * 0, v, mask=i < n)
    tl.atomic_and(out + i * 0 + 1, v, mask=i < n)
    tl.atomic_xor(out + i * 0 + 2, v, mask=i < n, sem="relaxed", scope="sys")


@triton.jit
def claim(slots, owner, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mine = tl.zeros((BLOCK,), tl.int32) + tl.program_id(0)
    seen = tl.atomic_cas(slots + i % n, tl.full((BLOCK,), -1, tl.int32), mine)
    tl.store(owner + tl.program_id(0) * BLOCK + i, tl.where(seen == -1, mine, seen))


@triton.jit
def pipelined(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in tl.range(0, K, BK, num_stages=3):
        k = start + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k[None])
        y = tl.load(b + k[:, None] * (BN * tl.num_programs(0)) + n[None])
        acc += tl.dot(x, y)
    tl.store(c + m[:, None] * (BN * tl.num_programs(0)) + n[None], acc.to(c.dtype.element_ty))


@triton.jit
def block_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    x = tl.make_block_ptr(a, (M, K), (K, 1), (tl.program_id(0) * BM, 0), (BM, BK), (1, 0))
    y = tl.make_block_ptr(b, (K, N), (1, K), (0, tl.program_id(1) * BN), (BK, BN), (0, 1))
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc += tl.dot(
            tl.load(x, boundary_check=(0, 1), padding_option="zero"),
            tl.load(y, boundary_check=(0, 1), padding_option="zero"),
        )
        x, y = tl.advance(x, (0, BK)), tl.advance(y, (BK, 0))
    z = tl.make_block_ptr(c, (M, N), (N, 1), (tl.program_id(0) * BM, tl.program_id(1) * BN), (BM, BN), (1, 0))
    tl.store(z, acc.to(c.dtype.element_ty), boundary_check=(0, 1))


@triton.heuristics({"BLOCK": lambda a: triton.next_power_of_2(a["n"]), "EVEN": lambda a: a["n"] % 2 == 0})
@triton.jit
def shape_dependent(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if EVEN:
        v = v * 2
    tl.store(out + i, v, mask=i < n)


@triton.autotune([triton.Config({"BLOCK": b}, num_warps=w) for b, w in ((32, 1), (256, 8))], key=["n"])
@triton.heuristics({"PADDED": lambda a: a["n"] % a["BLOCK"] != 0})
@triton.jit
def tuned(x, out, n, BLOCK: tl.constexpr, PADDED: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if PADDED:
        tl.store(out + i, tl.load(x + i, mask=i < n) + BLOCK, mask=i < n)
    else:
        tl.store(out + i, tl.load(x + i) + BLOCK)


@triton.jit
def activation(x, out, n, BLOCK: tl.constexpr, KIND: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if KIND == "relu":
        v = tl.maximum(v, 0.0)
    elif KIND == "square":
        v = v * v
    else:
        tl.static_assert(KIND == "repeat")
        for _ in tl.static_range(3):
            v += 1
    tl.store(out + i, v, mask=i < n)


@triton.jit
def persistent(x, out, n, BLOCK: tl.constexpr):
    tile = tl.program_id(0)
    while tile * BLOCK < n:
        i = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + i, tl.load(x + i, mask=i < n) * 2 + tl.program_id(0), mask=i < n)
        tile += tl.num_programs(0)


@triton.jit
def work_queue(x, out, ticket, n, BLOCK: tl.constexpr):
    tile = tl.atomic_add(ticket, 1)
    while tile * BLOCK < n:
        i = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + i, -tl.load(x + i, mask=i < n), mask=i < n)
        tile = tl.atomic_add(ticket, 1)


@triton.jit
def collatz(out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    v, steps = pid + 1, 0
    while v != 1:
        if v % 2:
            v = 3 * v + 1
            steps += 1
        v = v // 2
        steps += 1
    tl.store(out + pid, steps)


@triton.jit
def windows(x, out, M, N, stride, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (m[:, None] < M) & (n[None] < N)
    left = tl.load(x + m[:, None] * stride + n[None] - 1, mask=inside & (n[None] > 0), other=0.0)
    up = tl.load(x + (m[:, None] - 1) * stride + n[None], mask=inside & (m[:, None] > 0), other=0.0)
    tl.store(
        out + m[:, None] * N + n[None], tl.load(x + m[:, None] * stride + n[None], mask=inside) + left + up, inside
    )


@triton.jit
def checked(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.device_assert(v < 100, "too large")
    tl.device_print("value", v)
    tl.store(out + i, v, mask=i < n)


@triton.jit
def mathematics(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=1.0)
    tl.store(out + i, tl.sin(v) + tl.cos(v), mask=i < n)
    tl.store(out + n + i, tl.log2(tl.abs(v)) + tl.exp2(v), mask=i < n)
    tl.store(out + 2 * n + i, tl.sqrt_rn(tl.abs(v)) + tl.div_rn(v, 3.0) + tl.fma(v, v, v), mask=i < n)
    tl.store(out + 3 * n + i, tl.floor(v) - tl.ceil(v) + tl.clamp(v, -0.5, 0.5), mask=i < n)
    tl.store(
        out + 4 * n + i, tl.extra.cuda.libdevice.tanh(v) + tl.extra.cuda.libdevice.pow(tl.abs(v), 1.5), mask=i < n
    )


@triton.jit
def wide_integers(x, y, out, high, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i, mask=i < n, other=1), tl.load(y + i, mask=i < n, other=1)
    tl.store(out + i, a // b + a % b + (a ^ b) + (a >> 3), mask=i < n)
    tl.store(high + i, tl.umulhi(a.to(tl.uint64), b.to(tl.uint64)), mask=i < n)


@triton.jit
def _online(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    return m, s1 * tl.exp(m1 - m) + s2 * tl.exp(m2 - m)


@triton.jit
def log_sum_exp(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + c, mask=c < columns, other=-1e30)
    m, s = tl.reduce((v, tl.full((BLOCK,), 1.0, tl.float32)), 0, _online)
    tl.store(out + row, m + tl.log(s))
