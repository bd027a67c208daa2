"""The way up from where the learner is: what is at hand, what comes after it, what was left out before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.progress import Standing


@dataclass(frozen=True)
class Way:
    """Exercises by id. `here` is the one that was last attempted or gone to, "" before the first. `current` is that
    to work on: here, as long as it is not solved, then the next one that is not; "" once all are solved. `later` are
    the unsolved ones after that, `skipped` those before it.
    """

    here: str
    current: str
    later: Sequence[str]
    skipped: Sequence[str]

    @property
    def following(self) -> str:
        """Where to go from the current one without having solved it; "" where nothing else is left."""
        return next(iter((*self.later, *self.skipped)), "")


def way(standings: Mapping[str, Sequence[Standing]], here: str) -> Way:
    """The way through `standings`, which are in the roadmap's order; an exercise is solved in one track."""
    ids = list(standings)
    at = ids.index(here) if here in ids else 0
    unsolved = [one for one in ids if not any(standing.solved for standing in standings[one])]
    ahead = [one for one in unsolved if ids.index(one) >= at]
    current = next(iter(ahead or unsolved), "")
    where = ids.index(current) if current else 0
    later = [one for one in unsolved if ids.index(one) > where]
    return Way(here if here in ids else "", current, later, [one for one in unsolved if ids.index(one) < where])
