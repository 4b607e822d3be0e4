"""Connecting to one of several servers: the last good one first, and none of them delays the others."""

from __future__ import annotations

import asyncio
import os
import random
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from rui_api.store.base import StoreRefused
from rui_api.store.postgres.errors import NoSuitableHost, describe
from rui_api.store.url import redact_password

HOST_TIMEOUT = 1.0
"""Seconds for connecting to one server."""
HEAD_START = 0.2
"""Seconds after which the next server is tried, too, while the one before has not answered."""
READ_WRITE = "read-write"
ANY = "any"


class Host(NamedTuple):
    """A server. Without a name, asyncpg uses its defaults; without a port, ``PGPORT`` or 5432."""

    name: str = ""
    port: int = 0

    def __str__(self) -> str:
        return f"{self.name} port {self.port}" if self.port else self.name


class Hosts:
    """The servers that a URL names.

    Args:
        url: as asyncpg takes it.
        target: the sort of session that is wanted, if the URL and ``PGTARGETSESSIONATTRS`` do not define it.
        is_balanced: whether connections are spread over the servers, instead of all to the first good one.
        arguments: others for `asyncpg.connect`.
        timeout: seconds for connecting to one server.
    """

    def __init__(
        self, url: str, *, target: str, is_balanced: bool = False, timeout: float = HOST_TIMEOUT,
        arguments: Mapping[str, object],
    ) -> None:  # fmt: skip
        self._url = url
        self._hosts = parse_hosts(url)
        self._target = None if _defines_target(url) else target
        self._is_balanced = is_balanced
        self._timeout = timeout
        self._arguments = arguments

    async def connect(self, avoid: Host | None = None) -> tuple[Host, asyncpg.Connection]:
        """Return a connection and its server, which is the first one in future.

        Args:
            avoid: a server that is tried last.

        Raises:
            StoreRefused: the URL is malformed.
            NoSuitableHost: no server can be used now.
        """
        waiting = deque(self._order(avoid))
        attempts: dict[asyncio.Task[asyncpg.Connection], Host] = {}
        errors: list[str] = []
        try:
            while waiting or attempts:
                if waiting:
                    host = waiting.popleft()
                    attempts[asyncio.create_task(self._connect_to(host))] = host
                done, _ = await asyncio.wait(
                    attempts, timeout=HEAD_START if waiting else None, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    host = attempts.pop(task)
                    error = task.exception()
                    if error is None:
                        self._prefer(host)
                        return host, task.result()
                    if isinstance(error, StoreRefused):
                        raise error
                    errors.append(describe(error, str(host)))
        finally:
            for task in attempts:
                task.add_done_callback(_discard)
                task.cancel()
        raise NoSuitableHost("; ".join(dict.fromkeys(errors)))

    def _order(self, avoid: Host | None) -> Sequence[Host]:
        hosts = self._hosts
        if self._is_balanced:
            hosts = random.sample(hosts, len(hosts))
        return sorted(hosts, key=lambda host: host == avoid)

    def _prefer(self, host: Host) -> None:
        self._hosts.remove(host)
        self._hosts.insert(0, host)

    async def _connect_to(self, host: Host) -> asyncpg.Connection:
        place = {"host": host.name, "port": host.port or None} if host.name else {}
        is_one_of_several = len(self._hosts) > 1
        try:
            return await asyncpg.connect(
                self._url, timeout=self._timeout, **place, **self._arguments,
                target_session_attrs=self._target if is_one_of_several else None,
            )  # fmt: skip
        except asyncpg.ClientConfigurationError as error:
            raise StoreRefused(f"the URL of the store cannot be used: {error}") from error
        except (ValueError, OverflowError):  # their messages may contain parts of the password
            raise StoreRefused(f"the URL of the store cannot be used: {redact_password(self._url)}") from None


def parse_hosts(url: str) -> list[Host]:
    """Return the servers in `url` or ``PGHOST``; one without a name if neither names any."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    named = parts.netloc.rpartition("@")[2] or query.get("host", [""])[-1] or os.environ.get("PGHOST", "")
    if not named:
        return [Host()]
    places = named.split(",")
    overriding = _ports(query.get("port", [""])[-1], len(places))
    defaults = _ports(os.environ.get("PGPORT", ""), len(places))
    return [_parse_host(*parts) for parts in zip(places, overriding, defaults, strict=True)]


def _ports(text: str, count: int) -> list[str]:
    ports = text.split(",")
    return ports if len(ports) == count else ports[:1] * count


def _parse_host(place: str, port: str, default_port: str) -> Host:
    name = unquote(place)
    own_port = ""
    if name.startswith("["):
        name, _, rest = name[1:].partition("]")
        own_port = rest.removeprefix(":")
    elif not name.startswith("/"):
        name, _, own_port = name.partition(":")
    return Host(name, _port(port or own_port or default_port))


def _port(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _defines_target(url: str) -> bool:
    return "target_session_attrs" in parse_qs(urlsplit(url).query) or "PGTARGETSESSIONATTRS" in os.environ


def _discard(task: asyncio.Task[asyncpg.Connection]) -> None:
    if not task.cancelled() and task.exception() is None:
        task.result().terminate()
