"""out = (silu(x w_gate^T) * (x w_up^T)) w_down^T: the MLP of Llama and Qwen, weights as nn.Linear holds them."""

from torch.nn import functional


def inputs(rand, tokens, dim, hidden):
    """Weights are made smaller by a power of two, about the root of a row's length, so that sums stay near 1."""

    def weights(rows, cols):
        return rand(rows, cols) * 2.0 ** -(cols.bit_length() // 2)

    return {
        "x": rand(tokens, dim),
        "w_gate": weights(hidden, dim),
        "w_up": weights(hidden, dim),
        "w_down": weights(dim, hidden),
    }


def reference(x, w_gate, w_up, w_down):
    gate, up = functional.linear(x, w_gate), functional.linear(x, w_up)
    return functional.linear(functional.silu(gate) * up, w_down)


def flops(tokens, dim, hidden):
    return 6 * tokens * dim * hidden
