"""Not a cheat: a print for debugging, which makes torch compute."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(a + offsets, mask) + tl.load(b + offsets, mask), mask)


def solve(a, b, out, n):
    add_kernel[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024)
    print(out)
