"""Compute the contents of a disk after a power cut from the log of writes by `disk.c`."""

import random
import shutil
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HEAD = struct.Struct("=4q")
SECTOR = 512
"""So many bytes are written whole or not at all."""


@dataclass(frozen=True)
class Operation:
    """A write (W), truncation (T), deletion (U) or sync (S) of the file or folder `path`."""

    kind: str
    path: str
    offset: int
    data: bytes


def read(log: Path) -> list[Operation]:
    """Return the operations in the order in which they happened."""
    data = log.read_bytes()

    def all_of_them() -> Iterator[Operation]:
        at = 0
        while at < len(data):
            letter, path_length, offset, length = HEAD.unpack_from(data, at)
            length = length if chr(letter) == "W" else 0
            start = at + HEAD.size + path_length
            yield Operation(chr(letter), data[at + HEAD.size : start].decode(), offset, data[start : start + length])
            at = start + length

    return list(all_of_them())


def acknowledged(operations: Sequence[Operation], name: str) -> dict[str, str]:
    """Return the lines of the file `name` before the cut, each as a pair of words."""
    content = b"".join(operation.data for operation in operations if operation.path.endswith(f"/{name}"))
    return dict(line.split() for line in content.decode().splitlines())


def cut(operations: Sequence[Operation], keeps: float, chance: random.Random) -> dict[str, bytes]:
    """Return the files by name after a power cut that follows `operations`.

    Args:
        operations: all operations before the cut.
        keeps: probability that a piece of unsynced data is on the disk.
        chance: random source of these decisions.
    """
    synced: dict[str, int] = {}
    named: dict[str, int] = {}
    written: set[str] = set()
    for number, operation in enumerate(operations):
        if operation.kind == "S":
            synced[operation.path] = number
            inside = f"{operation.path}/"
            named |= {name: number for name in written if name.startswith(inside)}
        written.add(operation.path)
    files: dict[str, bytearray] = {}
    for number, operation in enumerate(operations):
        name = operation.path
        if operation.kind == "U":
            if number < named.get(name, -1) or chance.random() < keeps:
                files.pop(name, None)
        elif operation.kind in "WT":
            content = files.setdefault(name, bytearray())
            _apply(content, operation, 1.0 if number < synced.get(name, -1) else keeps, chance)
    # The name of a file is certain only after a sync of its folder or of the file: most file systems sync both.
    return {Path(name).name: bytes(data) for name, data in files.items() if name in synced or chance.random() < keeps}


def _apply(content: bytearray, operation: Operation, keeps: float, chance: random.Random) -> None:
    if operation.kind == "T":
        if chance.random() < keeps:
            del content[operation.offset :]
            content.extend(bytes(operation.offset - len(content)))
        return
    size = len(operation.data) if keeps == 1 else SECTOR
    for start in range(0, len(operation.data), size):
        if chance.random() < keeps:
            piece, at = operation.data[start : start + size], operation.offset + start
            content.extend(bytes(max(0, at - len(content))))
            content[at : at + len(piece)] = piece


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Write exactly these files to `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
