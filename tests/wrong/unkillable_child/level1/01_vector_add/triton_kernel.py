"""Leaves a process that ignores signals, in a session of its own; the kernel is right."""

import subprocess

import triton
import triton.language as tl

CHILD = "trap '' TERM INT HUP; while :; do sleep 60; done; : kernel-ladder-unkillable"
subprocess.run(["sh", "-c", 'setsid sh -c "$0" & exit 0', CHILD])


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(a + offsets, mask) + tl.load(b + offsets, mask), mask)


def solve(a, b, out, n):
    add_kernel[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024)
