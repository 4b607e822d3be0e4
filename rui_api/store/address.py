"""Store URLs, such as ``sqlite:///rui.db``."""

from __future__ import annotations

from pathlib import Path

SQLITE = "sqlite:///"


def sqlite_path(url: str) -> Path:
    """The file that a ``sqlite:///PATH`` URL names: PATH is relative, or with a fourth slash absolute.

    Raises:
        ValueError: the URL names another sort of store, or no file; the message is for the operator.
    """
    scheme, separator, _ = url.partition("://")
    if scheme in ("postgresql", "postgres"):
        raise ValueError("PostgreSQL is not supported yet; use sqlite:///PATH")
    if not separator or scheme != "sqlite":
        raise ValueError(f"a store is named as sqlite:///PATH, not {url!r}")
    path = url.removeprefix(SQLITE)
    if not url.startswith(SQLITE) or path in ("", ".", "/", ":memory:") or "\0" in path:
        raise ValueError(f"sqlite:///PATH has to name a file, {url!r} does not")
    return Path(path)
