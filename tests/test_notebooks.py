"""The notebooks: in step with what they are made from, and each runs from top to bottom without a GPU."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
notebooks = __import__("make_notebooks")

LEVELS = sorted(path.name for path in (ROOT / "levels").glob("level*"))
FEWEST_PLOTS = 5


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "make_notebooks.py"), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder notebooks/, to be spoilt."""
    folder = tmp_path / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    monkeypatch.setattr(notebooks, "NOTEBOOKS", folder)
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    for name in ("levels", "solutions"):
        (tmp_path / name).symlink_to(ROOT / name)
    return folder


def test_there_is_one_for_each_level_and_none_is_stale() -> None:
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")) == LEVELS
    done = make("--check")
    assert done.returncode == 0, done.stdout


def test_outputs_and_changed_lessons_are_noticed(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert notebooks.main(["--check"]) == 0
    notebook = nbformat.read(copy / "level1.ipynb", as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.outputs = [nbformat.v4.new_output("stream", text="kept")]
    nbformat.write(notebook, copy / "level1.ipynb")
    lesson = copy / "lessons" / "level2.py"
    lesson.write_text(lesson.read_text("utf-8").replace("# # Level 2", "# # Level two"), "utf-8")
    assert notebooks.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "level1.ipynb" in said and "level2.ipynb" in said and "level3.ipynb" not in said
    assert "python scripts/make_notebooks.py" in said
    assert notebooks.main([]) == 0 and notebooks.main(["--check"]) == 0


def test_a_readme_section_that_is_not_there_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lesson = copy / "lessons" / "level1.py"
    lesson.write_text(lesson.read_text("utf-8") + "\n# %% [readme] Nowhere\n", "utf-8")
    assert notebooks.main(["--check"]) == 2
    assert "levels/level1/README.md: no section '## Nowhere'" in capsys.readouterr().out


def test_an_unknown_level_is_refused() -> None:
    done = make("level77")
    assert done.returncode == 2 and "level77" in done.stdout and "level1" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_it_runs_from_top_to_bottom_and_shows_plots(level: str, tmp_path: Path) -> None:
    done = make("--run", str(tmp_path), level)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = nbformat.read(tmp_path / f"{level}.ipynb", as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    printed = "".join(output.get("text", "") for output in outputs)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= FEWEST_PLOTS
    assert "not started" in printed or "correct" in printed
    assert not any(finding in printed for finding in ("out of bounds: ", "race: read", "race: write", "Warning"))
