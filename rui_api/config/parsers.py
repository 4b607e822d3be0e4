"""The text of a setting → its value. Each reader raises ValueError with what would be right, for the operator."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rui_api.store.url import check_store
from rui_common.redact import redact_userinfo

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_PORT = 65_535
MAX_SHOWN = 80
"""Characters of a value that cannot be used."""

_NUMBER = re.compile(r"[0-9]+", re.ASCII)
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\]", re.ASCII)


def address(text: str) -> str:
    """An address to listen on."""
    if not text:
        raise ValueError("an address is needed, such as 127.0.0.1, 0.0.0.0 or ::")
    return text


def port(text: str) -> int:
    """A TCP port, or 0."""
    if not _NUMBER.fullmatch(text) or len(text) > 9 or int(text) > MAX_PORT:
        raise ValueError(f"a port is a number from 0 to {MAX_PORT}, not {_short(text)}")
    return int(text)


def number(lowest: int, highest: int) -> Callable[[str], int]:
    """A reader of whole numbers."""

    def read(text: str) -> int:
        if not _NUMBER.fullmatch(text) or len(text) > 18 or not lowest <= int(text) <= highest:
            raise ValueError(f"a whole number from {lowest} to {highest} is needed, not {_short(text)}")
        return int(text)

    return read


def seconds(highest: float) -> Callable[[str], float]:
    """A reader of durations."""

    def read(text: str) -> float:
        if not _SECONDS.fullmatch(text) or not 0 < float(text) <= highest:
            raise ValueError(f"seconds are needed, more than 0 and at most {highest:g}, not {_short(text)}")
        return float(text)

    return read


def choice(*values: str) -> Callable[[str], str]:
    """A reader of one of some words."""

    def read(text: str) -> str:
        if text not in values:
            raise ValueError(f"one of {', '.join(values)} is needed, not {_short(text)}")
        return text

    return read


def switch(text: str) -> bool:
    """On or off."""
    if text not in ("on", "off"):
        raise ValueError(f"on or off is needed, not {_short(text)}")
    return text == "on"


def text_of_file(text: str) -> str:
    """The path of a file, or nothing."""
    if "\0" in text:
        raise ValueError("the path of a file is needed")
    return text


def store(text: str) -> str:
    """The URL of a store. What is said about a wrong one tells no password."""
    check_store(text)
    return text


def base_url(text: str) -> str:
    """An address that clients can put paths behind."""
    wrong = ValueError(f"a base URL is like https://rui.example.org, without query or fragment, not {_short(text)}")
    if not text.isascii() or not text.isprintable() or any(character in text for character in ' "<>\\^`{|}@?#'):
        raise wrong
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        raise wrong from None
    if not usable:
        raise wrong
    return text.rstrip("/")


def items(text: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def origins(text: str) -> tuple[str, ...]:
    """Origins of pages, as browsers send them; or ``*``."""
    found = items(text)
    for origin in found:
        parts = urlsplit(origin)
        is_one = parts.scheme and parts.netloc and "@" not in origin and origin == f"{parts.scheme}://{parts.netloc}"
        if origin != "*" and not is_one:
            raise ValueError(
                f"an origin is like https://app.example.org, without a slash at its end, not {_short(origin)}"
            )
    return found


def hosts(text: str) -> tuple[str, ...]:
    """Names of hosts in lower case; or ``*``. None at all would be none that is refused, and nobody means that."""
    found = items(text.lower())
    if not found:
        raise ValueError("at least one host is needed, or * for all of them")
    for host in found:
        if host != "*" and not _HOST.fullmatch(host):
            raise ValueError(f"a host is like rui.example.org, without a port, not {_short(host)}")
    return found


def networks(text: str) -> tuple[str, ...]:
    """Addresses and networks; or ``*``."""
    found = items(text)
    for network in found:
        try:
            if network != "*":
                ip_network(network)
        except ValueError:
            raise ValueError(f"an address or network is like 10.0.0.1 or 10.0.0.0/8, not {_short(network)}") from None
    return found


def metrics(text: str) -> str:
    """``on``, ``off``, or the address of a port that serves metrics and nothing else."""
    host, _, number_ = text.rpartition(":")
    if text not in ("on", "off"):
        is_v6 = host[:1] == "[" and host[-1:] == "]"
        try:
            port(number_)
        except ValueError:
            host = ""
        if not host or (not is_v6 and any(character in host for character in "[]:")):
            raise ValueError(f"on, off or an address such as 127.0.0.1:9100 is needed, not {_short(text)}")
    return text


def _short(text: str) -> str:
    """What was given, as it is shown to the operator: no longer than a line that can be read, and without a user."""
    text = redact_userinfo(text)
    return repr(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…")
