"""Store URLs, such as ``sqlite:///rui.db`` and ``postgresql://rui@localhost/rui``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
PREPARED = re.compile(r"(?<=[?&])prepared=([^&]*)&?")
"""A parameter of PostgreSQL's URLs that asyncpg does not know."""

_SECRET = re.compile(r"(?i)(?<=password=)[^&#\s]*|(?:(?<=://)|^(?!.*://))([^/?#@:]*):.*(?=@)", re.DOTALL)
"""A password. It ends at the last "@", because one that is not percent-encoded may contain "@"."""


def check_store(url: str) -> None:
    """Raise ValueError if `url` is malformed or needs a missing package. The message contains no password."""
    if not is_postgres(url):
        sqlite_path(url)
        return
    try:
        parts = urlsplit(url)
        is_usable = url.isprintable() and ("," in parts.netloc or parts.port != 0)
    except ValueError:
        is_usable = False
    if not is_usable:
        raise ValueError(
            f"PostgreSQL is named as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, not {redact_password(url)!r}"
        )
    if not {*PREPARED.findall(url)} <= {"on", "off"}:
        raise ValueError("prepared=on or prepared=off is needed in the URL of PostgreSQL")
    if find_spec("asyncpg") is None:
        raise ValueError("asyncpg is not installed: PostgreSQL needs pip install 'rui-toolkit[api,postgres]'")


def is_postgres(url: str) -> bool:
    """Return whether `url` has a scheme of PostgreSQL."""
    return url.startswith(POSTGRES)


def is_prepared(url: str) -> bool:
    """Return whether statements are prepared once per connection. ``prepared=off`` in `url` prevents it."""
    return "off" not in PREPARED.findall(url)


def server_urls(url: str) -> list[str]:
    """Return a URL for asyncpg for each server that `url` names, without ``prepared``."""
    scheme, _, rest = PREPARED.sub("", url).rstrip("?&").partition("://")
    place, slash, end = rest.partition("/")
    user, at, hosts = place.rpartition("@")
    return [f"{scheme}://{user}{at}{host}{slash}{end}" for host in hosts.split(",")]


def sqlite_path(url: str) -> Path:
    """Return the path in a ``sqlite:///PATH`` URL; with a fourth slash it is absolute.

    Raises:
        ValueError: the URL has another scheme or no path; the message is for the operator.
    """
    if not url.startswith("sqlite://"):
        raise ValueError(f"a store is named as sqlite:///PATH or postgresql://…, not {redact_password(url)!r}")
    path = url.removeprefix(SQLITE)
    if not url.startswith(SQLITE) or path in ("", ".", "/", ":memory:") or "\0" in path:
        raise ValueError(f"sqlite:///PATH has to name a file, {redact_password(url)!r} does not")
    return Path(path)


def redact_password(url: str) -> str:
    """Return `url` with ``***`` in place of the password."""
    return _SECRET.sub(lambda match: "***" if match[1] is None else f"{match[1]}:***", url)
