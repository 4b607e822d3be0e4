"""The documents of a store, for commands that need no running service."""

import asyncio
import json
from collections.abc import Iterator

from rui_api.commands.store import EXISTING, PAGE_SIZE, title_of
from rui_api.store.base import StorageUnavailable, StoredSpec
from rui_api.store.factory import opened_store
from rui_common.redact import escape_control
from rui_common.spec_ids import canonical_spec_id
from rui_common.versions.replaced import replaced_id_of


class StoreError(Exception):
    """The store cannot be read; the message is the reason."""


def latest_documents(url: str) -> Iterator[tuple[str, bytes]]:
    """Yield the stored documents that no other one replaces, each with its title and id.

    Raises:
        StoreError: there is no store at the URL, or it does not answer.
    """
    replaced = {canonical_spec_id(replaced_id_of(json.loads(spec.rui))) for spec in _specs(url)}
    for spec in _specs(url):
        if spec.spec_id not in replaced:
            yield escape_control(f"{title_of(spec)} ({spec.spec_id})".strip()), spec.rui


def _specs(url: str) -> Iterator[StoredSpec]:
    """Yield the stored specs in the order of their ids, a page at a time."""
    last = ""
    with asyncio.Runner() as runner:
        while page := runner.run(_page(url, last)):
            last = page[-1].spec_id
            yield from (spec for spec in page if not spec.is_deleted)


async def _page(url: str, after: str) -> list[StoredSpec]:
    try:
        async with opened_store(url, EXISTING) as store:
            return await store.list_specs(after, PAGE_SIZE)
    except (StorageUnavailable, ValueError) as error:
        raise StoreError(str(error)) from None
