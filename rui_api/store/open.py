"""Store URL → store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.address import sqlite_path
from rui_api.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from rui_api.store.protocol import Store


def open_store(url: str) -> Store:
    """The store that `url` names. It is not reached for before it is first used.

    Raises:
        ValueError: `url` names no store that there is; the message is for the operator.
    """
    return SqliteStore(sqlite_path(url))
