"""out = silu(gate) * up, element by element, where silu(x) = x / (1 + exp(-x)). The timed size is 8192 x 11008."""

from torch.nn import functional


def inputs(rand, n):
    return {"gate": rand(n), "up": rand(n)}


def reference(gate, up):
    return functional.silu(gate) * up


def flops(n):
    return 5 * n


def peers():
    """Liger-Kernel's, where that is installed. It wants rows: those of the timed size."""
    try:
        from liger_kernel.ops.swiglu import LigerSiLUMulFunction
    except ImportError:
        return {}
    return {"liger": lambda gate, up: LigerSiLUMulFunction.apply(gate.view(-1, 11008), up.view(-1, 11008)).view(-1)}
