"""Ceasing to listen without losing anybody who has connected already.

A connection is made by the system, before the service knows of it. When a listening socket is closed, those that are
made and not accepted yet are reset, and a client that has sent its request there cannot know what became of it. So the
system is told first to let no new ones begin: what has begun is still finished and accepted, and only then the socket
is closed. A client that comes later is refused, or tries again by itself and finds the next process.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import struct
import sys
from array import array
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

HANDSHAKE_SECONDS = 0.05
"""How long a connection that has begun may take until it is made."""
BETWEEN_LOOKS = 0.01
LONGEST = 2.0
"""Seconds that those who are made may wait to be accepted; else somebody accepts no more."""

ATTACH_FILTER = getattr(socket, "SO_ATTACH_FILTER", 26)
"""The number of this option on Linux; Python does not name it everywhere."""

# A program for the packet filter of the system (BPF): it reads the flags of a TCP packet, and drops those that begin a
# connection (SYN without ACK). Each instruction: code, steps if true, steps if false, operand.
NO_NEW_CONNECTIONS = (
    (0x30, 0, 0, 13),  # load the byte with the flags
    (0x54, 0, 0, 0x12),  # of them SYN and ACK
    (0x15, 0, 1, 0x02),  # only SYN?
    (0x06, 0, 0, 0),  # drop the packet
    (0x06, 0, 0, 0xFFFF_FFFF),  # keep it
)


async def stop_accepting(listeners: Iterable[socket.socket]) -> None:
    """Let no new connections begin, and wait until the event loop has accepted those that have.

    Where the system cannot be told so, nothing happens: closing is then as abrupt as it always is.
    """
    told = [listener for listener in listeners if refuse_newcomers(listener)]
    if not told:
        return
    deadline = monotonic() + LONGEST
    await asyncio.sleep(HANDSHAKE_SECONDS)
    # A machine that is busy may not have let the event loop look at its sockets in all that time.
    while monotonic() < deadline and any(has_newcomers(listener) for listener in told):
        await asyncio.sleep(BETWEEN_LOOKS)
    await asyncio.sleep(BETWEEN_LOOKS)  # who is accepted is made known in the next turn of the loop


def drain(listener: socket.socket) -> None:
    """The same where other processes accept."""
    if not refuse_newcomers(listener):
        return
    deadline = monotonic() + LONGEST
    sleep(HANDSHAKE_SECONDS)
    while monotonic() < deadline and has_newcomers(listener):
        sleep(BETWEEN_LOOKS)


def has_newcomers(listener: socket.socket) -> bool:
    """Whether connections wait to be accepted."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    return bool(poll.poll(0))


def refuse_newcomers(listener: socket.socket) -> bool:
    """Let no new connections begin, in any process that has this listener; whether that could be done."""
    if sys.platform != "linux" or listener.family not in (socket.AF_INET, socket.AF_INET6):
        return False
    program = array("B", b"".join(struct.pack("HBBI", *instruction) for instruction in NO_NEW_CONNECTIONS))
    address, _ = program.buffer_info()
    try:
        listener.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, struct.pack("HP", len(NO_NEW_CONNECTIONS), address))
    except OSError:
        return False
    return True


class Terminal:
    """The terminal that this process was started from, if there is one."""

    def __init__(self) -> None:
        self._was_there = _is_there()

    def is_gone(self) -> bool:
        """Whether it was there at first, and is closed now."""
        return self._was_there and not _is_there()


def _is_there() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True
