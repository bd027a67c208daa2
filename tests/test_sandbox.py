"""Workers end when they should, take everything along, and are not believed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from support import ROOT

from grader import zygote as zygote_module
from grader.arena import Layout, Slot
from grader.backends import get
from grader.outcome import GraderError
from grader.replies import is_reply
from grader.sandbox import Worker, WorkerEnded, WorkerTimeout, Zygote

BACKEND = get("auto")
IDLE = "import time\nwhile True: time.sleep(1)\n"
STUBBORN = "import time\nwhile True:\n  try: time.sleep(1)\n  except BaseException: pass\n"


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote(BACKEND.environment()) as started:
        yield started


def load(worker: Worker, folder: Path, text: str, seconds: float = 20) -> dict[str, Any]:
    (folder / "triton_kernel.py").write_text(text)
    request = {"folder": str(folder), "track": "triton", "arguments": ["out"], "protected": []}
    return worker.ask(seconds, "load", **request)


def gone(pids: list[int], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while any(map(psutil.pid_exists, pids)):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_a_deadline_is_kept(zygote: Zygote, tmp_path: Path) -> None:
    with zygote.worker() as worker:
        load(worker, tmp_path, "def solve(out): pass\n")
    started = time.monotonic()
    with zygote.worker() as worker, pytest.raises(WorkerTimeout, match="within 1 s"):
        load(worker, tmp_path, STUBBORN, seconds=1)
    assert time.monotonic() - started < 2.5


def test_python_that_does_not_end_is_told_by_its_line(zygote: Zygote, tmp_path: Path) -> None:
    endless = "def solve(out):\n    try:\n        while True: pass\n    except Exception: pass\n"
    with zygote.worker() as worker:
        at_import = load(worker, tmp_path, IDLE, seconds=1)
        load(worker, tmp_path, endless)
        layout = Layout([Slot("out", True, (4,), "float32")])
        worker.share(layout.size)
        in_call = worker.ask(1, "call", memory=worker.memory, layout=layout.to_json(), scalars=[])
    for reply, line in ((at_import, 2), (in_call, 3)):
        assert reply["status"] == "TIMEOUT"
        assert reply["message"].startswith(f"no answer within 1 s: triton_kernel.py:{line} was still running; ")


def test_a_worker_that_has_ended_says_how(zygote: Zygote, tmp_path: Path) -> None:
    with zygote.worker() as worker, pytest.raises(WorkerEnded, match="exit code 7"):
        load(worker, tmp_path, "import os\nos._exit(7)\n")
    with zygote.worker() as worker, pytest.raises(WorkerEnded, match="SIGSEGV: it touched memory"):
        load(worker, tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")


def test_every_worker_is_fresh(zygote: Zygote, tmp_path: Path) -> None:
    text = "import sys\nassert 'mark' not in sys.modules\nsys.modules['mark'] = sys\ndef solve(out): pass\n"
    for _ in range(2):
        with zygote.worker() as worker:
            assert "status" not in load(worker, tmp_path, text)


def test_workers_leave_the_other_cores_alone(zygote: Zygote, tmp_path: Path) -> None:
    """Several are at work at once: torch's idle threads would spin on the cores that the others compute on."""
    code = "import torch\nthreads = torch.get_num_threads()\nassert threads == 1, threads\ndef solve(out): pass\n"
    with zygote.worker() as worker:
        assert "status" not in load(worker, tmp_path, code)


def test_a_runner_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "triton_kernel.py").write_text(IDLE)
    script = f"""
        from grader.backends import get
        from grader.sandbox import Zygote
        with Zygote(get("auto").environment()) as zygote, zygote.worker() as worker:
            request = dict(folder={str(tmp_path)!r}, track="triton", arguments=[], protected=[])
            worker.ask(60, "load", **request)
    """
    runner = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], cwd=ROOT)
    try:
        end = time.monotonic() + 30
        while len(below := psutil.Process(runner.pid).children(recursive=True)) < 3:  # zygote, guardian, worker
            assert time.monotonic() < end and runner.poll() is None
            time.sleep(0.05)
    finally:
        runner.kill()
        runner.wait()
    assert gone([process.pid for process in below], 20)


def test_a_guardian_that_is_killed_takes_its_worker_along(zygote: Zygote, tmp_path: Path) -> None:
    with zygote.worker() as worker:
        load(worker, tmp_path, "def solve(out): pass\n")
        (parent,) = psutil.Process(zygote._process.pid).children()
        (child,) = parent.children()
        os.kill(parent.pid, signal.SIGKILL)
        assert gone([parent.pid, child.pid], 2)


def test_the_end_of_the_run_leaves_nothing(tmp_path: Path) -> None:
    with Zygote({**BACKEND.environment(), "TMPDIR": str(tmp_path)}) as zygote:
        with zygote.worker() as worker:
            load(worker, tmp_path, "import tempfile\ntempfile.mkdtemp()\ndef solve(out): pass\n")
        pid = zygote._process.pid
    assert gone([pid], 1)
    assert [path.name for path in tmp_path.iterdir()] == ["triton_kernel.py"]


def test_after_an_interrupt_there_are_no_workers() -> None:
    with Zygote(BACKEND.environment()) as zygote:
        zygote.abort()
        with pytest.raises(GraderError, match="interrupted"):
            zygote.worker()


def test_no_temporary_folder_is_the_machines_fault(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="no temporary folder"):
        Zygote({**BACKEND.environment(), "TMPDIR": str(tmp_path / "absent")})


@pytest.mark.parametrize(
    "reply",
    [
        None,
        [],
        "CORRECT",
        {"surprise": 1},
        {"status": 1},
        {"status": None},
        {"message": ["list"]},
        {"findings": {}},
        {"findings": ["text"]},
        {"build": [1]},
        {"launched": "3"},
        {"seconds": [1e-3, -1e-3]},
        {"seconds": [float("nan")]},
        {"seconds": [0]},
    ],
)
def test_what_no_worker_of_ours_says_is_no_reply(reply: Any) -> None:
    assert not is_reply(json.loads(json.dumps(reply)))


def test_the_replies_of_ours_are() -> None:
    assert is_reply({"build": [{"kernel": "add"}]})
    assert is_reply({"launched": 1, "returned": "NoneType", "findings": [{"kind": "race"}]})
    assert is_reply({"status": "CRASH", "message": "words", "detail": ""})


def test_limits_on_memory_and_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    child = subprocess.Popen([sys.executable, "-c", "x = bytearray(1 << 26); input()"], stdin=subprocess.PIPE)
    try:
        assert zygote_module._over_limit(float("inf")) is None
        end = time.monotonic() + 10
        while not (broke := zygote_module._over_limit(1 << 25)):
            assert time.monotonic() < end
        assert "GiB of memory" in broke
        monkeypatch.setattr(zygote_module, "MAX_PROCESSES", 0)
        assert "more than 0 processes" in str(zygote_module._over_limit(float("inf")))
    finally:
        child.communicate(b"\n")
