"""An exercise's page, README.md, taken apart: its sections and its folded hints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grader.exercise import Exercise, ExerciseError

HEADINGS = ("Task", "Picture", "Hints", "Measure", "Next")
"""The sections of every exercise's page, in this order."""

_NAMES = {"cuda": "CUDA", "triton": "Triton"}
_WORDS = {
    "cuda": re.compile(r"\b(?:__\w+|(?:thread|block)(?:Idx|Dim)|gridDim|float4|half2|shared|cp\.async|cuda_\w+)\b"),
    "triton": re.compile(r"\b(?:tl\.|triton\.|triton_|num_warps|num_stages)|\bTriton\b"),
}
"""What only one of the tracks has, in headings and in texts."""

_FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>\n*(.*?)\s*</details>", re.DOTALL)


@dataclass(frozen=True)
class Hint:
    """One fold of the page: its heading, and its text as Markdown."""

    title: str
    text: str

    @property
    def track(self) -> str:
        """The track that it is for, "" if it is for all: its heading says so, else what it speaks of."""
        named = [track for track, word in _NAMES.items() if word in self.title]
        spoken = [track for track, words in _WORDS.items() if words.search(self.text)]
        found = named or spoken
        return found[0] if len(found) == 1 else ""


def read_page(exercise: Exercise) -> str:
    """The page as Markdown. Raises ExerciseError where there is none."""
    path = exercise.folder / "README.md"
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ExerciseError(f"{path}: missing; every exercise has a page") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ExerciseError(f"{path}: cannot be read: {error}") from None


def section(page: str, heading: str) -> str:
    """What stands below `## heading`, "" where there is no such section. Code is no heading."""
    lines, inside, fenced = [], False, False
    for line in page.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            inside = line[3:].strip() == heading
        elif inside:
            lines.append(line)
    return "\n".join(lines).strip("\n")


def hints(page: str) -> list[Hint]:
    """The folds of the section Hints, each of which says a bit more than the one before."""
    return [Hint(_without_number(title), text) for title, text in _FOLD.findall(section(page, "Hints"))]


def headings(page: str) -> list[str]:
    """The names of the page's sections, in order. Code is no heading."""
    return re.findall(r"^## (.*?)\s*$", _without_code(page), re.MULTILINE)


def broken_links(path: Path) -> list[str]:
    """Where the links of a Markdown file lead to that is not there; addresses on the web are not looked at."""
    prose = re.sub(r"`[^`\n]*`", "", _without_code(path.read_text(encoding="utf-8")))
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", prose)
    return [target for target in targets if not (path.parent / target).exists()]


def hints_for(page: str, track: str) -> list[Hint]:
    """Those of the hints that are for `track` or for all; every one where `track` is "" or has none."""
    every = hints(page)
    return [one for one in every if one.track in ("", track)] or every if track else every


def lesson_order(level: Path) -> list[str]:
    """The folders that a level's README.md links to, in its order: "01_vector_add", "drills/clamp"."""
    lesson = level / "README.md"
    if not lesson.is_file():
        return []
    linked = re.findall(r"\]\(([^)\s]+)/README\.md\)", lesson.read_text(encoding="utf-8", errors="replace"))
    return list(dict.fromkeys(linked))


def level_title(level: Path) -> str:
    """ "Level 1 · Elementwise", as the level's README.md has it; "level3" where there is none."""
    lesson = level / "README.md"
    first = lesson.read_text(encoding="utf-8", errors="replace").partition("\n")[0] if lesson.is_file() else ""
    return first.removeprefix("# ").strip() or level.name


def _without_code(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def _without_number(title: str) -> str:
    return re.sub(r"^\d+\.\s*", "", title.strip())
