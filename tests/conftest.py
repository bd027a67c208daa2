"""What the tests share: one runner for the session, on the GPU where there is one."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator

import pytest
from support import BROWSERS, ROOT

from grader import backends
from grader.discover import select
from grader.exercise import Exercise
from grader.runner import Runner
from grader.sandbox import Zygote


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need what is not here are not collected at all; the summary would call them skipped."""
    here = {"gpu": backends.get("auto").name == "gpu", "browser": has_browser()}
    items[:] = [item for item in items if all(there or not item.get_closest_marker(n) for n, there in here.items())]


def has_browser() -> bool:
    """Whether there are both Chromium and what drives it: `pip install -e '.[browser]'`."""
    drivers = ("playwright", "axe_playwright_python")
    return any(map(shutil.which, BROWSERS)) and all(map(importlib.util.find_spec, drivers))


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    backend = backends.get("auto")
    with Zygote(backend.environment()) as zygote:
        yield Runner(zygote, backend, root=ROOT, seed=20)


@pytest.fixture
def exercise() -> Exercise:
    return select(ROOT, ["vector_add"])[0]
