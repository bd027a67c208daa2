"""Starts workers in milliseconds: a process that has imported torch once and forks for each request.

Three processes stand behind every graded track. The *zygote* (this module's main) is started once a run, imports
torch and Triton, and never touches a GPU. For each request it forks a *guardian*, which makes itself the reaper of
everything below, forks the *worker* and watches it: memory, number of processes, the runner's wish to end it. The
worker is the only one that runs submitted code. When the worker ends, or the runner closes its end of the `life`
socket (or dies), the guardian kills all that is left below it and reports how the worker ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time

import psutil

PRELOADED = ("triton.language", "grader.worker", "grader.cuda", "grader.vgpu.triton_driver")
"""What every worker would import: seconds, unless it is forked from a process that has."""

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>
MAX_PROCESSES = 64
MEMORY_SHARE = 0.5
"""A worker and its children may hold this share of the machine's memory."""


def main(request_fd: int) -> None:
    """Serve requests until the runner closes the socket. Each carries four descriptors (see `guardian`)."""
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a guardian; its report says all
    with socket.socket(fileno=request_fd) as requests:
        while True:
            data, descriptors, _, _ = socket.recv_fds(requests, 1, 4)
            if not data:
                with contextlib.suppress(ChildProcessError):
                    os.wait()  # for all guardians: ignored children leave no zombies, but only while we live
                return
            if os.fork() == 0:
                requests.close()
                guardian(*descriptors)
                os._exit(0)
            for descriptor in descriptors:
                os.close(descriptor)
            _know_triton()  # only now: it would hold up the first worker


def _know_triton() -> None:
    """Have Triton hash its own installation, part of each key to its cache: once, instead of in each worker."""
    with contextlib.suppress(ImportError):
        from triton.runtime.cache import triton_key

        triton_key()


def guardian(life_fd: int, control_fd: int, memory_fd: int, output_fd: int) -> None:
    """Run one worker and leave nothing of it behind; report its end as JSON on `life_fd`."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.setsid()
    life = socket.socket(fileno=life_fd)
    temporary = _private_folder()
    worker = os.fork()
    if worker == 0:
        life.close()
        _become_worker(control_fd, memory_fd, output_fd)
    for descriptor in (control_fd, memory_fd, output_fd):
        os.close(descriptor)
    broke = _watch(worker, life)
    code = _end_all_below(worker)
    shutil.rmtree(temporary, ignore_errors=True)
    with contextlib.suppress(OSError):
        life.send(json.dumps({"exit": code, "broke": broke}).encode())


def _private_folder() -> str:
    """A temporary folder for what this worker, and what it calls, leaves behind; empty if there can be none."""
    try:
        folder = tempfile.mkdtemp(prefix="kernel-ladder-")
    except OSError:
        return ""
    os.environ["TMPDIR"] = tempfile.tempdir = os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
    return folder


def _become_worker(control_fd: int, memory_fd: int, output_fd: int) -> None:
    """Give the process the worker's standard streams and run it; never returns."""
    from grader import worker

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # a guardian that is killed takes it along
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")  # short of memory, the kernel should take the worker, not the grader
    code = 1
    try:
        worker.main(control_fd, memory_fd)
        code = 0
    finally:
        sys.stdout.flush()
        os._exit(code)


def _watch(worker: int, life: socket.socket) -> str | None:
    """Wait for the worker's end, the runner's wish, or a broken limit; a sentence for the last."""
    pidfd = os.pidfd_open(worker)
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    poller.register(life, select.POLLIN)
    limit = psutil.virtual_memory().total * MEMORY_SHARE
    try:
        while not poller.poll(100):
            broke = _over_limit(limit)
            if broke:
                return broke
    finally:
        os.close(pidfd)
    return None


def _over_limit(limit: float) -> str | None:
    below = psutil.Process().children(recursive=True)
    if len(below) > MAX_PROCESSES:
        return f"it started more than {MAX_PROCESSES} processes"
    held = 0
    for process in below:
        with contextlib.suppress(psutil.Error):
            memory = process.memory_info()
            held += memory.rss - memory.shared  # what the fork shares with the zygote is nobody's own
    return f"it used more than {limit / 2**30:.0f} GiB of memory" if held > limit else None


def _end_all_below(worker: int) -> int | None:
    """Kill every descendant, orphans included, and reap them; the worker's exit code (negative: a signal)."""
    code, ended = None, False
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        status = os.waitpid(worker, os.WNOHANG) if not ended else (0, 0)
        if status[0] == worker:
            code, ended = os.waitstatus_to_exitcode(status[1]), True
        below = psutil.Process().children(recursive=True)
        for action in (signal.SIGSTOP, signal.SIGKILL):  # stopped first, so that none can outrun the killing
            for process in below:
                with contextlib.suppress(psutil.Error):
                    process.send_signal(action)
        with contextlib.suppress(ChildProcessError):
            while ended and os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if ended and not below:
            break
        time.sleep(0.005)
    return code


if __name__ == "__main__":
    main(int(sys.argv[1]))
