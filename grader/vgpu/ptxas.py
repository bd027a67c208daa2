"""ptxas, the assembler that comes with Triton: what a kernel whose PTX is at hand would cost on a real GPU."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache

from grader.vgpu.resources import Resources, parse_resources

_SECONDS = 30


@cache
def resources_of(ptx: str, kernel: str, arch: str) -> Resources | None:
    """What `kernel` uses on `arch` ("sm_90"), or None where this ptxas does not assemble the text for it."""
    from triton.backends.nvidia.compiler import get_ptxas

    number = int("".join(filter(str.isdigit, arch)))
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        command = [get_ptxas(number).path, "-v", f"--gpu-name={arch}", "--output-file=/dev/null", file.name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            return None
    return parse_resources(done.stderr).get(kernel) if done.returncode == 0 else None
