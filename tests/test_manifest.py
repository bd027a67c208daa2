"""Whatever is wrong with an exercise.toml is said with its file, its line and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.data import ELEMENTWISE_KINDS
from grader.exercise import ExerciseError
from grader.manifest import AWKWARD, read_manifest

GOOD = """\
title = "T"
concept = "c"
phase = 4.5
family = "exact"
cases = [{ m = 3, n = "awkward", alpha = 2.5 }, { m = 1, n = 2, alpha = 0.5 }]
bench = { m = 8, n = 9, alpha = 1.5 }
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "exercise.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def test_a_good_one(tmp_path: Path) -> None:
    exercise = read_manifest(write(tmp_path, GOOD), "level1/drills/t")
    assert exercise.cases[0] == {"m": 3, "n": AWKWARD[0], "alpha": 2.5}
    assert len(exercise.cases) == len(AWKWARD) + 1
    assert exercise.tracks == ("cuda", "triton")
    assert exercise.kinds == ELEMENTWISE_KINDS
    assert exercise.static == {} and exercise.needs == () and exercise.atomics is False


def test_a_family_for_each_output(tmp_path: Path) -> None:
    table = 'family = { out = "exact", sum = "reduction" }'
    exercise = read_manifest(write(tmp_path, GOOD.replace('family = "exact"', table)), "level1/drills/t")
    assert [exercise.family_of(name) for name in ("sum", "out")] == ["reduction", "exact"]


