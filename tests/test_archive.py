"""A zip file of somebody else's: graded like a folder, and nothing of it gets out of its own."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import ROOT, grade

from grader import archive
from grader.archive import ArchiveError, unpack

ADD = "level1/01_vector_add"
SOLUTION = ROOT / "solutions" / ADD / "triton_kernel.py"


def zipped(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(name, text)
    return path


@pytest.mark.parametrize("around", ["", "mywork/", "a/b/levels/"])
def test_a_zip_is_graded_like_its_folder(around: str, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{around}{ADD}/triton_kernel.py": SOLUTION.read_text()}
    work = zipped(tmp_path / "work.zip", files | {"__MACOSX/x": "", f"{around}.DS_Store": ""})
    done = grade("vector_add", "--track", "triton", "--from", str(work), TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["work.zip"], "what was unpacked is gone again"


def test_another_command_takes_it_too(tmp_path: Path) -> None:
    work = zipped(tmp_path / "work.zip", {f"{ADD}/triton_kernel.py": SOLUTION.read_text()})
    done = grade("profile", "vector_add", "--track", "triton", "--from", str(work), "--backend", "vgpu")
    assert done.returncode == 0 and "add_kernel" in done.stdout, done.stderr


def test_a_failure_replays_from_the_zip(tmp_path: Path) -> None:
    wrong = SOLUTION.read_text().replace("total, mask)", "total * 2, mask)")
    work = zipped(tmp_path / "work.zip", {f"{ADD}/triton_kernel.py": wrong})
    done = grade("vector_add", "--track", "triton", "--from", str(work))
    assert done.returncode == 1 and f"--from {work}" in done.stdout


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../out.py": "x"}, "../out.py would lie outside of the folder"),
        ({"level1/../../out.py": "x"}, "would lie outside of the folder"),
        ({"/etc/out.py": "x"}, "would lie outside of the folder"),
        ({"C:/out.py": "x"}, "would lie outside of the folder"),
        ({"..\\out.py": "x"}, "would lie outside of the folder"),
        ({"a": "x", "a/b": "y"}, "cannot be unpacked"),
        ({"bomb": b"\0" * (archive.MOST_BYTES + 1)}, "it unpacks to more than 64 MiB; 64 are the most"),
        ({str(n): "" for n in range(archive.MOST_FILES + 1)}, "2001 files; 2000 are the most"),
    ],
    ids=["up", "up later", "absolute", "drive", "backslash", "file and folder", "bomb", "many"],
)
def test_what_is_not_unpacked(files: dict[str, str | bytes], said: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    before = set(Path("/etc").iterdir())
    with pytest.raises(ArchiveError) as error:
        unpack(zipped(tmp_path / "in/work.zip", files))
    assert said in str(error.value)
    assert [path.name for path in tmp_path.rglob("*")] == ["in", "work.zip"] and set(Path("/etc").iterdir()) == before


def test_a_size_that_is_a_lie_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory of the archive says ten bytes; more than may come out does."""
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    work = zipped(tmp_path / "work.zip", {"x": b"\0" * 900, "y": b"\1" * 900})
    data = work.read_bytes()
    with zipfile.ZipFile(work) as file:
        sizes = [info.file_size for info in file.infolist()]
    assert sizes == [900, 900]
    at = data.index(b"PK\x01\x02")
    work.write_bytes(data[:at] + data[at:].replace((900).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(ArchiveError):
        unpack(work)


def test_a_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("level1/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as file:
        file.writestr(link, "/etc/passwd")
    with pytest.raises(ArchiveError, match="level1/link is a link or a device"):
        unpack(tmp_path / "work.zip")


def test_what_is_damaged_or_secret_is_said(tmp_path: Path) -> None:
    work = zipped(tmp_path / "work.zip", {"x": os.urandom(2000)})
    data = bytearray(work.read_bytes())
    data[500] ^= 0xFF
    work.write_bytes(data)
    with pytest.raises(ArchiveError, match="damaged|Bad CRC"):
        unpack(work)
    with zipfile.ZipFile(work, "w") as file:
        file.writestr("x", "secret")
    data = bytearray(work.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the bit that says: encrypted
    data[6] |= 1
    work.write_bytes(data)
    with pytest.raises(ArchiveError, match="encrypted"):
        unpack(work)
    (tmp_path / "text.zip").write_text("no zip")
    with pytest.raises(ArchiveError, match="no zip file, or a damaged one"):
        unpack(tmp_path / "text.zip")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"triton_kernel.py": ""}, f"no folder {ADD} is in it; zip the folder that holds level1/"),
        ({f"a/{ADD}/x.py": "", f"b/{ADD}/x.py": ""}, "the exercises are in it twice (a and b)"),
    ],
)
def test_a_tree_that_cannot_be_found_is_said(files: dict[str, str | bytes], said: str, tmp_path: Path) -> None:
    done = grade("vector_add", "--from", str(zipped(tmp_path / "work.zip", files)))
    assert (done.returncode, done.stdout) == (1, "") and said in done.stderr and "Traceback" not in done.stderr


def test_nothing_is_left_when_the_process_ends(tmp_path: Path) -> None:
    work = zipped(tmp_path / "work.zip", {"level1/x": "y"})
    code = f"from pathlib import Path; from grader.archive import unpack; print(unpack(Path({str(work)!r})))"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not Path(done.stdout.strip()).exists()
    assert [path.name for path in tmp_path.iterdir()] == ["work.zip"]
