"""Loads before the branch that guards them: only threads that keep the value are held responsible for reading it."""

import numpy as np
import pytest

from grader.vgpu.lowering import lower
from grader.vgpu.speculation import find_speculation

GUARDED = """
extern "C" __global__ void k(const float* x, float* y) {
    __shared__ float first[2];
    int t = threadIdx.x;
    float sum = x[t];
    if (t == %s) first[0] = sum;
    %s
    if (t == %s) sum += first[0];
    y[t] = sum;
}
"""
LATER = """
extern "C" __global__ void k(const float* x, float* y) {
    __shared__ float first;
    int t = threadIdx.x;
    float sum = x[t];
    if (t == 0) first = sum;
    if (t == 0) sum += first;
    if (t == %s) first = 2.0f * sum;
    __syncthreads();
    y[t] = sum + first;
}
"""


@pytest.mark.parametrize(
    ("source", "right"),
    [
        pytest.param(GUARDED % (0, "", 0), True, id="thread 0 alone"),
        pytest.param(GUARDED % (40, "__syncthreads();", 0), True, id="a barrier between"),
        pytest.param(GUARDED % (40, "", 0), False, id="no barrier between"),
        pytest.param(LATER % 0, True, id="thread 0 writes after it has read"),
        pytest.param(LATER % 40, False, id="another one writes after thread 0 has read"),
    ],
)
def test_who_keeps_the_value_is_blamed(source, right, cuda):
    module = cuda(source)
    assert find_speculation(lower(module._module, "k")).loads, "the compiler no longer moves this load: no test"
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    report = module.kernel("k").launch(1, 64, (x, y))
    assert (not report.errors) is right, [str(f) for f in report.findings]
    if not right:
        assert report.errors[0].kind == "race"
        assert "thread 40" in report.errors[0].message and "thread 0" in report.errors[0].message
        assert "(1 thread does this)" in report.errors[0].message


def test_a_value_that_nobody_wrote_is_told_of_where_it_is_kept(cuda):
    module = cuda(GUARDED.replace("first[0] = sum", "first[int(x[9])] = sum") % (0, "__syncthreads();", 5))
    assert find_speculation(lower(module._module, "k")).loads
    report = module.kernel("k").launch(1, 64, (np.ones(64, np.float32), np.zeros(64, np.float32)))
    assert [finding.kind for finding in report.errors] == ["uninitialised"]
    assert "thread 5 of block 0 reads first[0], which nobody has written" in report.errors[0].message
