"""How much a client may take: time, bytes, connections. And what the connections of one process share."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from importlib.util import find_spec
from time import time
from typing import TYPE_CHECKING, Protocol

from rui_api.observability.request_id import RequestIds
from rui_api.server.protocol_errors import CODES
from rui_common.redact import redact_all_userinfo
from rui_common.vocabulary.rules import MAX_BODY_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_api.config.options import Settings
    from rui_api.observability.log_records import Noted
    from rui_api.server.protocol_errors import Refusal
    from rui_api.server.request_cycle import Cycle


OTHER_FILES = 200
"""That a process has open besides its connections: stores, logs, sockets of its own."""


@dataclass(frozen=True)
class Limits:
    """What one process grants.

    Attributes:
        headers_seconds: from the first byte of a request, or from connecting, until its headers are there.
        body_seconds: from then until its body is there.
        idle_seconds: how long a connection may rest between two requests.
        write_seconds: how long a client may read nothing of what is sent to it.
        linger_seconds: how long what is refused is still read and thrown away, so that the answer is not lost.
        drain_seconds: how long, at the end, a resting connection may still begin a request.
        grace_seconds: how long, at the end, a request that has begun may go on arriving.
        target_bytes: of the request line's address.
        head_bytes: of all header lines, the address too.
        head_lines: header lines.
        connections: at the same time.
        waiting_bytes: of all requests together that are not answered yet.
        unread_bytes: of all answers together that their clients do not read.
        pipelined: requests that wait behind another one of the same connection.
        pipelined_together: the same of all connections.
    """

    headers_seconds: float = 20.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    write_seconds: float = 30.0
    linger_seconds: float = 2.0
    drain_seconds: float = 0.5
    grace_seconds: float = 3.0
    target_bytes: int = 8_192
    head_bytes: int = 65_536
    head_lines: int = 100
    connections: int = 2_000
    waiting_bytes: int = 67_108_864
    unread_bytes: int = 67_108_864
    pipelined: int = 32
    pipelined_together: int = 4_096

    @property
    def wire_bytes(self) -> int:
        """Of one body as it is sent: chunks may add some to what the body may have."""
        return 8 * MAX_BODY_BYTES


def limits_of(settings: Settings) -> Limits:
    """What the operator set."""
    return Limits(
        headers_seconds=settings.headers_timeout,
        body_seconds=settings.body_timeout,
        idle_seconds=settings.idle_timeout,
        write_seconds=settings.write_timeout,
        connections=settings.max_connections,
        drain_seconds=min(Limits.drain_seconds, settings.stop_timeout / 10),
        grace_seconds=min(Limits.grace_seconds, settings.stop_timeout / 2),
    )


class Client(Protocol):
    """A connection, as its peers see it."""

    def make_room(self) -> None:
        """Give up the request that is arriving: there is no room for it."""

    def leave(self) -> None:
        """Close the resting connection: somebody else needs its place."""

    def give_up(self) -> None:
        """Throw the answer away that is not read."""


class Shared:
    """What all connections of one process have together.

    Attributes:
        limits: what each of them may take.
        refused: how often the protocol itself answered, by the code in the answer.
        tell: has the line of such an answer written, if it is there.
        ids: makes the ids of its answers.
        lingering: how many connections have had their last answer, and are not counted as connections any more.
        pipelined: how many requests wait behind others.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.refused: Counter[str] = Counter(dict.fromkeys(CODES, 0))
        self.tell: Callable[[Noted], None] | None = None
        self.ids = RequestIds()
        self.lingering = 0
        self.pipelined = 0
        self._arriving: dict[Client, int] = {}
        self._resting: dict[Client, None] = {}
        self._waiting_bytes = 0
        self._unread: dict[Client, int] = {}
        self._unread_bytes = 0

    def note(
        self, refusal: Refusal, client: tuple[str, int] | None, asked: tuple[bytes, str, bytes],
        sizes: tuple[int, int], seconds: float | None,
    ) -> None:  # fmt: skip
        """The protocol itself answers a request, as far as that is known.

        Args:
            refusal: the answer.
            client: address and port.
            asked: id, method, address.
            sizes: how much came of its body, and how large that of the answer is.
            seconds: from its first byte on; None where nobody has looked at the clock.
        """
        self.refused[refusal.code] += 1
        if self.tell is not None:
            request_id, method, url = asked
            path = redact_all_userinfo(url.partition(b"?")[0].decode("latin-1"))
            codes = (refusal.code,)
            self.tell((time(), request_id, method, path, "", refusal.status, codes, seconds, *sizes, client))

    def hold(self, client: Client, size: int) -> None:
        """So many bytes of the request of `client` are there, and it is not whole.

        When they are too many for all together, those give way that began first: they are the slowest.
        """
        self._waiting_bytes += size - self._arriving.get(client, 0)
        self._arriving[client] = size
        self._make_room()

    def release(self, client: Client) -> None:
        """The request of `client` is whole, or given up."""
        self._waiting_bytes -= self._arriving.pop(client, 0)

    def enter(self, size: int) -> bool:
        """Whether there is room for a whole request of so many bytes; if so they count until `exit`."""
        self._waiting_bytes += size
        if self._make_room():
            return True
        self._waiting_bytes -= size
        return False

    def _make_room(self) -> bool:
        while self._waiting_bytes > self.limits.waiting_bytes and self._arriving:
            slowest = next(iter(self._arriving))
            self.release(slowest)
            slowest.make_room()
        return self._waiting_bytes <= self.limits.waiting_bytes

    def exit(self, size: int) -> None:
        """A request of so many bytes is answered."""
        self._waiting_bytes -= size

    def unread(self, client: Client, size: int) -> None:
        """So many bytes of an answer wait for `client` to read.

        When they are too many for all together, those are given up that have waited longest.
        """
        self._unread_bytes += size - self._unread.get(client, 0)
        self._unread[client] = size
        while self._unread_bytes > self.limits.unread_bytes:
            slowest = next(iter(self._unread))
            self.read(slowest)
            slowest.give_up()

    def read(self, client: Client) -> None:
        """`client` has caught up."""
        self._unread_bytes -= self._unread.pop(client, 0)

    def forget(self, client: Client) -> None:
        """`client` is gone."""
        self.release(client)
        self.read(client)
        self.wake(client)

    def rest(self, client: Client) -> None:
        """`client` has nothing to do."""
        self._resting[client] = None

    def wake(self, client: Client) -> None:
        """`client` has, or is gone."""
        self._resting.pop(client, None)

    def room_for(self, connections: int) -> bool:
        """Whether there may be so many connections; who has rested longest may have to leave for the newest."""
        if connections - self.lingering <= self.limits.connections:
            return True
        if not self._resting:
            return False
        longest = next(iter(self._resting))
        self.wake(longest)
        longest.leave()
        return True


class Pipeline:
    """The requests of one connection that wait behind another one; together with those of all connections they count.

    Args:
        shared: what all connections have together.
    """

    __slots__ = ("_cycles", "_shared")

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._cycles: deque[Cycle] = deque()

    def __bool__(self) -> bool:
        return bool(self._cycles)

    def add(self, cycle: Cycle) -> bool:
        """Whether there is room for one more."""
        limits = self._shared.limits
        if len(self._cycles) >= limits.pipelined or self._shared.pipelined >= limits.pipelined_together:
            return False
        self._cycles.append(cycle)
        self._shared.pipelined += 1
        return True

    def next(self) -> Cycle:
        """The one that has waited longest; it waits no more."""
        self._shared.pipelined -= 1
        return self._cycles.popleft()

    def clear(self) -> None:
        """None of them is answered."""
        self._shared.pipelined -= len(self._cycles)
        self._cycles.clear()


def open_enough_files(connections: int) -> None:
    """Let this process have so many connections, if it may say so itself: often it has 1,024 files at first."""
    if find_spec("resource") is None:  # Windows has no such limit
        return
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
