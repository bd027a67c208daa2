"""The virtual GPU: runs compiled GPU kernels without a GPU. It knows nothing of grading."""

from grader.vgpu.errors import LaunchError, PtxError, Unsupported
from grader.vgpu.findings import Finding
from grader.vgpu.initialised import InitialisedMap
from grader.vgpu.launch import Report
from grader.vgpu.module import Kernel, Module, Parameter

__all__ = [
    "Finding",
    "InitialisedMap",
    "Kernel",
    "LaunchError",
    "Module",
    "Parameter",
    "PtxError",
    "Report",
    "Unsupported",
]
