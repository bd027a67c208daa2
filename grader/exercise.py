"""What an exercise and a submission are. The tree under levels/ is the registry; these records are its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Case = Mapping[str, int | float]
"""One problem: sizes (ints) and scalar arguments (floats) by name, as in `{ n = 257, alpha = 2.5 }`."""

TRACKS: Mapping[str, tuple[str, ...]] = {
    "cuda": ("cuda_kernel.cu", "cuda_launch.py"),
    "triton": ("triton_kernel.py",),
    "answer": ("answer.toml",),
}
"""A track is a file-name prefix; its last file defines `solve`. But an answer is no code: it says what is known of
implementations that the exercise gives, each in a folder of its own below the exercise's.
"""


class ExerciseError(Exception):
    """An exercise under levels/ is broken. The message names the file, the line and the remedy."""


@dataclass(frozen=True)
class Goals:
    """The shares of the baseline's speed that a pass, a good and a great solution reach."""

    passing: float
    good: float
    great: float

    def grade(self, speed: float) -> str:
        """The best grade that `speed` reaches."""
        for name, goal in (("great", self.great), ("good", self.good), ("pass", self.passing)):
            if speed >= goal:
                return name
        return "slow"


@dataclass(frozen=True)
class Exercise:
    """One exercise as its folder declares it.

    `id` is its path below levels/ ("level1/01_vector_add", "level1/drills/clamp"). `cases` are checked on every
    backend, `bench` only where there is a GPU; `also` are more sizes for tests/bench_solutions.py. `dtypes` gives,
    for each track of the exercise, the element types it is checked in. `family` names its error bound (bounds.py),
    one for all outputs or a table by output, `kinds` the input data (data.py). `atomics` allows two calls on the same
    data to differ in their bits. `goals` are for each track that is timed, `static` limits what the kernels may cost
    (limits.py), `scratch` what solve() may allocate (scratch.py). Of the sizes that are `fixed` only the cases' own
    values are tried, and only together. `hidden` cases are run as `cases` are, but no report shows what is in them.
    `points` says in whole numbers what being right ("correct") and being fast ("fast") are worth (points.py).
    """

    id: str
    folder: Path
    title: str
    concept: str
    phase: float
    family: str | Mapping[str, str]
    cases: tuple[Case, ...]
    bench: Case
    needs: tuple[str, ...]
    dtypes: Mapping[str, tuple[str, ...]]
    kinds: tuple[str, ...]
    atomics: bool
    goals: Mapping[str, Goals]
    static: Mapping[str, float]
    points: Mapping[str, int]
    also: tuple[Case, ...] = ()
    hidden: tuple[Case, ...] = ()
    scratch: str = ""
    fixed: tuple[str, ...] = ()

    @property
    def tracks(self) -> tuple[str, ...]:
        return tuple(self.dtypes)

    def family_of(self, output: str) -> str:
        """The name of the error bound that `output` is held to."""
        return self.family if isinstance(self.family, str) else self.family[output]

    @property
    def is_drill(self) -> bool:
        return "/drills/" in self.id

    @property
    def implementations(self) -> tuple[Submission, ...]:
        """What an exercise of the track `answer` asks about, in the order of the names."""
        folders = sorted(path for path in self.folder.iterdir() if path.is_dir() and not path.name.startswith("_"))
        return tuple(
            Submission(self, track, folder)
            for folder in folders
            for track, files in TRACKS.items()
            if track != "answer" and (folder / files[-1]).is_file()
        )

    @property
    def slug(self) -> str:
        """The folder's name without the rung's number: "vector_add"."""
        name = self.folder.name
        return name if self.is_drill else name.partition("_")[2]


@dataclass(frozen=True)
class Submission:
    """The files somebody hands in for one track of one exercise."""

    exercise: Exercise
    track: str
    folder: Path

    @property
    def name(self) -> str:
        """ "level1/01_vector_add"; for an implementation that an answer is about, with its own folder behind."""
        return f"{self.exercise.id}{f'/{self.folder.name}' if self.folder.parent == self.exercise.folder else ''}"

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The element types it is checked in; an implementation that an answer is about has the answer's."""
        return self.exercise.dtypes.get(self.track) or self.exercise.dtypes["answer"]

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self.folder / name for name in TRACKS[self.track])

    @property
    def missing(self) -> tuple[Path, ...]:
        return tuple(path for path in self.files if not path.is_file())

    @property
    def is_absent(self) -> bool:
        """Whether nothing was handed in. In levels/, where stubs lie, it is a file that was deleted."""
        return len(self.missing) == len(self.files) and not self._is_in_levels

    @property
    def lack(self) -> str:
        """The sentence about the first missing file, and how to have it back."""
        if self.is_absent:
            return f"nothing handed in: no {self.shown(self.missing[0])}"
        path = self.shown(self.missing[0])
        remedy = f"; this brings the stub back: git checkout -- {path}" if self._is_in_levels else ""
        return f"a file is missing: {path}{remedy}"

    @property
    def _is_in_levels(self) -> bool:
        return self.folder.resolve() == self.exercise.folder.resolve()

    def shown(self, path: Path) -> str:
        """`path` as messages name it: from the repository root where it lies below that, else as it is."""
        root = self.exercise.folder.parents[self.exercise.id.count("/") + 1]
        return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()

    @property
    def todos(self) -> Mapping[Path, Sequence[int]]:
        """The lines on which a stub's TODOs are still there, by file."""
        found = {
            path: [n for n, line in enumerate(path.read_bytes().splitlines(), 1) if b"TODO:" in line]
            for path in self.files
            if path.is_file()
        }
        return {path: lines for path, lines in found.items() if lines}
