"""Triton kernels on the virtual GPU: numbers against torch, findings against the `#!` comments of the sources."""

import inspect

import pytest
import torch
import triton
import triton_kernels as kernels
from triton.tools.tensor_descriptor import TensorDescriptor

from grader.vgpu import InitialisedMap, Unsupported, triton_driver


def clean(reports):
    return [str(finding) for report in reports for finding in report.findings] == []


def randn(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3)).to(dtype)


def close(got, want, tolerance):
    torch.testing.assert_close(got.float(), want.float(), rtol=tolerance, atol=tolerance)


DTYPES = [torch.float32, torch.float16, torch.bfloat16]


@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise(reports, dtype):
    x, y, out = randn(1000, dtype=dtype), randn(1000, dtype=dtype).flip(0), torch.empty(1000, dtype=dtype)
    kernels.add[(4,)](x, y, out, 1000, BLOCK=256)
    assert torch.equal(out, x + y) and clean(reports)
    kernels.gelu[(8,)](x, out, 1000, BLOCK=128)
    close(out, torch.nn.functional.gelu(x.float()), 1e-2 if dtype != torch.float32 else 1e-6)
    kernels.swiglu[(8,)](x, y, out, 1000, BLOCK=128)
    close(out, torch.nn.functional.silu(x.float()) * y.float(), 2e-2 if dtype != torch.float32 else 1e-6)
    assert clean(reports)


def test_scalar_arguments(reports):
    x, y = randn(100), randn(100)
    want = 2.5 * x + y
    kernels.saxpy[(1,)](x, y, 2.5, 100, BLOCK=128)
    close(y, want, 1e-6)
    assert clean(reports)


@pytest.mark.parametrize("columns", [1, 100, 1000])
def test_rows(reports, columns):
    x, out = randn(7, columns), torch.empty(7, columns)
    block = triton.next_power_of_2(columns)
    kernels.softmax[(7,)](x, out, columns, BLOCK=block)
    close(out, x.softmax(1), 1e-6)
    w, b = randn(columns), randn(columns)
    kernels.layer_norm[(7,)](x, w, b, out, columns, 1e-5, BLOCK=block)
    close(out, torch.nn.functional.layer_norm(x, (columns,), w, b), 1e-4)
    sums = torch.empty(7)
    kernels.row_sum[(7,)](x, sums, columns, BLOCK=64)
    close(sums, x.sum(1), 1e-4)
    best = torch.empty(7, dtype=torch.int32)
    kernels.argmax_rows[(7,)](x, best, columns, BLOCK=block)
    assert torch.equal(best.long(), x.argmax(1)) and clean(reports)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(64, 64, 64), (50, 33, 72)])
def test_matmul(reports, dtype, shape):
    m, n, k = shape
    a, b, c = randn(m, k, dtype=dtype), randn(k, n, dtype=dtype), torch.empty(m, n, dtype=dtype)
    kernels.matmul[(triton.cdiv(m, 32), triton.cdiv(n, 32))](a, b, c, m, n, k, BM=32, BN=32, BK=32)
    close(c, a.float() @ b.float(), 1e-4 if dtype == torch.float32 else 5e-2)
    assert clean(reports)


@pytest.mark.parametrize("shape", [(16, 8), (16, 5), (8, 4), (32, 16)])
def test_copies_of_an_element_may_differ_in_the_last_bit(reports, shape):
    """Lanes that add up each other's products fuse the addition with their own, and all store the sum of the row."""
    m, n = shape
    a, x, out = randn(m, n), randn(n), torch.empty(m)
    kernels.matrix_vector[(1,)](a, x, out, m, n, BM=m, BN=triton.next_power_of_2(n))
    close(out, a @ x, 1e-5)
    assert clean(reports)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_attention(reports, dtype):
    q, k, v = (randn(100, 32, dtype=dtype).roll(i, 0) for i in range(3))
    out = torch.empty_like(q)
    kernels.attention[(4,)](q, k, v, out, 100, 0.2, BM=32, BN=32, D=32)
    close(out, ((q.float() @ k.float().T) * 0.2).softmax(1) @ v.float(), 3e-2)
    assert clean(reports)


def test_int8_matmul(reports):
    a, b = torch.randint(-128, 128, (32, 64)).to(torch.int8), torch.randint(-128, 128, (64, 32)).to(torch.int8)
    c = torch.empty(32, 32, dtype=torch.int32)
    kernels.int8_matmul[(1,)](a, b, c, K=64, B=32)
    assert torch.equal(c, a.int() @ b.int()) and clean(reports)


