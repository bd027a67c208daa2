"""What `grade check` finds out by running an exercise: the stub fails, the solution passes, the mutants fail."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from grader import audit
from grader.audit import Finding
from grader.dialogue import Stop
from grader.exercise import Exercise, ExerciseError, Submission
from grader.mutants import Mutant, mutate, read_mutants, survived
from grader.outcome import Status, Verdict
from grader.portable import compile_faults, targets
from grader.runner import Runner
from grader.scaffold import untouched
from grader.stubs import SOLUTIONS, is_to_mend

ROOM = 0.85
"""The part of the error bound that a solution may use up: a right kernel of somebody else needs room as well."""

SEED = 20
"""The words that mutants are told are those of this data."""


def stub_trial(root: Path, submission: Submission, verdict: Verdict) -> list[str]:
    """What is wrong with the verdict on a stub: it must be not started, or failed where there is code to mend."""
    faults = []
    if is_to_mend(root, submission):
        if verdict.grade != "failed" or verdict.outcome.status is not Status.WRONG:
            faults.append(f"code to mend must be wrong; it is {verdict.grade}: {verdict.reason}")
        elif verdict.outcome.cases[-1].check != "tiny" or not verdict.outcome.detail:
            faults.append("code to mend must be wrong in the first case already, with its details decoded")
        return faults
    if verdict.grade != "not started" or verdict.outcome.status is not Status.WRONG:
        return [f"a stub must be not started; it is {verdict.grade}: {verdict.reason}"]
    if not re.search("a TODO remains in |TODOs remain in ", verdict.reason):
        faults.append(f"it is not told that a TODO remains: {verdict.reason}")
    silent = [path.name for path in submission.files if f"{submission.shown(path)}:" not in verdict.reason]
    return faults + [f"{name} has no TODO" for name in silent]


def solution_trial(submission: Submission, verdict: Verdict) -> list[str]:
    """What is wrong with the verdict on a solution: it passes, with room to spare, and in every element type."""
    outcome = verdict.outcome
    if not verdict.passed:
        return [f"it is {verdict.grade}: {verdict.reason}"]
    known = [case.worst for case in outcome.cases if case.worst is not None]
    faults = []
    if max(known, default=0.0) >= ROOM:
        faults.append(f"its error is {max(known):.2f} of the bound; {ROOM} is the most")
    errors = [finding for finding in outcome.findings if finding["severity"] == "error"]
    faults += [f"{finding['kind']}: {finding['message']}" for finding in errors]
    faults += [f"{build['kernel']} spills registers" for build in outcome.build if build.get("spill_stores")]
    judged = {case.dtype for case in outcome.cases if case.status is Status.CORRECT}
    expected = set() if submission.track == "answer" else set(submission.dtypes)
    return faults + [f"it was not checked in {dtype}" for dtype in sorted(expected - judged)]


TESTS = "tests"
"""Where the mutants are, below it."""


def _not_run(exercise_id: str, check: str, why: str) -> Finding:
    return Finding(exercise_id, check, "not run", why)


def _left_out(exercise_id: str, check: str, tree: str) -> Finding:
    return Finding(exercise_id, check, "left out", f"there is no {tree}/ here")


class Auditor:
    """Checks exercises one by one, with `runner` for what must be run; `progress` hears what is being done."""

    def __init__(self, root: Path, runner: Runner, progress: Callable[[str], None]) -> None:
        self._root, self._runner, self._progress = root, runner, progress

    def check(self, exercise_id: str, read: Callable[[], Exercise]) -> Iterator[Finding]:
        """A finding for each of audit.CHECKS, in order. `read` reads the manifest. Raises GraderError."""
        try:
            exercise = read()
        except ExerciseError as error:
            yield self._finding(exercise_id, "manifest", "", [str(error)])
            yield from (_not_run(exercise_id, check, "the manifest is broken") for check in audit.CHECKS[1:])
            return
        yield self._finding(exercise_id, "manifest", f"{len(exercise.cases)} cases; {', '.join(exercise.tracks)}", [])
        broken = audit.reference_faults(exercise)
        yield self._finding(exercise_id, "reference", "fits every case", broken)
        yield from self._readable(exercise)
        if not (self._root / SOLUTIONS).is_dir():
            yield from (_left_out(exercise_id, check, SOLUTIONS) for check in audit.CHECKS[7:])
            return
        if broken:
            yield from (_not_run(exercise_id, check, "the reference is broken") for check in audit.CHECKS[7:])
            return
        faults = audit.stub_faults(self._root, exercise)
        yield self._finding(exercise_id, "stubs", "fresh", faults)
        lacking = [
            path
            for track in exercise.tracks
            for path in Submission(exercise, track, self._root / SOLUTIONS / exercise.id).missing
        ]
        if lacking:
            why = f"{lacking[0].relative_to(self._root).as_posix()} is missing"
            yield from (_not_run(exercise_id, check, why) for check in audit.CHECKS[8:])
            return
        yield from self._run(exercise, not faults)

    def _readable(self, exercise: Exercise) -> Iterator[Finding]:
        """The checks between `reference` and `stubs`, which need neither solutions nor a run."""
        timed = f"for {', '.join(exercise.goals)}" if exercise.goals else "none: never timed"
        page = audit.page_faults(exercise)
        same = [] if page else untouched(exercise)
        complete = "all headings, hints and links" + (f"; still the template's: {', '.join(same)}" if same else "")
        for check, said, faults in (
            ("page", complete, page),
            ("lesson", "its level links to it", audit.lesson_faults(self._root, exercise)),
            ("cases", "a ragged size is among them", audit.case_faults(exercise)),
            ("goals", timed, audit.goal_faults(exercise)),
            ("files", "nothing stray", audit.file_faults(self._root, exercise)),
        ):
            yield self._finding(exercise.id, check, said, faults)

    def _run(self, exercise: Exercise, fresh: bool) -> Iterator[Finding]:
        """The checks that compile and run something; stubs are run if they are `fresh`."""
        yield self._compiles(exercise)
        stubs = [Submission(exercise, track, exercise.folder) for track in exercise.tracks if fresh]
        solutions = [Submission(exercise, track, self._root / SOLUTIONS / exercise.id) for track in exercise.tracks]
        with tempfile.TemporaryDirectory(prefix="kernel-ladder-") as folder:
            tested = (self._root / TESTS).is_dir()
            mutants, faults = self._mutants(exercise, Path(folder)) if tested else ([], [])
            verdicts = iter([*self._grade([*stubs, *solutions, *(submission for _, submission in mutants)])])
            said = [f"{one.track}: {fault}" for one in stubs for fault in stub_trial(self._root, one, next(verdicts))]
            if fresh:
                yield self._finding(exercise.id, "fails", "every stub, as it should", said)
            else:
                yield _not_run(exercise.id, "fails", "the stubs are not fresh")
            said = [f"{one.track}: {fault}" for one in solutions for fault in solution_trial(one, next(verdicts))]
            yield self._finding(exercise.id, "passes", "every solution", said)
            for mutant, _ in mutants:
                why = survived(mutant, next(verdicts), self._runner.backend.name)
                faults += [f"{mutant.name!r} ({mutant.file}) {why}"] if why else []
        if tested:
            yield self._finding(exercise.id, "mutants", f"all {len(mutants)} fail and are told why", faults)
        else:
            yield _left_out(exercise.id, "mutants", TESTS)

    def _mutants(self, exercise: Exercise, folder: Path) -> tuple[list[tuple[Mutant, Submission]], list[str]]:
        """The mutants that can be run here, and what is wrong with the list of them."""
        try:
            every = read_mutants(self._root, exercise.id)
        except ExerciseError as error:
            return [], [str(error)]
        faults = audit.mutant_faults(exercise, every)
        ready = []
        for number, mutant in enumerate(every):
            if mutant.track not in exercise.tracks or (self._runner.backend.name == "gpu" and mutant.vgpu_only):
                continue
            try:
                ready.append((mutant, mutate(self._root, exercise, mutant, folder / str(number))))
            except ExerciseError as error:
                faults.append(f"{mutant.name!r}: {error}")
        return ready, faults

    def _grade(self, submissions: list[Submission]) -> Iterator[Verdict]:
        return self._runner.run(submissions, lambda one, text: self._progress(f"{one.exercise.slug}: {text}"))

    def _compiles(self, exercise: Exercise) -> Finding:
        """Every .cu of the solution, or of the implementations that an answer is about."""
        asked = [Submission(exercise, "cuda", self._root / SOLUTIONS / exercise.id)]
        if "answer" in exercise.tracks:
            asked = [one for one in exercise.implementations if one.track == "cuda"]
        elif "cuda" not in exercise.tracks:
            return self._finding(exercise.id, "compiles", "no CUDA here", [])
        archs = targets(exercise.needs)
        faults = []
        for one in asked:
            self._progress(f"{exercise.slug}: compiling for {archs[0]} to {archs[-1]}")
            try:
                builds = self._runner.builds(one)
            except Stop as stop:
                faults.append(f"{one.folder.relative_to(self._root).as_posix()} does not load: {stop.reason}")
            else:
                faults += compile_faults(one.folder, builds, archs)
        return self._finding(exercise.id, "compiles", f"for {', '.join(archs)}", faults)

    def _finding(self, exercise_id: str, check: str, said: str, faults: list[str]) -> Finding:
        """What was found, its paths from the repository's root."""
        text = "; ".join(faults).replace(f"{self._root}/", "") if faults else said
        return Finding(exercise_id, check, "failed" if faults else "ok", text)
