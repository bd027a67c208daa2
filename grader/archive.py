"""Unpacking somebody else's zip file: nothing outside of its own folder, no links, no more than fits."""

from __future__ import annotations

import atexit
import shutil
import stat
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

MOST_BYTES, MOST_FILES = 64 << 20, 2000
"""What may come out of one archive: source code is far smaller."""


class ArchiveError(Exception):
    """The archive cannot be used; the message says why."""


def unpack(path: Path) -> Path:
    """The folder into which `path` was unpacked; it is removed when this process ends. Raises ArchiveError."""
    folder = Path(tempfile.mkdtemp(prefix="kernel-ladder-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir() and not _is_litter(one)]
            _check(members)
            left = MOST_BYTES
            for member in members:
                left -= _extract(archive, member, folder / _place(member), left)
    except zipfile.BadZipFile as error:
        raise ArchiveError(f"no zip file, or a damaged one: {error}") from None
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in some rare way
        raise ArchiveError(f"cannot be unpacked: {error}") from None
    except (zlib.error, EOFError, UnicodeError, ValueError) as error:
        raise ArchiveError(f"damaged: {error}") from None
    except OSError as error:
        raise ArchiveError(f"cannot be unpacked: {error.strerror}") from None
    return folder


def _check(members: list[zipfile.ZipInfo]) -> None:
    """What can be said before anything is unpacked."""
    if len(members) > MOST_FILES:
        raise ArchiveError(f"{len(members)} files; {MOST_FILES} are the most")
    declared = sum(member.file_size for member in members)
    if declared > MOST_BYTES:
        raise ArchiveError(_too_much(declared))
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise ArchiveError(f"{member.filename} is a link or a device; hand in the file itself")
        place = _place(member)
        if place.is_absolute() or ".." in place.parts or ":" in place.parts[0] or not place.parts:
            raise ArchiveError(f"{member.filename} would lie outside of the folder it is unpacked in")


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Unpack one file and count its bytes, whatever the archive says of its size."""
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with archive.open(member) as source, target.open("wb") as file:
        while chunk := source.read(1 << 16):
            written += len(chunk)
            if written > left:
                raise ArchiveError(_too_much(MOST_BYTES + 1))
            file.write(chunk)
    return written


def _place(member: zipfile.ZipInfo) -> PurePosixPath:
    """Where it goes; some programs write backslashes."""
    return PurePosixPath(member.filename.replace("\\", "/"))


def _is_litter(member: zipfile.ZipInfo) -> bool:
    """What file managers add of their own."""
    parts = _place(member).parts
    return bool(parts) and (parts[0] == "__MACOSX" or parts[-1] in (".DS_Store", "Thumbs.db"))


def _too_much(size: int) -> str:
    return f"it unpacks to {'more than ' * (size == MOST_BYTES + 1)}{size >> 20} MiB; {MOST_BYTES >> 20} are the most"
