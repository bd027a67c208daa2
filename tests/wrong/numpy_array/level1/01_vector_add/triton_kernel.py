"""NumPy does the work through np.asarray()."""

import numpy as np


def solve(a, b, out, n):
    np.add(np.asarray(a), np.asarray(b), out=np.asarray(out))
