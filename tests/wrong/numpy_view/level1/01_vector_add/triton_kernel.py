"""NumPy does the work through out.numpy()."""

import numpy as np


def solve(a, b, out, n):
    np.add(a.numpy(), b.numpy(), out=out.numpy())
