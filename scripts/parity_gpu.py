"""Runs one parity form: the same PTX on the GPU through its driver, and on the virtual GPU."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from parity_forms import Form
from parity_values import LANES, Column, width

BLOCK = 128


def text(form: Form) -> str:
    """The kernel: every thread loads its inputs (64-bit cells, one column after the other), runs the form's
    statements and stores its results the same way."""
    lines = ["mov.u32 %w, %tid.x; and.b32 %lane, %w, 31; mov.u32 %x0, %ctaid.x;"]
    lines += [f"mad.lo.u32 %t, %x0, {BLOCK}, %w; ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];"]
    lines += ["mad.wide.u32 %in, %t, 8, %in; mad.wide.u32 %out, %t, 8, %out;"]
    registers = []
    for letter, kinds in (("a", form.inputs), ("d", form.outputs)):
        for i, kind in enumerate(kinds):
            registers.append(f".reg .b{max(width(kind), 16)} %{letter}{i};")
    for i, kind in enumerate(form.inputs):
        lines.append(f"ld.global.b{max(width(kind), 16)} %a{i}, [%in+{8 * LANES * i}];")
    if "mem" in form.code or "%s]" in form.code:
        registers.append(".shared .align 128 .b8 mem[16384];")
        lines.append("mov.u32 %s, mem; mad.lo.u32 %s, %w, 16, %s;")
    lines.append(form.code)
    for i, kind in enumerate(form.outputs):
        lines.append(f"st.global.b{max(width(kind), 16)} [%out+{8 * LANES * i}], %d{i};")
    body = "\n".join(line.replace("; ", ";\n") for line in (*registers, *lines))
    return (
        ".version 8.4\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 pin, .param .u64 pout)\n{\n"
        ".reg .b32 %t;\n.reg .b32 %w;\n.reg .b32 %lane;\n.reg .b32 %s;\n.reg .b32 %x<8>;\n"
        ".reg .b64 %in;\n.reg .b64 %out;\n.reg .b64 %y<4>;\n.reg .pred %p;\n.reg .pred %q;\n.reg .pred %r;\n"
        f"{body}\nret;\n}}\n"
    )


def run_vgpu(form: Form, inputs: list[Column]) -> list[Column]:
    """Results on the virtual GPU, which must have nothing to say about the kernel."""
    from grader.vgpu import Module

    cells = np.array(inputs, np.uint64) if inputs else np.zeros((1, LANES), np.uint64)
    results = np.zeros((len(form.outputs), LANES), np.uint64)
    report = Module(text(form)).kernel("k").launch(LANES // BLOCK, BLOCK, (cells, results))
    if report.findings:
        raise RuntimeError(str(report.findings[0]))
    return list(results)


def run_gpu(form: Form, inputs: list[Column]) -> list[Column]:
    """Results on the GPU."""
    import cupy

    module = cupy.cuda.function.Module()
    try:
        module.load(text(form).encode() + b"\0")
    except cupy.cuda.driver.CUDADriverError:
        module.load(_assembled(text(form)))
    cells = cupy.asarray(np.array(inputs, np.uint64) if inputs else np.zeros((1, LANES), np.uint64))
    results = cupy.zeros((len(form.outputs), LANES), np.uint64)
    arguments = (np.uint64(cells.data.ptr), np.uint64(results.data.ptr))
    module.get_function("k")((LANES // BLOCK, 1, 1), (BLOCK, 1, 1), arguments)
    return list(cupy.asnumpy(results))


def _assembled(ptx: str) -> bytes:
    """A cubin from the toolkit's assembler, for drivers that cannot compile PTX; its errors name what it refuses."""
    import cupy

    assembler = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"  # the toolkit's; it is not always on the path
    capability = cupy.cuda.Device().compute_capability
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(ptx)
        command = [assembler, f"-arch=sm_{capability}", str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return target.read_bytes()


def device_name(backend: str) -> str:
    if backend == "vgpu":
        return "the virtual GPU"
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    driver = cupy.cuda.runtime.driverGetVersion()
    return f"{properties['name'].decode()}, driver for CUDA {driver // 1000}.{driver % 1000 // 10}"
