"""Gradients of RMSNorm, out[row] = x[row] / sqrt(mean(x[row]^2) + 1e-5) * weight, from the gradient of its result."""


def inputs(rand, rows, cols):
    return {"x": rand(rows, cols), "weight": rand(cols), "grad_out": rand(rows, cols)}


def reference(x, weight, grad_out):
    scale = (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
    normal, grad_normal = x * scale, grad_out * weight
    along = (grad_normal * normal).mean(-1, keepdim=True)
    return {"grad_x": scale * (grad_normal - normal * along), "grad_weight": (grad_out * normal).sum(0)}


def flops(rows, cols):
    return 11 * rows * cols
