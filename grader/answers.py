"""answer.toml: what a learner says of each implementation, read with an error by line for whatever else it holds."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.diagnosis import BOUNDS

SPELLINGS = {"synchronization": "synchronisation"}
"""Other ways to write a bound."""


class AnswerError(Exception):
    """The file cannot be read as answers; the message is for the learner."""


@dataclass(frozen=True)
class Answer:
    """The bound that holds an implementation, and what that alone costs. `bound` is empty where it is still open."""

    bound: str
    milliseconds: float


def read_answers(path: Path, names: Sequence[str]) -> Mapping[str, Answer]:
    """The answer for each of `names`. Raises AnswerError."""
    try:
        text = path.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except UnicodeDecodeError:
        raise AnswerError(f"{path.name}: not UTF-8; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise AnswerError(f"{path.name}: not valid TOML: {error}") from None
    for name in raw:
        if name not in names:
            raise AnswerError(f"{path.name}:{_line(text, name)}: there is no `{name}` here, only {', '.join(names)}")
    return {name: _answer(path.name, text, name, raw.get(name)) for name in names}


def _answer(file: str, text: str, name: str, row: Any) -> Answer:
    if not isinstance(row, dict):
        raise AnswerError(f"{file}: a table [{name}] is missing, with its `bound` and its `milliseconds`")
    place = f"{file}:{_line(text, name)}: [{name}]"
    unknown = sorted(row.keys() - {"bound", "milliseconds"})
    if unknown:
        raise AnswerError(f"{place} has `{unknown[0]}`; it takes `bound` and `milliseconds`")
    bound, milliseconds = row.get("bound", ""), row.get("milliseconds", 0)
    bound = SPELLINGS.get(bound, bound) if isinstance(bound, str) else bound
    if bound not in ("", *BOUNDS):
        raise AnswerError(f"{place}: `bound` is {bound!r}; it is one of {', '.join(BOUNDS)}")
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)) or not milliseconds >= 0:
        raise AnswerError(f"{place}: `milliseconds` is {milliseconds!r}; it is a number")
    return Answer(bound, float(milliseconds))


def _line(text: str, name: str) -> int:
    found = re.search(rf"^\s*\[?\s*{re.escape(name)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else 1
