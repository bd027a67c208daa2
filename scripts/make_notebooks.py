"""Write notebooks/levelN.ipynb anew from notebooks/lessons/, the READMEs and the stubs; name levels for a few.

    python scripts/make_notebooks.py                     # write them
    python scripts/make_notebooks.py --check             # say which are stale or hold outputs, exit code 1
    python scripts/make_notebooks.py --run DIR level1    # execute, outputs and all, into DIR

A lesson is Python in cells: `# %%` begins code, `# %% [markdown]` text, and two take their text from elsewhere:
`# %% [readme] HEADING` is that section of the level's README, `# %% [exercises]` all its exercises, a cell for each.
"""

import html
import re
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader.discover import select
from grader.exercise import TRACKS, Exercise
from grader.pristine import pristine

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"


class LessonError(Exception):
    """A lesson cannot be made into a notebook; the message names its file."""


def section(page: Path, heading: str) -> str:
    """The text below `## heading` of a Markdown page, links turned so that they work from notebooks/."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page.read_text("utf-8"), re.M | re.S)
    if not found:
        raise LessonError(f"{page.relative_to(ROOT)}: no section '## {heading}'")
    folder = page.parent.relative_to(ROOT).as_posix()
    return re.sub(r"\]\((?!https?:|#)([^)]+)\)", rf"](../{folder}/\1)", found[1]).strip()


def exercise_cells(exercise: Exercise, first: bool) -> list[nbformat.NotebookNode]:
    page = exercise.folder / "README.md"
    link = f"../{page.relative_to(ROOT).as_posix()}"
    parts = [f"### [{exercise.slug}]({link}): {exercise.concept}", section(page, "Task")]
    for name in (name for track in exercise.tracks for name in TRACKS[track]):
        where = f"../levels/{exercise.id}/{name}"
        text = pristine(ROOT, exercise, name).text.strip()
        # one line of HTML: Markdown would end the fold at the first empty line of the code
        code = html.escape(text, quote=False).replace("\n", "&#10;")
        parts.append(
            f'<details><summary><a href="{where}"><code>{name}</code></a></summary><pre>{code}</pre></details>'
        )
    call = f'grade("{exercise.id}"{", untouched=True" if first else ""})'
    return [new_markdown_cell("\n\n".join(parts)), new_code_cell(call)]


def lesson_cells(level: str) -> list[nbformat.NotebookNode]:
    path = NOTEBOOKS / "lessons" / f"{level}.py"
    head, *parts = re.split(r"^# %%", path.read_text("utf-8"), flags=re.M)
    if head.strip():
        raise LessonError(f"{path.relative_to(ROOT)}:1: the first line begins a cell: # %% [markdown]")
    cells: list[nbformat.NotebookNode] = []
    for part in parts:
        kind, _, body = part.partition("\n")
        kind, _, rest = kind.strip().partition(" ")
        if kind == "":
            cells.append(new_code_cell(body.strip()))
        elif kind == "[markdown]":
            cells.append(new_markdown_cell(re.sub(r"^# ?", "", body, flags=re.M).strip()))
        elif kind == "[readme]":
            heading = rest.strip()
            text = section(ROOT / "levels" / level / "README.md", heading)
            cells.append(new_markdown_cell(f"## {heading}\n\n{text}"))
        elif kind == "[exercises]":
            for number, exercise in enumerate(select(ROOT, [level])):
                cells += exercise_cells(exercise, number == 0)
        else:
            raise LessonError(f"{path.relative_to(ROOT)}: no such kind of cell: # %% {kind}")
    return cells


def make(level: str) -> nbformat.NotebookNode:
    """The notebook of a level, the same each time: cells are numbered, not named at random."""
    cells = lesson_cells(level)
    for number, cell in enumerate(cells):
        cell["id"] = f"{level}-{number:02}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def write(levels: list[str], check: bool) -> int:
    stale = []
    for level in levels:
        path, text = NOTEBOOKS / f"{level}.ipynb", nbformat.writes(make(level)) + "\n"
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(path)
            if not check:
                path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{'stale, or holds outputs' if check else 'written'}: {path.relative_to(ROOT)}")
    if check and stale:
        print("python scripts/make_notebooks.py writes them anew")
    return int(check and bool(stale))


def run(levels: list[str], folder: Path) -> int:
    from nbclient import NotebookClient  # only here: it brings a server's worth of modules along

    folder.mkdir(parents=True, exist_ok=True)
    for level in levels:
        notebook = nbformat.read(NOTEBOOKS / f"{level}.ipynb", as_version=4)
        client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOKS)}})
        nbformat.write(client.execute(), folder / f"{level}.ipynb")
        print(f"executed: {folder / level}.ipynb")
    return 0


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    arguments = [argument for argument in arguments if argument != "--check"]
    folder = None
    if "--run" in arguments:
        at = arguments.index("--run")
        if at + 1 == len(arguments):
            print("--run needs the folder for what it executes: --run DIR [level1 ...]")
            return 2
        folder = Path(arguments[at + 1])
        del arguments[at : at + 2]
    known = sorted(path.stem for path in (NOTEBOOKS / "lessons").glob("level*.py"))
    unknown = [level for level in arguments if level not in known]
    if unknown:
        print(f"no lesson {', '.join(unknown)}; there are: {', '.join(known)}")
        return 2
    try:
        return run(arguments or known, folder) if folder else write(arguments or known, check)
    except LessonError as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
