"""The report's page: its structure by an HTML parser everywhere, and in a real browser where there is one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest
from support import BROWSERS, ROOT, grade, on_a_terminal

from grader.attempt import Attempt
from grader.commands.report_history import history
from grader.commands.report_kernel import Kernel, unit
from grader.commands.report_roofline import rooflines
from grader.discover import roadmap
from grader.exercise import Exercise, Goals
from grader.journal import Journal

ADD = "level1/01_vector_add"
DEVICE = "NVIDIA H200"
FINDING = {
    "kind": "uncoalesced access",
    "severity": "advice",
    "message": "global read at cuda_kernel.cu:37: 32 sectors per request where 4 would do",
    "remedy": "let neighbouring threads use neighbouring addresses",
    "place": "cuda_kernel.cu:37",
    "code": "out[i] = in[j]; // <script>alert(1)</script> & more",
}


Line = dict[str, Any]


def attempt(number: int, exercise: str = ADD, track: str = "cuda", grade: str = "failed", **more: Any) -> Line:
    when = f"2025-09-{1 + number // 1440 % 28:02}T{number // 60 % 24:02}:{number % 60:02}:00+00:00"
    entry = {"event": "attempt", "exercise": exercise, "track": track, "grade": grade, "when": when}
    return {**entry, "backend": "vgpu", "device": "no GPU", "reason": f"reason {number} <i>", **more}


def counted(number: int, exercise: str = ADD, track: str = "cuda", flops: float = 8e3) -> Line:
    figures = {"bytes": 1e5, "flops": flops, "dtype": "float32"}
    return attempt(number, exercise, track, "correct (not timed)", **figures, findings=[FINDING])


def timed(number: int, exercise: str = ADD, track: str = "cuda", ratio: float = 0.9) -> Line:
    flops, grade = 2.0 ** (26 + number % 10), "great" if ratio > 0.85 else "slow"
    figures = {"bytes": 1e9, "flops": flops, "dtype": "float32", "bandwidth": 4.2e12, "peak": 5.1e13}
    speed = {"ratio": ratio, "seconds": 3e-4 / ratio, "backend": "gpu", "device": DEVICE}
    return attempt(number, exercise, track, grade, **figures, **speed)


def many() -> list[Line]:
    """500 attempts at all exercises, 150 of them at one."""
    ids = [one for one in roadmap(ROOT) if "diagnose" not in one]
    rows = [timed(n, ratio=0.2 + n / 160) if n % 3 else attempt(n) for n in range(150)]
    makers = (attempt, counted, timed, lambda *where: attempt(*where, grade="inconclusive"))
    for n in range(150, 500):
        turn = n // len(ids)
        rows.append(makers[turn % 4](n, ids[n % len(ids)], ("cuda", "triton")[turn % 2]))
    return rows


JOURNALS = {
    "empty": list,
    "one": lambda: [counted(0)],
    "failed": lambda: [attempt(0, findings=[FINDING])],
    "many": many,
}


def project(folder: Path, entries: list[Line]) -> Path:
    for tree in ("levels", "solutions"):
        (folder / tree).symlink_to(ROOT / tree)
    journal = Journal(folder)
    if entries:
        journal.append(entries[0])
        with journal.path.open("a") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries[1:])
    return folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of each journal."""
    made = {}
    for name, entries in JOURNALS.items():
        folder = project(tmp_path_factory.mktemp(name), entries())
        done = grade("report", "--html", "page.html", cwd=folder)
        assert done.returncode == 0 and not done.stderr, done.stderr
        made[name] = folder / "page.html"
    return made


@cache
def parsed(path: Path) -> Element:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    page: Element = parser.parse(path.read_text())
    for one in page.iter():
        if isinstance(one.tag, str):
            one.tag = one.tag.rpartition("}")[2]  # SVG has a namespace of its own
    return page


