"""Stop listening without resetting connections, and find out why a signal was sent.

The kernel completes connections before the service accepts them. Closing the listening socket resets those, and their
clients cannot know whether their requests were handled. So the kernel first drops packets that begin a connection; the
socket is closed when all completed connections are accepted. Other clients are refused, or retry with the next process.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import struct
import sys
from array import array
from collections.abc import Iterable
from time import monotonic, sleep

HANDSHAKE_SECONDS = 0.05
"""Time for handshakes in progress to complete."""
POLL_SECONDS = 0.01
MAX_SECONDS = 2.0
"""Maximum time to wait until all connections are accepted; a process may have stopped accepting."""

SO_ATTACH_FILTER = getattr(socket, "SO_ATTACH_FILTER", 26)  # Python does not define it everywhere

# A BPF program over TCP headers: drops packets with SYN and without ACK. Code, jump if true, jump if false, operand.
DROP_SYN = (
    (0x30, 0, 0, 13),  # load the flags
    (0x54, 0, 0, 0x12),  # keep SYN and ACK
    (0x15, 0, 1, 0x02),  # SYN alone?
    (0x06, 0, 0, 0),  # drop
    (0x06, 0, 0, 0xFFFF_FFFF),  # accept
)


async def stop_accepting(listeners: Iterable[socket.socket]) -> None:
    """Reject new connections, and wait until the event loop has accepted all completed ones.

    Supported on Linux only; on other systems connections may be reset when the socket is closed.
    """
    rejecting = [listener for listener in listeners if _reject_new(listener)]
    if not rejecting:
        return
    deadline = monotonic() + MAX_SECONDS
    await asyncio.sleep(HANDSHAKE_SECONDS)
    while monotonic() < deadline and any(_has_pending(listener) for listener in rejecting):
        await asyncio.sleep(POLL_SECONDS)
    await asyncio.sleep(POLL_SECONDS)  # the loop creates the protocol one iteration after accepting


def drain(listener: socket.socket) -> None:
    """Do the same in a process without an event loop, while other processes accept."""
    if not _reject_new(listener):
        return
    deadline = monotonic() + MAX_SECONDS
    sleep(HANDSHAKE_SECONDS)
    while monotonic() < deadline and _has_pending(listener):
        sleep(POLL_SECONDS)


def _has_pending(listener: socket.socket) -> bool:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    return bool(poll.poll(0))


def _reject_new(listener: socket.socket) -> bool:
    """Drop packets that begin a connection, in all processes that share the socket; return whether it worked."""
    if sys.platform != "linux" or listener.family not in (socket.AF_INET, socket.AF_INET6):
        return False
    program = array("B", b"".join(struct.pack("HBBI", *instruction) for instruction in DROP_SYN))
    address, _ = program.buffer_info()
    try:
        listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(DROP_SYN), address))
    except OSError:
        return False
    return True


class Terminal:
    """The controlling terminal. SIGHUP stops the service only if the terminal was closed."""

    def __init__(self) -> None:
        self._existed = _has_terminal()

    def is_closed(self) -> bool:
        """Return whether the process had a terminal at first and has none now."""
        return self._existed and not _has_terminal()


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True
