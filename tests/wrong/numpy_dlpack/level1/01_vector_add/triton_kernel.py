"""NumPy does the work through DLPack."""

import numpy as np


def solve(a, b, out, n):
    np.add(np.from_dlpack(a), np.from_dlpack(b), out=np.from_dlpack(out))
