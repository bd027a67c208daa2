"""Tables in Markdown, for a pull request or CI: points by exercise, grades by track, failures folded."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from grader.formats import Record, ended


def render(record: Record) -> str:
    """The file's text."""
    if why := ended(record):
        said, _, rest = why.partition(":")
        return f"## Kernel Ladder\n\n**{said}**: {_cell(rest)}\n"
    summary = record["summary"]
    lines = [
        "## Kernel Ladder",
        "",
        f"**{summary['score']} of {summary['max_score']} points**; "
        f"{summary['passed']} of {summary['total']} graded tracks pass.",
        "",
        "| exercise | right | fast | points |",
        "|---|---|---|---|",
    ]
    for mark in record["marks"]:
        parts = mark["correct"], mark["fast"]
        score, most = (sum(part[key] for part in parts) for key in ("score", "max"))
        lines.append(f"| {_cell(mark['exercise'])} | {' | '.join(map(_part, parts))} | {score} of {most} |")
    lines += ["", "| exercise | track | grade | why |", "|---|---|---|---|"]
    for row in record["results"]:
        lines.append(f"| {' | '.join(_cell(row[key]) for key in ('exercise', 'track', 'grade', 'reason'))} |")
    for row in record["results"]:
        if row["detail"]:
            summary_line = f"{html.escape(row['exercise'])}, {row['track']}: {row['grade']}"
            lines += ["", f"<details><summary>{summary_line}</summary>", "", *_code(row["detail"]), "</details>"]
    device = record["device"]
    lines += ["", f"Graded on {_cell(device.get('name', 'an unknown device'))}, seed {record['seed']}."]
    return "\n".join(lines) + "\n"


def _part(part: Mapping[str, Any]) -> str:
    return f"{part['score']} of {part['max']}" if part["max"] else "not counted"


def _cell(text: str) -> str:
    """Text as it is, on one line: no markup, no column of its own, nobody mentioned."""
    escaped = re.sub(r"([\\`*_{}\[\]#|~@])", r"\\\1", html.escape(text, quote=False))
    return " ".join(escaped.split())


def _code(text: str) -> list[str]:
    """A fenced block that `text` cannot end."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return [fence, *text.splitlines(), fence, ""]
