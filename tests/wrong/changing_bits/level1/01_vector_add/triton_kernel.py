"""Right within the bound, but each call's bits differ."""

import triton
import triton.language as tl


calls = 0


@triton.jit
def add_kernel(a, b, out, n, calls, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(a + offsets, mask) + tl.load(b + offsets, mask)
    tl.store(out + offsets, total * (1 + calls * 1.2e-7), mask)


def solve(a, b, out, n):
    global calls
    calls += 1
    add_kernel[(triton.cdiv(n, 1024),)](a, b, out, n, float(calls % 2), BLOCK=1024)
