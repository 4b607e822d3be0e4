"""What the service asks of a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rui_api.store.stats import StoreStats


class StorageUnavailable(Exception):  # noqa: N818  named as the code of section 7.4
    """The store cannot do now what it was asked; trying again later may help.

    The message is for the operator's log, never for a client: it may name files and hosts.
    """


class StoreRefused(StorageUnavailable):
    """What is there is no store for this program: another program's, or one of a later version.

    Only an operator can help.
    """


@dataclass(frozen=True, slots=True)
class StoredSpec:
    """A stored spec, which never changes (specification, section 2.4, without what depends on the address).

    Attributes:
        spec_id: the UUID in its canonical form, in lower case.
        created_at: such as ``2026-01-31T09:15:00.123Z``.
        content_hash: ``sha256:`` and 64 hexadecimal digits.
        validation_version: the version of the rules that it was checked by.
        registry_version: the version of the vocabulary that it is written in.
        rui: ``normalizedRui`` as JSON in UTF-8; these very bytes are what every GET answers.
    """

    spec_id: str
    created_at: str
    content_hash: str
    validation_version: str
    registry_version: str
    rui: bytes


class Store(Protocol):
    """A place for specs. It opens itself when it is first asked, and again after it failed.

    `put`, `get` and `ready` return, or raise `StorageUnavailable` once the store did nothing for
    `rui_api.store.queue.PATIENCE` seconds, whatever happens to it: when it cannot be reached, read or written, is
    full, hangs or was taken away, and when too much waits for it already. One that is only slow has `LONGEST` seconds.
    None of them leaves anything half done.
    """

    async def put(self, spec: StoredSpec) -> None:
        """Keep `spec`. When this returns, the spec survives the death of the process and of the machine."""

    async def get(self, spec_id: str) -> StoredSpec | None:
        """The spec with this id (canonical, lower case), or None if there is none."""

    async def ready(self) -> None:
        """Return if a spec could be stored and read now."""

    def stats(self) -> StoreStats:
        """What was asked of the store since it was made, and what waits for it now."""

    async def close(self) -> None:
        """Finish what was begun and let go of everything. Nothing is asked of the store afterwards."""
