"""Error bounds: how far a right answer may be from the truth, one family for each kind of arithmetic.

    |got - truth| <= bound = c_out * u * |truth| + c_acc * S + smallest

`truth` is the reference on float64 copies of the rounded inputs, u the unit roundoff of the output's type, S the
natural scale of each element, and `smallest` the spacing of the type's subnormals. The constants were measured:
right kernels pass with room to spare, and the wrong ones named beside each family do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

UNIT_ROUNDOFF: Mapping[str, float] = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
SMALLEST: Mapping[str, float] = {"float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}
U32 = UNIT_ROUNDOFF["float32"]

Reference = Callable[[Sequence["Tensor"]], "Tensor"]
Family = Callable[["Tensor", Sequence["Tensor"], str, Reference], "Tensor"]


def exact(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """Copies, gathers, transposes, comparisons: no rounding, so no error. Rejects everything else."""
    return truth.abs() * 0


def arithmetic(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """One rounded + - * or /. Rejects half-precision maths in float32 tasks."""
    return _output_term(truth, dtype)


def sum_of_products(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """A few products and sums in float32, fused or not: S is the same expression on absolute values.

    Rejects half-precision intermediates and a lost term.
    """
    return _output_term(truth, dtype) + 2 * U32 * reference([tensor.abs() for tensor in inputs])


def transcendental(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """exp, tanh, sigmoid, erf and what is made of them, in float32: S = max(1, |x|).

    Rejects the tanh form of GELU where the erf form is asked for, and half-precision maths.
    """
    scale = sum((tensor.abs() for tensor in inputs), truth * 0).clamp(min=1.0)
    relative = 1e-6 * truth.abs() if dtype == "float32" else _output_term(truth, dtype)
    return relative + 4 * U32 * scale


def reduction(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """Sums and dot products of any length, in float32: S = the root of the same reduction over squares.

    That is sqrt(n) * rms for a sum and sqrt((A*A) @ (B*B)) for a matrix product: what n independent rounding errors
    add up to. Rejects TF32 and half-precision products, half-precision accumulation, and one lost term.
    """
    squares = reference([tensor * tensor for tensor in inputs])
    return _output_term(truth, dtype) + 2.0**-15 * squares.abs().sqrt()


def mean(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """A sum divided by its n: S = rms / sqrt(n). Rejects a division by another n, and what `reduction` rejects."""
    n = inputs[0].numel() / max(1, truth.numel())
    return _output_term(truth, dtype) + 2.0**-15 * (reference([tensor * tensor for tensor in inputs]) / n).sqrt()


def softmax(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """exp(x - max) over its sum, in float32: S = the largest value of the row.

    Rejects zeros, 1/n, a term that the sum lacks, half-precision exponentials, and no maximum subtracted.
    """
    relative = 1e-5 if truth.shape[-1] <= 1 << 15 else 2e-5
    first = relative * truth.abs() if dtype == "float32" else _output_term(truth, dtype)
    return first + 2e-6 * truth.amax(-1, keepdim=True)


def normalization(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """Layer and RMS norm of rows, in float32: S = (1 + |mean| / sd) of the row, times the weight.

    inputs are x (rows, cols), and weight and bias (cols) if there are any. Rejects one-pass variances, another eps,
    and a variance over n - 1.
    """
    rows = inputs[0]
    shift = rows.mean(-1, keepdim=True).abs() / rows.std(-1, correction=0, keepdim=True).clamp(min=1e-3)
    scale = (1 + shift) * (inputs[1].abs() if len(inputs) > 1 else 1.0)
    relative = 1e-5 * truth.abs() if dtype == "float32" else _output_term(truth, dtype)
    bias = U32 * inputs[2].abs() if len(inputs) > 2 else 0.0
    return relative + 64 * U32 * scale + bias


def residual_norm(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """RMS norm of rows of x + residual, in float32, the sum once rounded to `dtype` on its way: 1 ulp more.

    inputs are x, residual (rows, cols) and weight (cols); otherwise as in `normalization`. Allows the norm of a sum
    that was not rounded; rejects the norm of x alone, another eps, and sums of squares in a half type.
    """
    x, residual, weight = inputs
    return normalization(truth, [x + residual, weight], dtype, reference) + 2 * UNIT_ROUNDOFF[dtype] * truth.abs()


def cross_entropy(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """log(sum of exp(x)) - x[target] of rows, in float32: S = 1 + the largest finite |x| of the row.

    Rejects a term that the sum lacks, no maximum subtracted, and half-precision exponentials or sums.
    """
    largest = inputs[0].nan_to_num(nan=0.0, posinf=0.0, neginf=0.0).abs().amax(-1)
    return _output_term(truth, dtype) + 4 * U32 * (1 + largest)


def gated_mlp(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """(silu(x w_gate^T) * (x w_up^T)) w_down^T: sums in float32, the product h once rounded to `dtype` on its way.

    S = the root of the last product over squares of what h may be off by: its rounding, and `reduction`'s error of
    the sums it is made of. Allows gate, up and SiLU to be rounded on their way as well, which PyTorch does; rejects
    half-precision sums, and a lost term.
    """
    from torch.nn.functional import silu

    x, w_gate, w_up, w_down = inputs
    gate, up = x @ w_gate.T, x @ w_up.T
    scales = [((x * x) @ (w * w).T).sqrt() for w in (w_gate, w_up)]
    rounding = 5 * UNIT_ROUNDOFF[dtype] * (silu(gate) * up).abs()
    off = rounding + 2.0**-15 * (scales[0] * up.abs() + silu(gate).abs() * scales[1])
    return _output_term(truth, dtype) + ((off * off) @ (w_down * w_down).T).sqrt()


def rotation(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """Pairs (x[d], x[d + n/2]) of rows of n, turned by an angle, in float32: S = the length of the turned pair.

    It is what rounding errors of a cos - b sin are measured by where the two products cancel. Rejects products in a
    half type, another pairing, and the other direction.
    """
    partner = truth.roll(truth.shape[-1] // 2, -1)
    return _output_term(truth, dtype) + 2 * U32 * (truth.square() + partner.square()).sqrt()


def rmsnorm_gradient(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """r (g w - n mean(g w n)) for rows n = r x of norm 1, in float32: S = the same on absolute values, with a plus.

    inputs are x (rows, cols), weight w (cols) and the gradient g of the norm's result. Rejects a missing mean, the
    mean of something else, another eps, and half-precision products.
    """
    x, weight, grad_out = inputs
    scale, normal = _rms_normal(x)
    grad = (grad_out * weight).abs()
    along = (grad * normal.abs()).mean(-1, keepdim=True)
    return _output_term(truth, dtype) + 16 * U32 * scale * (grad + normal.abs() * along)


def rmsnorm_weight_gradient(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """The sum over rows of g n, both as in `rmsnorm_gradient`: S is the root of the sum of the terms' squares.

    Rejects a lost row, a row that counts twice, and sums in a half type.
    """
    x, _, grad_out = inputs
    terms = grad_out * _rms_normal(x)[1]
    return _output_term(truth, dtype) + 2.0**-15 * terms.square().sum(0).sqrt()


def _rms_normal(x: Tensor) -> tuple[Tensor, Tensor]:
    """1 / sqrt(mean(x^2) + 1e-5) of rows, and x times that."""
    scale = (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
    return scale, x * scale


def attention(truth: Tensor, inputs: Sequence[Tensor], dtype: str, reference: Reference) -> Tensor:
    """softmax(q k^T / sqrt(D)) v, inner arithmetic in float32: weights p of keys, scores s = q k^T / sqrt(D).

    inputs are q (..., S, D), k and v (..., keys, D), with fewer heads if they share them. Which keys a query sees the
    reference knows. Three errors: of p, which may be rounded to `dtype` before the product, S = sqrt(sum p^2 v^2); of
    s, S = |q| |k| / sqrt(D) times the spread of v under p; of sums, S = sum p |v|. Rejects a lost or a foreign key,
    another scale, no maximum subtracted, sums that were not rescaled, half-precision scores or sums, TF32 in float32.
    """
    q, k, v = inputs
    squares = reference([q, k, v * v])
    length = q.norm(dim=-1, keepdim=True) * k.norm(dim=-1).amax() / q.shape[-1] ** 0.5
    of_scores: Tensor = 4 * U32 * (1 + length) * (squares - truth * truth).clamp(min=0.0).sqrt()
    of_sums = 64 * U32 * reference([q, k, v.abs()])
    bound: Tensor = _output_term(truth, dtype) + of_scores + of_sums
    if dtype == "float32":
        return bound
    of_weights = (
        3 * UNIT_ROUNDOFF[dtype] * (_squared_weights(inputs, reference) * reference([2 * q, k, v * v])).sqrt()
    )
    lost: Tensor = SMALLEST[dtype] * k.shape[-2] ** 0.5 * v.abs().amax()  # of weights near the type's smallest number
    return bound + of_weights + lost


def _squared_weights(inputs: Sequence[Tensor], reference: Reference) -> Tensor:
    """The sum of p^2 of each query: with an orthonormal basis for v, the length of the output. If there are too many
    keys for that, 128 random vectors of signs give it to some 12 %.
    """
    import torch

    q, k, v = inputs
    keys, dim = v.shape[-2:]
    probes = torch.eye(keys, dtype=v.dtype)
    if keys > 256:
        probes = torch.randint(0, 2, (keys, 128), generator=torch.Generator().manual_seed(keys)) * 2.0 - 1.0
        probes = probes.to(v.dtype) / 128**0.5
    total = v.new_zeros(())
    for part in torch.split(probes.to(v.device), dim, 1):
        padded = torch.nn.functional.pad(part, (0, dim - part.shape[1]))
        total = total + reference([q, k, padded.expand_as(v)]).square().sum(-1, keepdim=True)
    return total


def _output_term(truth: Tensor, dtype: str) -> Tensor:
    """The rounding of the result: 2 ulp in float32, 1 ulp in the half types (float32 inside, rounded once)."""
    ulps = 4 if dtype == "float32" else 2
    return ulps * UNIT_ROUNDOFF[dtype] * truth.abs() + SMALLEST[dtype]


FAMILIES: Mapping[str, Family] = {
    family.__name__: family
    for family in (
        *(exact, arithmetic, sum_of_products, transcendental),
        *(reduction, mean, softmax, normalization, residual_norm, rmsnorm_gradient, rmsnorm_weight_gradient),
        *(cross_entropy, gated_mlp, rotation, attention),
    )
}

ELEMENTWISE = frozenset({"exact", "arithmetic", "sum_of_products", "transcendental"})
"""The families whose outputs, as a rule, are made of the inputs' elements of the same index."""