@pytest.mark.parametrize(
    ("line", "replacement", "message"),
    [
        ("phase = 4.5", 'phase = "four"', r"exercise\.toml:3: `phase`: expected a number"),
        ("phase = 4.5", "phase = true", r":3: `phase`: expected a number"),
        ("phase = 4.5", "", r"`phase` is missing; it is a number"),
        ('title = "T"', 'titel = "T"', r":1: `titel`: unknown key; did you mean `title`"),
        ('title = "T"', 'title = "T"\nfamliy = "exact"', r":2: `famliy`: unknown key; did you mean `family`"),
        ('title = "T"', 'title = "T"\n[zebra]\nx = 1', r":2: `zebra`: unknown key"),
        ('title = "T"', 'title = " "', r":1: `title`: expected a string"),
        ("bench =", 'fixed = ["k"]\nbench =', r":6: `fixed`: `k` is not a size of the cases \(m, n, alpha\)"),
        ("bench =", 'scratch = "4 * k"\nbench =', r":6: `scratch`: `k` is not a size of the cases"),
        ("bench =", 'scratch = "4 * alpha"\nbench =', r":6: `scratch`: `alpha` is not a size of the cases"),
        ("bench =", 'scratch = "m ** n"\nbench =', r":6: `scratch`: `m \*\* n`: a formula is made of"),
        ("bench =", 'scratch = "4 m"\nbench =', r":6: `scratch`: '4 m' is not a formula"),
        ("bench =", "scratch = 4\nbench =", r":6: `scratch`: expected a formula of the sizes"),
        ('family = "exact"', 'family = "exakt"', r":4: `family`: expected one of \"exact\""),
        (
            'family = "exact"',
            'family = { out = "exakt" }',
            r":4: `family`: expected .* a table from outputs to these",
        ),
        ('family = "exact"', "family = {}", r":4: `family`: expected one of"),
        ("bench =", "bench = [1] #", r":6: `bench`: expected a table of numbers"),
        (
            "bench =",
            "bench = { m = 1 } #",
            r":5: `cases`: every case, bench, also and hidden must",
        ),
        (
            "bench =",
            "also = [{ m = 1 }]\nbench =",
            r":5: `cases`: every case, bench, also and hidden must",
        ),
        ("bench =", "also = { m = 1 }\nbench =", r":6: `also`: expected a list of tables of numbers"),
        ("bench =", "also = [{ m = -1 }]\nbench =", r":6: `also`: m = -1: a size cannot be negative"),
        ("cases =", "cases = [] #", r":5: `cases`: there must be at least one"),
        ("cases =", "cases = [3] #", r":5: `cases`: expected a list of tables"),
        ("cases =", 'cases = [{ n = "akward" }] #', r":5: `cases`: \"akward\": did you mean \"awkward\"\?"),
        ("cases =", 'cases = [{ n = "large" }] #', r":5: `cases`: expected a list of tables"),
        ("cases =", "cases = [{ n = 3 }, { n = -5 }] #", r":5: `cases`: n = -5: a size cannot be negative"),
        ("bench =", "bench = { m = -1, n = 9, alpha = 1.5 } #", r":6: `bench`: m = -1: a size cannot be negative"),
        ("phase = 4.5", 'phase = 1\nkinds = ["normall"]', r":4: `kinds`: expected a list from \"normal\""),
        ("phase = 4.5", 'phase = 1\nneeds = "sm_90"', r":4: `needs`: expected a list such as"),
        ("phase = 4.5", 'phase = 1\natomics = "no"', r":4: `atomics`: expected true or false"),
        ("phase = 4.5", 'phase = 1\ndtypes = { cuda = "float32" }', r":4: `dtypes`: expected a table"),
        ("bench =", 'dtypes = { hip = ["float32"] }\nbench =', r":6: `dtypes`: expected a table from tracks"),
        ("bench =", "goals.cuda = { pass = 0.5 }\nbench =", r":6: `goals`: expected tables \[goals.TRACK\]"),
        ("bench =", "goals.hip = { pass = 0.1, good = 0.2, great = 0.3 }\nbench =", r":6: `goals`: expected tables"),
        ("bench =", "goals.cuda = { pass = 0.9, good = 0.2, great = 0.3 }\nbench =", r"pass <= good <= great"),
        ("bench =", "goals.cuda = { pass = 0, good = 0.2, great = 0.3 }\nbench =", r":6: `goals`"),
        ("phase = 4.5", "phase = 1\nstatic = { max_spil = 0 }", r":4: `static`: expected .* \"max_spill\""),
        ("phase = 4.5", 'phase = 1\nstatic = { max_spill = "0" }', r":4: `static`: expected a table of numbers"),
        ("bench =", "bench = { m = 8, n = 9, alpha = 1.5 }\n[static]\nmin_occupancy = true #", r":7: `static`: "),
        ("bench =", "hidden = [{ m = 1 }]\nbench =", r"bench, also and hidden must give the same names"),
        ("bench =", "hidden = [{ m = -1 }]\nbench =", r":6: `hidden`: m = -1: a size cannot be negative"),
        ("bench =", "hidden = 3\nbench =", r":6: `hidden`: expected a list of tables of numbers"),
        (
            "phase = 4.5",
            "phase = 1\npoints = { correct = 8 }",
            r":4: `points`: expected a table of two",
        ),
        ("phase = 4.5", "phase = 1\npoints = { correct = 7.5, fast = 2 }", r":4: `points`: expected"),
        ("phase = 4.5", "phase = 1\npoints = { correct = -1, fast = 2 }", r":4: `points`: expected"),
        ("phase = 4.5", "phase = 1\npoints = { correct = 0, fast = 0 }", r":4: `points`: .* not both 0"),
        ("phase = 4.5", "phase = 1\npoints = 10", r":4: `points`: expected"),
        ("phase = 4.5", "phase = = 1", r"not valid TOML: .*line 3"),
    ],
)
def test_a_bad_one(tmp_path: Path, line: str, replacement: str, message: str) -> None:
    assert line in GOOD
    with pytest.raises(ExerciseError, match=message):
        read_manifest(write(tmp_path, GOOD.replace(line, replacement)), "level1/drills/t")


def test_hidden_cases_and_points(tmp_path: Path) -> None:
    plain = read_manifest(write(tmp_path, GOOD), "level1/drills/t")
    assert plain.hidden == () and plain.points == {"correct": 10, "fast": 0}, "without goals nothing is fast"
    goals = "\n[goals.cuda]\npass = 0.1\ngood = 0.2\ngreat = 0.3\n"
    assert read_manifest(write(tmp_path, GOOD + goals), "x").points == {"correct": 7, "fast": 3}
    more = 'hidden = [{ m = 5, n = "awkward", alpha = 0.5 }]\npoints = { correct = 8, fast = 2 }\n'
    told = read_manifest(write(tmp_path, more + GOOD), "x")
    assert len(told.hidden) == len(AWKWARD) and told.points == {"correct": 8, "fast": 2}
    assert not set(map(str, told.hidden)) & set(map(str, told.cases))


def test_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match="not UTF-8"):
        read_manifest(write(tmp_path, b'title = "\xff"'), "level1/drills/t")


def test_a_byte_order_mark(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match="starts with a byte order mark"):
        read_manifest(write(tmp_path, b"\xef\xbb\xbf" + GOOD.encode()), "level1/drills/t")


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "exercise.toml").mkdir()
    with pytest.raises(ExerciseError, match="cannot be read"):
        read_manifest(tmp_path, "level1/drills/t")
