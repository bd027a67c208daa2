"""Reads from address 0."""

import ctypes


def solve(a, b, out, n):
    ctypes.string_at(0)
