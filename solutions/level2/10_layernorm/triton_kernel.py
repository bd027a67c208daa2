"""LayerNorm: out[row][col] = (x[row][col] - mean) / sqrt(variance + 1e-5) * weight[col] + bias[col], row-major, with
mean and variance (over n, not n - 1) of the row.

Idea   a program owns a row, the whole of it as one block of values, read once: first its mean, then the distances
       from it, then their mean square. Both reductions go over registers.
Bytes  8 rows cols in float32 (one read, one write); weight and bias stay in the caches      Flops  7 rows cols
Bound  memory: a flop for each byte. The copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(x, weight, bias, out, cols, BLOCK: tl.constexpr):
    # SOLUTION: load this program's row as float32; its mean, the variance around it, then scale, weight and bias
    start = tl.program_id(0).to(tl.int64) * cols
    col = tl.arange(0, BLOCK)
    mask = col < cols
    row = tl.load(x + start + col, mask, other=0.0).to(tl.float32)
    factor = tl.load(weight + col, mask, other=0.0).to(tl.float32)
    shift = tl.load(bias + col, mask, other=0.0).to(tl.float32)
    mean = tl.sum(row) / cols
    distance = tl.where(mask, row - mean, 0.0)  # past the end, 0 - mean would be added to the squares
    variance = tl.sum(distance * distance) / cols
    tl.store(out + start + col, distance * tl.rsqrt(variance + 1e-5) * factor + shift, mask)
    # END SOLUTION


def solve(x, weight, bias, out, rows, cols):
    # SOLUTION: launch layernorm_kernel with one program for each row, BLOCK a power of two that covers it
    BLOCK = max(1024, triton.next_power_of_2(cols))
    warps = min(32, BLOCK // 512)  # 16 values for each thread up to 16384 columns, more beyond
    layernorm_kernel[(rows,)](x, weight, bias, out, cols, BLOCK=BLOCK, num_warps=warps)
    # END SOLUTION
