"""From the kernels of a submission to the profile, the advice and the limits that come of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT, edited_solution

from grader import backends
from grader.exercise import Exercise, Submission
from grader.kernelprofile import KernelProfile
from grader.limits import LIMITS, figure, known, violation
from grader.outcome import Status
from grader.runner import Runner
from grader.sandbox import MAX_REPLY, Zygote
from grader.vgpu.profile import LaunchProfile, LineProfile

BUILD = {
    "kernel": "k",
    "target": "sm_90",
    "registers": 40,
    "spill_stores": 8,
    "spill_loads": 4,
    "stack": 16,
    "shared": 1000,
    "dynamic_shared": 24,
    "threads": 256,
    "occupancy": 75.0,
    "limiter": "registers",
}


@pytest.fixture(scope="module")
def virtual() -> Iterator[Runner]:
    """Advice is the virtual GPU's, whatever this machine has."""
    backend = backends.get("vgpu")
    with Zygote(backend.environment()) as zygote:
        yield Runner(zygote, backend, root=ROOT, seed=20)


@pytest.fixture
def strided(exercise: Exercise, tmp_path: Path) -> Submission:
    """A vector add that is right, but whose neighbouring threads take elements far from each other."""
    find = "        out[i] = a[i] + b[i];"
    replace_by = (
        "        const int rows = n / 32, j = i % 32 * rows + i / 32, at = i < 32 * rows ? j : i;\n"
        "        out[at] = a[at] + b[at];"
    )
    folder = tmp_path / exercise.id
    return edited_solution(exercise, "cuda", folder, {"cuda_kernel.cu": (find, replace_by)})


def grade(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_right_but_slow_passes_with_advice(strided: Submission, virtual: Runner) -> None:
    verdict = virtual.grade(strided)
    assert verdict.grade == "correct (not timed)"
    assert {finding["severity"] for finding in verdict.outcome.findings} == {"advice"}
    line = strided.files[0].read_text()[: strided.files[0].read_text().index("out[at]")].count("\n") + 1
    messages = [finding["message"] for finding in verdict.outcome.findings]
    assert any(f"global read at cuda_kernel.cu:{line}: " in message for message in messages)
    assert all("sectors per request where" in message for message in messages)
    (build,) = verdict.outcome.build
    assert build["threads"] == 256 and build["occupancy"] == 75 and build["limiter"] == "registers"


def test_advice_is_shown_below_the_verdicts(strided: Submission, tmp_path: Path) -> None:
    done = grade("vector_add", "--track", "cuda", "--backend", "vgpu", "--from", str(tmp_path))
    assert done.returncode == 0, done.stderr
    *_, advice, remedy, command, _, totals = done.stdout.splitlines()
    assert advice.startswith("advice: level1/01_vector_add, cuda: uncoalesced access: global ")
    assert remedy.startswith("  let neighbouring threads")
    assert command.endswith("counts by line: grade profile level1/01_vector_add --track cuda")
    assert totals.startswith("1 correct (not timed)")


def test_profile_shows_counts_beside_the_source(strided: Submission, tmp_path: Path) -> None:
    done = grade("profile", "vector_add", "--track", "cuda", "--backend", "vgpu", "--from", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.search(r"sm_90: .*; occupancy \d+ %, limited by (threads|registers)", done.stdout)
    assert "flops per byte" in done.stdout and "PTX instructions by" in done.stdout
    marked = [line for line in done.stdout.splitlines() if line.startswith("> ")]
    assert marked[0].endswith("out[at] = a[at] + b[at];")
    assert marked[1].startswith("> uncoalesced access: global ")


def test_profile_of_both_tracks_another_size_and_target() -> None:
    done = grade(
        "profile", "gelu", "--backend", "vgpu", "--from", "solutions", "--case", "n=70000", "--arch", "sm_120"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("n=70000, float32; counted, not timed") == 2
    assert done.stdout.count("sm_120: ") == 2
    assert done.stdout.count("no line stands out by what it wastes") == 2
    assert "v = tl.load(" in done.stdout


def test_profile_of_what_does_not_run(tmp_path: Path, exercise: Exercise) -> None:
    folder = tmp_path / exercise.id
    edited_solution(exercise, "cuda", folder, {"cuda_launch.py": ("def solve(", "def solved(")})
    done = grade("profile", "vector_add", "--backend", "vgpu", "--from", str(tmp_path))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "cuda_launch.py defines no solve()" in done.stdout
    assert "nothing handed in: no " in done.stdout, "the other track"


def test_profile_of_a_wrong_kernel_says_so(tmp_path: Path, exercise: Exercise) -> None:
    kernel = (ROOT / "solutions" / exercise.id / "cuda_kernel.cu").read_text()
    guard = next(line for line in kernel.splitlines() if "if (i < n)" in line)
    edits = {"cuda_kernel.cu": (guard, guard.replace("i < n", "i <= n"))}
    edited_solution(exercise, "cuda", tmp_path / exercise.id, edits)
    done = grade("profile", "vector_add", "--track", "cuda", "--backend", "vgpu", "--from", str(tmp_path))
    assert done.returncode == 1
    assert "out of bounds: global read at cuda_kernel.cu" in done.stdout


def test_limits_in_the_units_of_the_report() -> None:
    assert {key: figure(BUILD, key) for key in LIMITS} == {
        "max_registers": 40,
        "max_spill": 12,
        "max_stack": 16,
        "max_shared": 1024,
        "min_occupancy": 75,
    }
    assert all(figure({"kernel": "k"}, key) is None for key in LIMITS)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"max_spill": 12, "max_registers": 40, "max_stack": 16, "max_shared": 1024, "min_occupancy": 75}, None),
        (
            {"max_spill": 0},
            "k: 12 bytes of registers spilled to local memory on sm_90; this exercise allows at most 0",
        ),
        ({"max_registers": 32}, "k: 40 registers per thread on sm_90; this exercise allows at most 32: keep fewer"),
        ({"max_stack": 0}, "16 bytes of stack per thread"),
        ({"max_shared": 1000}, "1024 bytes of shared memory per block"),
        (
            {"min_occupancy": 80},
            "75 % of the warps that fit on sm_90, limited by registers; this exercise allows at least",
        ),
    ],
)
def test_violations(limits: dict[str, float], said: str | None) -> None:
    sentence = violation(limits, [BUILD])
    assert sentence is None if said is None else said in str(sentence)


