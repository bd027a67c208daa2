"""What a call's launches leave behind for the judge."""

from __future__ import annotations

from grader.launched import Launched
from grader.recorder import Recorder


def test_an_autotuners_trials_are_not_all_listed() -> None:
    """It launches one call's kernel thousands of times; a reply that listed each would be too long to be sent."""
    recorder = Recorder()
    grid = recorder.noted(lambda meta: (7,), {"n": 100})
    for _ in range(1000):
        assert grid({"n": 100, "BLOCK": 16}) == (7,)
    assert recorder.shapes == [Launched(7, 16, "BLOCK")] * 2
