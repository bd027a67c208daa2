"""An exercise's page, taken apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT

from grader.discover import exercise_ids, roadmap, select
from grader.exercise import Exercise, ExerciseError
from grader.page import hints, lesson_order, level_title, read_page, section

PAGE = """\
# 1 · X

## Task
Do it.

```
## not a heading
```

## Hints
<details><summary>1. First</summary>

Look.
</details>
<details><summary>2. Second</summary>

Look again.

</details>

## Next
"""


def test_sections_and_hints() -> None:
    assert section(PAGE, "Task") == "Do it.\n\n```\n## not a heading\n```"
    assert section(PAGE, "Next") == section(PAGE, "Nowhere") == ""
    assert [(hint.title, hint.text) for hint in hints(PAGE)] == [("First", "Look."), ("Second", "Look again.")]


@pytest.mark.parametrize("exercise", select(ROOT, ["all"]), ids=lambda exercise: exercise.id)
def test_every_fold_of_a_page_is_a_hint(exercise: Exercise) -> None:
    page = read_page(exercise)
    assert len(hints(page)) == page.count("<details>") and all(hint.title and hint.text for hint in hints(page))
    assert section(page, "Task")


def test_a_missing_page_is_named(exercise: Exercise, tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match=r"README\.md: missing"):
        read_page(replace(exercise, folder=tmp_path))


def test_the_roadmap_follows_the_lessons(tmp_path: Path) -> None:
    for name in ("level1/01_a", "level1/02_b", "level1/drills/z", "level1/drills/y", "level10/40_d", "level2/03_c"):
        (tmp_path / "levels" / name).mkdir(parents=True)
    lesson = "# Level 1 · First\n[y](drills/y/README.md) [b](02_b/README.md) [gone](99_x/README.md)\n"
    (tmp_path / "levels/level1/README.md").write_text(lesson)
    assert roadmap(tmp_path) == [
        *("level1/drills/y", "level1/02_b", "level1/01_a", "level1/drills/z"),
        *("level2/03_c", "level10/40_d"),
    ]
    assert level_title(tmp_path / "levels/level1") == "Level 1 · First"
    assert level_title(tmp_path / "levels/level2") == "level2"


def test_every_lesson_names_all_of_its_level() -> None:
    assert sorted(roadmap(ROOT)) == sorted(exercise_ids(ROOT))
    for level in sorted((ROOT / "levels").glob("level*")):
        if (level / "README.md").is_file():
            there = {one.partition("/")[2] for one in exercise_ids(ROOT) if one.startswith(f"{level.name}/")}
            assert there <= set(lesson_order(level)), level.name
