"""The scripts that need a GPU for their figures, as far as they go without one."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support import ROOT

from grader.discover import select
from grader.exercise import Goals
from grader.manifest import read_manifest
from grader.reportfiles import crashed

sys.path.insert(0, str(ROOT / "scripts"))
calibrate, figures = __import__("calibrate"), __import__("figures")
results = __import__("results")


def benchmark(contestant: str, seconds: float) -> dict[str, object]:
    device = {"name": "Toy GPU", "torch": "2.11", "triton": "3.6", "cupy": "14", "nvrtc": "13.0"}
    problem = {"exercise": "level1/x", "case": {"n": 8}, "dtype": "float32"}
    info = {**problem, "contestant": contestant, "rate": "99 GB/s", "share": 0.5, "device": device}
    return {"extra_info": info, "stats": {"median": seconds, "iqr": 0.0}}


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_results_puts_each_solution_beside_its_fastest_peer(tmp_path: Path) -> None:
    rows = [benchmark("cuda", 1e-4), benchmark("torch", 2e-4), benchmark("torch.compile", 1.5e-4)]
    (tmp_path / "bench.json").write_text(json.dumps({"benchmarks": rows, "datetime": "2026-01-02T03:04:05"}))
    done = run("results.py", str(tmp_path / "bench.json"), "-o", str(tmp_path / "RESULTS.md"))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "RESULTS.md").read_text()
    ours, theirs = "cuda | 100.0 us · 99 GB/s (50%)", "torch.compile | 150.0 us · 99 GB/s (50%)"
    assert f"| level1/x | n=8, float32 | {ours} | {theirs} | 1.50 |" in text
    assert "Toy GPU, 2026-01-02; torch 2.11" in text


def test_results_of_several_runs_never_mix_within_a_problem(tmp_path: Path) -> None:
    runs = (
        (benchmark("cuda", 1e-4), benchmark("torch", 2e-4)),
        (benchmark("triton", 3e-4), benchmark("torch", 3e-4)),
    )
    files = []
    for rows in runs:
        files.append(tmp_path / f"{len(files)}.json")
        files[-1].write_text(json.dumps({"benchmarks": rows, "datetime": "2026-01-02T03:04:05"}))
    done = run("results.py", *map(str, files), "-o", str(tmp_path / "RESULTS.md"))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "RESULTS.md").read_text()
    assert "| triton | 300.0 us" in text and "| 1.00 |" in text and "| cuda |" not in text

    moved = json.loads(files[1].read_text())
    moved["benchmarks"][0]["extra_info"]["device"]["name"] = "Other GPU"
    files[1].write_text(json.dumps(moved))
    done = run("results.py", *map(str, files), "-o", str(tmp_path / "RESULTS.md"))
    assert done.returncode == 2 and "different machines" in done.stderr and "Other GPU" in done.stderr


@pytest.mark.parametrize("text", ["", "{}", '{"benchmarks": [], "datetime": ""}'])
def test_results_refuses_other_files(text: str, tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text(text)
    done = run("results.py", str(tmp_path / "bench.json"), "-o", str(tmp_path / "RESULTS.md"))
    assert done.returncode == 2 and "not the JSON of tests/bench_solutions.py" in done.stderr
    assert not (tmp_path / "RESULTS.md").exists()


def test_goals_lie_between_the_naive_kernel_and_the_solution() -> None:
    assert calibrate.propose(1.0, None) == Goals(0.6, 0.85, 0.95)
    assert calibrate.propose(1.0, 0.25) == Goals(0.55, 0.85, 0.95)
    assert calibrate.propose(1.0, 0.95) == Goals(0.6, 0.85, 0.95), "a naive kernel that is fast proves nothing"


def test_goals_are_written_where_they_stood(tmp_path: Path) -> None:
    (exercise,) = select(ROOT, ["vectorized_copy"])
    text = (exercise.folder / "exercise.toml").read_text()
    (tmp_path / "exercise.toml").write_text(text)
    copy = read_manifest(tmp_path, exercise.id)
    calibrate.write(copy, "cuda", Goals(0.1, 0.2, 0.3))
    calibrate.write(copy, "cuda", Goals(0.4, 0.5, 0.6))
    again = read_manifest(tmp_path, exercise.id)
    assert again.goals == {"cuda": Goals(0.4, 0.5, 0.6)}
    assert (tmp_path / "exercise.toml").read_text().count("[goals") == 1
    assert again.cases == exercise.cases


def test_goals_come_from_two_records_of_one_card(tmp_path: Path) -> None:
    def record(name: str, card: str, ratio: float | None) -> str:
        timing = {"ratio": ratio} if ratio else None
        row = {"exercise": "level1/01_vector_add", "track": "cuda", "timing": timing}
        (tmp_path / name).write_text(json.dumps({"device": {"name": card}, "results": [row]}))
        return str(tmp_path / name)

    done = run("calibrate.py", record("s.json", "Toy GPU", 1.0), record("n.json", "Toy GPU", 0.25))
    assert done.returncode == 0 and "0.55" in done.stdout, done.stderr
    done = run("calibrate.py", record("s.json", "Toy GPU", 1.0), record("n.json", "Other GPU", 0.25))
    assert done.returncode == 2 and "goals need one card" in done.stderr
    done = run("calibrate.py", record("s.json", "Toy GPU", None), record("n.json", "Toy GPU", 0.25))
    assert done.returncode == 3 and "not timed, goals left as they are: level1/01_vector_add (cuda)" in done.stdout
    (tmp_path / "n.json").write_text("[]")
    done = run("calibrate.py", str(tmp_path / "s.json"), str(tmp_path / "n.json"))
    assert done.returncode == 2 and "n.json: not a record of `grade --json`" in done.stderr
    (tmp_path / "n.json").write_text(json.dumps(crashed(datetime.now(UTC), "the power went")))
    done = run("calibrate.py", str(tmp_path / "s.json"), str(tmp_path / "n.json"))
    assert done.returncode == 2 and "it is not finished: the power went" in done.stderr


def test_figures_stand_between_their_marks() -> None:
    timing = {"case": {"n": 8}, "dtype": "float32", "seconds": 1e-4, "baseline_seconds": 2e-3, "ratio": 20.0}
    timing |= {"low": 19.5, "high": 20.5, "rate": "99 GB/s", "share": 0.5}
    row = {"track": "cuda", "timing": timing}
    device = {"name": "Toy GPU", "torch": "2.11.0+cu130", "triton": "3.6.0"}
    text = figures.block("x", [row], device)
    assert "| cuda | 100 us | 2 ms | 20.00 (19.50-20.50) | 99 GB/s, 50% |" in text
    page = figures.put("# X\n\n## Measure\nWords.\n\n## Next\nY\n", text)
    assert page.index("Words.") < page.index("Toy GPU") < page.index("## Next") and "\n\n\n" not in page
    again = figures.put(page, text.replace("100 us", "90 us"))
    assert again == page.replace("100 us", "90 us"), "what was measured before is replaced"
    with pytest.raises(ValueError, match="no section Next"):
        figures.put("# X\n", text)


def test_figures_refuses_other_files(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]")
    done = run("figures.py", str(tmp_path / "x.json"))
    assert done.returncode == 2 and "not a record of `grade --json`" in done.stderr