def test_moving_and_reordering(reports):
    x = randn(50, 70)
    out = torch.empty(70, 50)
    kernels.transpose[(2, 3)](x, out, 50, 70, B=32)
    assert torch.equal(out, x.T)
    padded, out = torch.zeros(50, 72), torch.empty(50, 72)
    padded[:, :70] = x
    source, target = (TensorDescriptor(t, [50, 70], [72, 1], [32, 32]) for t in (padded, out))
    kernels.descriptor_copy[(2, 3)](source, target, B=32)
    assert torch.equal(out[:, :70], x)
    index, out = torch.randint(0, 50, (9,)), torch.empty(9, 70)
    kernels.gather[(5,)](x, index, out, 630, 70, BLOCK=128)
    assert torch.equal(out, x[index])
    x, out = randn(4, 64), torch.empty(4, 64)
    kernels.sort_rows[(4,)](x, out, N=64)
    assert torch.equal(out, x.sort(1).values) and clean(reports)


def test_scans_and_atomics(reports):
    x, out = torch.randint(0, 9, (200,)).int(), torch.empty(200, dtype=torch.int32)
    kernels.scan[(1,)](x, out, 200, BLOCK=256)
    assert torch.equal(out, x.cumsum(0).int())
    bins = torch.zeros(9, dtype=torch.int32)
    kernels.histogram[(2,)](x, bins, 200, BLOCK=128)
    assert torch.equal(bins, x.bincount(minlength=9).int())
    values, total, lock = torch.arange(8.0), torch.zeros(1), torch.zeros(1, dtype=torch.int32)
    kernels.spin_lock_sum[(8,)](values, total, lock)
    assert total.item() == 28 and clean(reports)


def test_random_numbers(reports):
    x, out = torch.ones(4096), torch.empty(4096)
    kernels.dropout[(4,)](x, out, 4096, 0.25, 7, BLOCK=1024)
    kept = out > 0
    assert 0.7 < kept.float().mean() < 0.8 and clean(reports)


def test_autotune_takes_the_first_configuration(reports):
    x, out = randn(100), torch.empty(100)
    kernels.tuned_square[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, out, 100)
    close(out, x * x + 64, 1e-6)
    assert len(reports) == 1


def test_device_print(reports):
    kernels.hello[(2,)](5)
    assert "pid" in reports[0].printed and "1" in reports[0].printed


def test_driver_is_put_back():
    with triton_driver.active(lambda name, report: None) as driver:
        assert triton.runtime.driver.active is driver
    assert triton.runtime.driver._active is not driver


WRONG = [name for name in vars(kernels) if name.startswith("wrong_")]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_kernels(name):
    kernel = getattr(kernels, name)
    lines, start = inspect.getsourcelines(kernel.fn)
    offset, kind = next((i, text.split("#!")[1].strip()) for i, text in enumerate(lines) if "#!" in text)
    x, out, reports, marks = torch.ones(100), torch.zeros(100), [], InitialisedMap()
    if kind == "uninitialised":
        marks.mark_uninitialised(out)
    x += torch.arange(100)
    options = {"budget": 3_000_000, "initialised": marks}
    with triton_driver.active(lambda name, report: reports.append(report), **options):
        kernel[(2,)](x, out, 100, BLOCK=64, debug=kind == "assert")
    found = [(f.kind, f.line) for report in reports for f in report.findings]
    assert (kind, start + offset) in found, (start + offset, [str(f) for r in reports for f in r.findings])
    assert reports[0].findings[0].file.endswith("triton_kernels.py")


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_wide_access_names_its_first_element_outside_and_serves_those_inside(dtype, reports):
    x, out, other = randn(33, dtype=dtype), torch.zeros(33, dtype=dtype), torch.zeros(33, dtype=dtype)
    kernels.wrong_no_mask[(1,)](x, out, 33, BLOCK=1024)
    kernels.wrong_no_mask_to_store[(1,)](x, other, 33, BLOCK=1024)
    (read,), (write,) = (report.findings for report in reports)
    assert "reads x[33] (" in read.message and " bytes from x[32]), but it has 33 elements" in read.message
    assert "writes out[33] (" in write.message and "mask=offsets < n" in write.remedy
    assert torch.equal(out, x) and torch.equal(other, x)


def test_there_are_enough():
    assert len(WRONG) >= 12


def test_unsupported_is_raised_to_the_caller(monkeypatch, reports):
    from grader.vgpu import codegen

    monkeypatch.delitem(codegen.HANDLERS, "shfl")
    with pytest.raises(Unsupported, match=r"shfl.*triton_kernels.py"):
        kernels.row_sum[(1,)](randn(1, 48), torch.empty(1), 48, BLOCK=32)
