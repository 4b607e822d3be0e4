"""How the service uses PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PostgresOptions:
    """The settings of `rui_api.config.options` that apply to PostgreSQL.

    Attributes:
        writers: maximum number of connections that write.
        readers: maximum number of connections that read.
        is_prepared: whether statements are prepared and settings made once per connection. A pooler in transaction
            mode allows neither.
        read_url: of the replicas that are read first, or an empty string.
    """

    writers: int = 2
    readers: int = 2
    is_prepared: bool = True
    read_url: str = ""
