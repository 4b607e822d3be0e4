"""Store URLs, such as ``sqlite:///rui.db`` and ``postgresql://rui@localhost/rui``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

SQLITE = "sqlite:///"
POSTGRES = ("postgresql", "postgres")

_SECRET = re.compile(r"(?i)(?<=password=)[^&#\s]*|(?:(?<=://)|^(?!.*://))([^/?#@:]*):.*(?=@)", re.DOTALL)
"""Of a password with characters that should be escaped nobody knows where it ends, so that the last "@" counts."""


def check_store(url: str) -> None:
    """Nothing, if `url` names a store that this program can use as it is installed.

    Raises:
        ValueError: it does not; the message is for the operator and tells no password.
    """
    if not is_postgres(url):
        sqlite_path(url)
        return
    try:
        parts = urlsplit(url)
        usable = url.isprintable() and (parts.netloc.count(",") > 0 or parts.port != 0)
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(f"PostgreSQL is named as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, not {shown(url)!r}")
    if find_spec("asyncpg") is None:
        raise ValueError("asyncpg is not installed: PostgreSQL needs pip install 'rui-toolkit[api,postgres]'")


def is_postgres(url: str) -> bool:
    """Whether `url` names a PostgreSQL database, or what speaks its protocol."""
    scheme, separator, _ = url.partition("://")
    return bool(separator) and scheme in POSTGRES


def sqlite_path(url: str) -> Path:
    """The file that a ``sqlite:///PATH`` URL names: PATH is relative, or with a fourth slash absolute.

    Raises:
        ValueError: the URL names another sort of store, or no file; the message is for the operator.
    """
    scheme, separator, _ = url.partition("://")
    if not separator or scheme != "sqlite":
        raise ValueError(f"a store is named as sqlite:///PATH or postgresql://…, not {shown(url)!r}")
    path = url.removeprefix(SQLITE)
    if not url.startswith(SQLITE) or path in ("", ".", "/", ":memory:") or "\0" in path:
        raise ValueError(f"sqlite:///PATH has to name a file, {shown(url)!r} does not")
    return Path(path)


def shown(url: str) -> str:
    """`url` for people and logs: without a password."""
    return _SECRET.sub(lambda found: "***" if found[1] is None else f"{found[1]}:***", url)
