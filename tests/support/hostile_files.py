"""Files that a tool must not read: links that lead out of a folder, pipes, devices, sockets, endless and huge files."""

import contextlib
import os
import socket
from collections.abc import Callable
from pathlib import Path

HUGE = 3 << 30


def _link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)  # The path of a socket has at most 103 bytes on macOS.


def _huge(path: Path) -> None:
    path.touch()
    os.truncate(path, HUGE)


SPECIAL: dict[str, Callable[[Path], None]] = {}
"""Name → function that makes such a file. Reading it blocks, never ends or fails. Windows has none of them."""

if hasattr(os, "mkfifo"):
    SPECIAL.update(device=_link_to_device, pipe=os.mkfifo, socket=_socket)

UNREADABLE = {**SPECIAL, "huge": _huge}