def test_unknown_figures_are_not_passed() -> None:
    assert known({"max_spill": 0}, [BUILD])
    assert not known({"max_spill": 0}, [])
    assert not known({"max_spill": 0}, [BUILD, {"kernel": "j", "target": "sm_90"}])


@pytest.mark.parametrize("track", ["cuda", "triton"])
def test_a_broken_limit_fails_the_exercise(track: str, exercise: Exercise, virtual: Runner) -> None:
    submission = Submission(exercise, track, ROOT / "solutions" / exercise.id)
    kept = virtual.grade(
        replace(submission, exercise=replace(exercise, static={"max_spill": 0, "min_occupancy": 50}))
    )
    assert kept.passed and kept.outcome.checks()["resources"] == "passed"
    broken = virtual.grade(replace(submission, exercise=replace(exercise, static={"max_registers": 4})))
    assert broken.grade == "failed" and broken.outcome.status is Status.WRONG
    assert "registers per thread on sm_90; this exercise allows at most 4: " in broken.reason
    assert broken.outcome.checks()["resources"] == "failed"


@pytest.mark.gpu
def test_on_a_gpu_costs_and_occupancy_are_its_own(exercise: Exercise, runner: Runner) -> None:
    submission = Submission(exercise, "cuda", ROOT / "solutions" / exercise.id)
    kept = runner.grade(replace(submission, exercise=replace(exercise, static={"max_spill": 0, "min_occupancy": 50})))
    assert kept.outcome.checks()["resources"] == "passed"
    (build,) = kept.outcome.build
    assert build["target"] == runner.backend.arch() and build["threads"] == 256 and build["occupancy"] > 50
    assert kept.outcome.findings == ()


def test_profiles_fit_a_reply_and_survive_it() -> None:
    lines = tuple(
        LineProfile(f"/somewhere/else/file{i % 3}.cuh", i, *[10**9 + i] * 10, opcodes=()) for i in range(1000)
    )
    launch = LaunchProfile((4, 1, 1), (256, 1, 1), 1024, lines, (), (), 7)
    kernel = KernelProfile.of("k", [launch, launch]).shortened(300)
    text = json.dumps(kernel.to_json())
    assert len(text) < MAX_REPLY
    assert KernelProfile.from_json(json.loads(text)) == kernel
    assert (kernel.launches, kernel.rest, len(kernel.lines), kernel.chain) == (2, 700, 300, 14)
    assert kernel.lines[0].flops == 2 * (10**9 + kernel.lines[0].line)


@pytest.mark.parametrize("row", [{}, {"lines": 3}, {"lines": [["f", 1]]}, {"lines": [], "mix": [], "grid": 1}])
def test_forged_rows_are_refused(row: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        KernelProfile.from_json(row)
