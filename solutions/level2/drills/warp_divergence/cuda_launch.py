"""Host side of the two rules."""

from grader.cuda import cdiv, load

BLOCK = 256

two_rules = load("cuda_kernel.cu", "two_rules")


def solve(x, out, n):
    # SOLUTION: launch two_rules with enough threads for what each of them does
    two_rules[cdiv(n, 2 * BLOCK), BLOCK](x, out, n)
    # END SOLUTION
