"""What the tests share: one runner for the session, on the GPU where there is one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import ROOT

from grader import backends
from grader.discover import select
from grader.exercise import Exercise
from grader.runner import Runner
from grader.sandbox import Zygote


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a GPU the tests that need one are not collected at all; the summary would call them skipped."""
    if backends.get("auto").name != "gpu":
        items[:] = [item for item in items if not item.get_closest_marker("gpu")]


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    backend = backends.get("auto")
    with Zygote(backend.environment()) as zygote:
        yield Runner(zygote, backend, root=ROOT, seed=20)


@pytest.fixture
def exercise() -> Exercise:
    return select(ROOT, ["vector_add"])[0]
