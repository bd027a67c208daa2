"""Triton kernels of the tests: right ones first, then wrong ones (their names begin with `wrong_`)."""

# mypy: ignore-errors
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def saxpy(x, y, alpha, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, alpha * tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + c, mask=c < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * columns + c, e / tl.sum(e, 0), mask=c < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < columns
    v = tl.load(x + row * columns + c, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / columns
    d = tl.where(mask, v - mean, 0.0)
    scale = tl.rsqrt(tl.sum(d * d, 0) / columns + eps)
    tl.store(
        out + row * columns + c, d * scale * tl.load(weight + c, mask=mask) + tl.load(bias + c, mask=mask), mask=mask
    )


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * K + rk[None], mask=(rm[:, None] < M) & (rk[None] < K), other=0.0)
        y = tl.load(b + rk[:, None] * N + rn[None], mask=(rk[:, None] < K) & (rn[None] < N), other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(c + rm[:, None] * N + rn[None], acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None] < N))


@triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def tuned_square(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * v + BLOCK, mask=i < n)


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + c, mask=c < columns, other=0.0)
    tl.store(out + row, tl.sum(total, 0))


@triton.jit
def transpose(x, out, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    tile = tl.load(x + r[:, None] * N + c[None], mask=(r[:, None] < M) & (c[None] < N))
    tl.store(out + c[:, None] * M + r[None], tl.trans(tile), mask=(c[:, None] < N) & (r[None] < M))


@triton.jit
def scan(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.cumsum(tl.load(x + i, mask=i < n, other=0), 0), mask=i < n)


@triton.jit
def argmax_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + c, mask=c < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, 0))


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, tl.load(x + i, mask=i < n) / (1 - p), 0.0), mask=i < n)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(out + i, 0.5 * v * (1 + tl.erf(v * 0.70710678)), mask=i < n)


@triton.jit
def sigmoid_helper(v):
    return 1 / (1 + tl.exp(-v))


@triton.jit
def swiglu(gate, up, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + i, mask=i < n).to(tl.float32)
    tl.store(
        out + i,
        (g * sigmoid_helper(g) * tl.load(up + i, mask=i < n).to(tl.float32)).to(out.dtype.element_ty),
        mask=i < n,
    )


@triton.jit
def gather(x, index, out, n, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(index + i // columns, mask=i < n, other=0)
    tl.store(out + i, tl.load(x + row * columns + i % columns, mask=i < n), mask=i < n)


@triton.jit
def matrix_vector(a, x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r, c = tl.arange(0, BM), tl.arange(0, BN)
    factors = tl.load(x + c, mask=c < N, other=0.0)
    tile = tl.load(a + r[:, None] * N + c[None], mask=(r[:, None] < M) & (c[None] < N), other=0.0)
    tl.store(out + r, tl.sum(tile * factors[None], 1), mask=r < M)


@triton.jit
def attention(q, k, v, out, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + rm[:, None] * D + d[None], mask=rm[:, None] < n, other=0.0)
    best = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        rn = start + tl.arange(0, BN)
        key = tl.load(k + rn[:, None] * D + d[None], mask=rn[:, None] < n, other=0.0)
        value = tl.load(v + rn[:, None] * D + d[None], mask=rn[:, None] < n, other=0.0)
        s = tl.where(rn[None] < n, tl.dot(query, tl.trans(key)) * scale, -float("inf"))
        new = tl.maximum(best, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(best - new)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p.to(value.dtype), value)
        best = new
    tl.store(out + rm[:, None] * D + d[None], (acc / total[:, None]).to(out.dtype.element_ty), mask=rm[:, None] < n)


@triton.jit
def int8_matmul(a, b, c, K: tl.constexpr, B: tl.constexpr):
    r, s, k = tl.arange(0, B), tl.arange(0, B), tl.arange(0, K)
    x, y = tl.load(a + r[:, None] * K + k[None]), tl.load(b + k[:, None] * B + s[None])
    tl.store(c + r[:, None] * B + s[None], tl.dot(x, y))


@triton.jit
def sort_rows(x, out, N: tl.constexpr):
    c = tl.arange(0, N)
    tl.store(out + tl.program_id(0) * N + c, tl.sort(tl.load(x + tl.program_id(0) * N + c)))


@triton.jit
def spin_lock_sum(x, out, lock):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out, tl.load(out) + tl.load(x + tl.program_id(0)))
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def descriptor_copy(source, target, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    target.store([row, column], source.load([row, column]))


@triton.jit
def hello(n):
    tl.device_print("pid", tl.program_id(0))


@triton.jit
def wrong_no_mask(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)  #! out of bounds
    tl.store(out + i, v, mask=i < n)


@triton.jit
def wrong_no_mask_to_store(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v)  #! out of bounds


@triton.jit
def wrong_store_mask(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v, mask=i <= n)  #! out of bounds


@triton.jit
def wrong_offset(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i - 1, mask=i < n)  #! out of bounds
    tl.store(out + i, v, mask=i < n)


@triton.jit
def wrong_mask_of_other_axis(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i * 2, mask=i < n)  #! out of bounds
    tl.store(out + i, v, mask=i < n)


@triton.jit
def wrong_overlap(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * (BLOCK // 2) + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v + tl.program_id(0), mask=i < n)  #! conflict


@triton.jit
def wrong_sum_without_atomic(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0)
    total = tl.load(out)
    tl.store(out, total + v)  #! conflict


@triton.jit
def wrong_in_place_shift(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i + 1, mask=i + 1 < n, other=0.0)
    tl.store(x + i, v, mask=i < n)  #! conflict


@triton.jit
def wrong_row_stride(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * n + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + tl.arange(0, BLOCK)))  #! out of bounds


@triton.jit
def wrong_endless(x, out, n, BLOCK: tl.constexpr):
    v = n
    while v > 0:  #! infinite loop
        v = v + tl.load(x) * 0 + 1 - 1
        v = v.to(tl.int32)
    tl.store(out, v)


@triton.jit
def wrong_lock_forgotten(x, out, n, BLOCK: tl.constexpr):
    while tl.atomic_cas(x.to(tl.pointer_type(tl.int32)), 0, 1) != 5:  #! infinite loop
        pass
    tl.store(out, 1.0)


@triton.jit
def wrong_assert(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.device_assert(i < n - 50)  #! assert
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def wrong_reads_its_output(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(out + i, mask=i < n)  #! uninitialised
    tl.store(out + i, v + tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def wrong_index(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    where = tl.load(x + i, mask=i < n, other=0.0).to(tl.int32) + 90
    v = tl.load(x + where)  #! out of bounds
    tl.store(out + i, v, mask=i < n)
