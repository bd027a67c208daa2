"""Stops its own process."""

import os
import signal


def solve(a, b, out, n):
    os.kill(os.getpid(), signal.SIGSTOP)
