"""Python reads each element with float()."""


def solve(a, b, out, n):
    for i in range(n):
        out[i].fill_(float(a[i]) + float(b[i]))