def words(element: Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def by_id(page: Element, name: str) -> Element:
    (found,) = [one for one in page.iter() if one.get("id") == name]
    return found


@pytest.mark.parametrize("name", JOURNALS)
def test_the_page_is_whole(name: str, pages: dict[str, Path]) -> None:
    """Valid HTML; each id once, each link leads somewhere on the page, each name that is referred to is there."""
    page = parsed(pages[name])
    ids = [one.get("id") for one in page.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    links = [one.get("href", "") for one in page.iter("a")]
    assert len(links) > 3 and {link[1:] for link in links} <= set(ids) and all(link[0] == "#" for link in links)
    named = {one.get("aria-labelledby") for one in page.iter()} - {None}
    assert named <= set(ids)
    levels = [int(one.tag[1]) for one in page.iter() if one.tag in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", JOURNALS)
def test_nothing_is_loaded(name: str, pages: dict[str, Path]) -> None:
    text, page = pages[name].read_text(), parsed(pages[name])
    assert "http://" not in text and "https://" not in text and "url(" not in text and "@import" not in text
    loading = [one for one in page.iter() if one.tag in ("script", "img", "iframe", "object", "link")]
    assert [one.get("href") for one in loading] == ["data:,"]
    assert "default-src 'none'" in text and 'content="light dark"' in text and "prefers-color-scheme: dark" in text


@pytest.mark.parametrize("name", JOURNALS)
def test_every_picture_has_words(name: str, pages: dict[str, Path]) -> None:
    pictures = list(parsed(pages[name]).iter("svg"))
    assert pictures
    for svg in pictures:
        assert svg.get("aria-hidden") == "true" or svg.get("aria-label") or svg.get("aria-labelledby"), svg.attrib
    for link in parsed(pages[name]).iter("a"):
        assert words(link) or link.get("aria-label")


def test_an_empty_journal_says_how_to_begin(pages: dict[str, Path]) -> None:
    page = parsed(pages["empty"])
    text = words(page)
    assert "No kernel is solved yet" in text and "Nothing was graded yet. Begin with grade next" in text
    assert f"0 of {len(roadmap(ROOT))} exercises solved" in text and "an example: nothing was measured here" in text


def test_levels_and_grades(pages: dict[str, Path]) -> None:
    page = parsed(pages["one"])
    level = words(by_id(page, "level1"))
    assert "1 of 15 solved" in level and "1 Vector add cuda ✓ correct (not timed) triton ○ not started" in level
    assert "2 Vector multiply cuda ○ not started" in level and "drill" in level
    assert len(list(by_id(page, "levels"))) == 1 + len({one.partition("/")[0] for one in roadmap(ROOT)})


def test_a_finding_stands_with_its_line_and_is_only_text(pages: dict[str, Path]) -> None:
    page = parsed(pages["one"])
    story = by_id(page, ADD.replace("/", "-"))
    text = words(story)
    assert f"Uncoalesced access (advice) , cuda_kernel.cu:37 {FINDING['code']} global read" in text
    assert FINDING["message"] in text and "reason 0 <i>" in text and not list(page.iter("script"))


def test_counted_and_measured_are_told_apart(pages: dict[str, Path]) -> None:
    one, lots = by_id(parsed(pages["one"]), "roofline"), by_id(parsed(pages["many"]), "roofline")
    assert "counted on the virtual GPU and not timed" in words(one) and "0 kernels measured, 1 counted" in words(one)
    assert f"{DEVICE} (as measured on this card)" in words(lots)
    rows = [[words(cell) for cell in row] for row in lots.iter("tr")][1:]
    solved = {row[0]: row for row in rows}
    assert solved["vector_add, cuda"][4] == f"measured on {DEVICE}" and "FLOP/s" in solved["vector_add, cuda"][2]
    assert any(row[4].startswith("counted") and row[2] == "not timed" for row in rows)
    marks = [one for one in lots.iter("a") if one.get("aria-label")]
    assert len(marks) == len(rows), "every solved kernel is in the picture"


def test_many_attempts_are_drawn_and_the_last_are_listed(pages: dict[str, Path]) -> None:
    story = by_id(parsed(pages["many"]), ADD.replace("/", "-"))
    assert "attempts: " in words(story) and "The last 20 attempts of vector_add in cuda" in words(story)
    svg = next(story.iter("svg"))
    ticks = [one for one in svg.iter() if "tick" in one.get("class", "")]
    assert len(ticks) >= 150 and "best" in svg.get("aria-label", "")
    assert pages["many"].stat().st_size < 1_000_000


def test_where_the_page_goes(tmp_path: Path) -> None:
    folder = project(tmp_path, [])
    said = grade("report", "--html", cwd=folder).stdout
    page = folder / ".kernel-ladder/report.html"
    assert said.splitlines() == [
        f"written: .kernel-ladder/report.html; to look at it, open {page.as_uri()}",
        "next: grade next",
    ]
    assert page.read_text() == grade("report", "--html", "-", cwd=folder).stdout
    assert sorted(path.name for path in page.parent.iterdir()) == ["report.html"], "nothing half-written is left"
    assert "written: .kernel-ladder/report.html" in on_a_terminal("report", "--html", cwd=folder)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["report"], 2, "in which form? As a page for a browser: grade report --html\n"),
        (["report", "x.html"], 2, "grade report --html x.html\n"),
        (["report", "--html", "levels"], 2, "--html levels: is a folder"),
        (["report", "--html", "no/x.html"], 2, "--html no/x.html: there is no folder no"),
        (["report", "--html", "/dev/full"], 3, "cannot write /dev/full: No space left on device"),
    ],
)
def test_wrong_use(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    done = grade(*arguments, cwd=project(tmp_path, []))
    assert done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout


def kernel(exercise: Exercise, **figures: Any) -> Kernel:
    empty = dict.fromkeys(("exercise", "track", "grade", "status", "reason", "backend", "source"), "")
    return Kernel(exercise, Attempt(**{"when": "2025", "device": "A", "dtype": "float32", **empty, **figures}))


def test_a_point_lies_where_its_figures_say(exercise: Exercise) -> None:
    """Half the bandwidth is half of a decade's log below the slope; more speed is further up."""
    card = {"bandwidth": 1e12, "peak": 1e13, "bytes": 1e9}
    half = kernel(exercise, flops=1e9, seconds=2e-3, **card)
    full = kernel(exercise, flops=1e9, seconds=1e-3, **card)
    fast = kernel(exercise, flops=1e11, seconds=1e-2, **card)
    (drawn,) = rooflines([half, full, fast])
    at = {id(mark.kernel): mark for mark in drawn.points}
    assert at[id(half)].x == at[id(full)].x < at[id(fast)].x and at[id(half)].y > at[id(full)].y > at[id(fast)].y
    corners = [tuple(map(float, corner.split(","))) for corner in drawn.roofs[0].split()]
    assert at[id(fast)].y == pytest.approx(corners[1][1], abs=0.1), "it is at the peak"
    (x0, y0), (x1, y1), _ = corners
    on_the_slope = y0 + (y1 - y0) * (at[id(full)].x - x0) / (x1 - x0)
    assert at[id(full)].y == pytest.approx(on_the_slope, abs=0.1)


def test_cards_have_roofs_of_their_own_and_no_counted_kernel_hides_another(exercise: Exercise) -> None:
    card = {"bandwidth": 1e12, "peak": 1e13, "bytes": 1e9, "flops": 1e9, "seconds": 1e-3}
    counted = [kernel(exercise, bytes=1e3, flops=90.0) for _ in range(30)] + [kernel(exercise, bytes=1e3, flops=91.0)]
    new, old = rooflines([kernel(exercise, **card), kernel(exercise, **card, device="B", when="2026"), *counted])
    assert (new.device, old.device) == ("B", "A") and len(new.strip) == 31 and not old.strip
    places = [(mark.x, mark.y) for mark in new.strip]
    assert all(abs(x - u) + abs(y - v) >= 9 for n, (x, y) in enumerate(places) for u, v in places[:n])
    assert all(new.top < top < y <= new.bottom for _, y, top in new.stems)


def test_what_has_no_arithmetic_is_in_no_picture(exercise: Exercise) -> None:
    assert kernel(exercise, bytes=1e3, flops=0.0).intensity == 0 and kernel(exercise).intensity is None
    (drawn,) = rooflines([kernel(exercise, bytes=1e3, flops=0.0), kernel(exercise)])
    assert not drawn.points and not drawn.strip
    assert unit(51.2e12, "FLOP/s") == "51.2 TFLOP/s" and unit(5.0, "B/s") == "5 B/s"


def test_history_climbs_with_the_ratio(exercise: Exercise) -> None:
    def one(grade: str, ratio: float | None) -> Attempt:
        return kernel(exercise, grade=grade, ratio=ratio).attempt if ratio else kernel(exercise).attempt

    attempts = [one("failed", None), one("slow", 0.4), one("great", 0.98)]
    drawn = history(attempts, Goals(0.5, 0.8, 0.95))
    (x1, y1, _), (x2, y2, words_) = drawn.dots
    assert x1 < x2 and y1 > y2 and [goal.name for goal in drawn.goals] == ["great", "good", "pass"]
    assert "first 0.40x, best 0.98x, last 0.98x" in drawn.words and words_.startswith("0.98x")
    assert history(attempts[:1], None).line == "" and "not timed" in history(attempts[:1], None).words


# In a real browser.


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)))
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", JOURNALS)
def test_in_a_browser(name: str, scheme: str, pages: dict[str, Path], browser: Any, tmp_path: Path) -> None:
    """No error, no request, nothing wider than a phone, and nothing that axe finds: contrast, names, roles, order."""
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844}, bypass_csp=True)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on(
        "request", lambda request: told.append(request.url) if request.url[:5] not in ("file:", "data:") else None
    )
    page.goto(pages[name].as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark") and told == []
    page.screenshot(path=tmp_path / f"{name}-{scheme}.png")
    context.close()


@pytest.mark.browser
def test_links_lead_to_what_they_name(pages: dict[str, Path], browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.goto(pages["many"].as_uri())
    page.get_by_role("link", name="Vector add", exact=True).click()
    story = page.locator(f"#{ADD.replace('/', '-')}")
    assert story.evaluate("one => Math.abs(one.getBoundingClientRect().top) < 5")
    page.locator("#roofline svg a").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash").startswith("#level")
    page.close()
