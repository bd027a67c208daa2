"""A shell starts 200 processes."""

import subprocess


def solve(a, b, out, n):
    subprocess.run("for i in $(seq 200); do sleep 60 & done; wait", shell=True)
