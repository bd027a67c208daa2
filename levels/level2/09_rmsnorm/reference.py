"""out[row] = x[row] / sqrt(mean(x[row]^2) + 1e-5) * weight, for every row of a row-major matrix."""

from torch.nn import functional


def inputs(rand, rows, cols):
    return {"x": rand(rows, cols), "weight": rand(cols)}


def reference(x, weight):
    return functional.rms_norm(x, weight.shape, weight, eps=1e-5)


def flops(rows, cols):
    return 4 * rows * cols


def peers():
    """Liger-Kernel's RMSNorm, where that is installed: eps, offset 0, the Llama way of rounding, not in place."""
    try:
        from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    except ImportError:
        return {}
    return {"liger": lambda x, weight: LigerRMSNormFunction.apply(x, weight, 1e-5, 0.0, "llama", False)}
