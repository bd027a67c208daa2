"""Cross entropy: out[row] = log(sum of exp(x)) - x[target] over the row x of row-major logits (rows x vocab).

Idea   a program owns a row and walks over it once. Each lane keeps the largest logit it has met and the sum of
       exp(x - largest), *online*: where the largest grows, the sum so far is scaled down. A tile gives each lane four
       logits at a time, so that it scales once for four. At the end the lanes' pairs are put on the same footing.
Bytes  4 rows vocab + 12 rows in float32 (every logit is read once)
Flops  4 rows vocab (maximum, subtract, exp, add), counting exp as one
Bound  memory: reading at full bandwidth is the ceiling.
"""

import triton
import triton.language as tl

EACH = 4
MAX_BLOCK = 1024


@triton.jit
def cross_entropy_kernel(logits, targets, out, vocab, EACH: tl.constexpr, BLOCK: tl.constexpr):
    # SOLUTION: walk over the row in tiles of (EACH, BLOCK) for maximum and sum, lane by lane; combine them, store
    row = tl.program_id(0).to(tl.int64)
    x = logits + row * vocab
    target = tl.load(x + tl.load(targets + row)).to(tl.float32)
    m = tl.full((BLOCK,), float("-inf"), tl.float32)  # of what this lane has seen, and
    s = tl.zeros((BLOCK,), tl.float32)  # the sum of its exp(x - m)
    place = tl.arange(0, EACH)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    for start in range(0, vocab, EACH * BLOCK):
        v = tl.load(x + start + place, start + place < vocab, other=float("-inf")).to(tl.float32)
        larger = tl.maximum(m, tl.max(v, 0))
        base = tl.where(larger == float("-inf"), 0.0, larger)  # only -inf so far: (-inf) - (-inf) would be NaN
        s = s * tl.exp(m - base) + tl.sum(tl.exp(v - base[None, :]), 0)
        m = larger
    row_max = tl.max(m, 0)
    s *= tl.exp(m - tl.where(row_max == float("-inf"), 0.0, row_max))  # all sums on the same footing
    tl.store(out + row, (row_max - target) + tl.log(tl.sum(s, 0)))  # the two large numbers first
    # END SOLUTION


def solve(logits, targets, out, rows, vocab):
    # SOLUTION: launch a program for each row, with tiles that are no wider than the vocabulary asks for
    BLOCK = min(MAX_BLOCK, triton.next_power_of_2(triton.cdiv(vocab, EACH)))
    warps = max(1, min(8, BLOCK // 128))
    cross_entropy_kernel[(rows,)](logits, targets, out, vocab, EACH=EACH, BLOCK=BLOCK, num_warps=warps)
    # END SOLUTION
