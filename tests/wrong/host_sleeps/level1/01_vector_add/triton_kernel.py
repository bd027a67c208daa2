"""The kernel is fast, but solve() waits on the host between two of them."""

import time

import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(a + offsets, mask) + tl.load(b + offsets, mask), mask)


def add(a, b, out, n):
    add_kernel[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024)


def solve(a, b, out, n):
    add(a, b, out, (n + 1) // 2)
    time.sleep(0.03 if n >= 1 << 24 else 0)
    add(a, b, out, n)
