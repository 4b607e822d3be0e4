"""Workspace diagnostics: those of every document in every folder, open or not.

Open documents are judged as the client has them, all others as they are on disk; of one that is nowhere any more, the
client hears that nothing is wrong with it. A file is read again only when its
size or time says that it has changed. Clients are asked to watch the files, and told when to ask anew; those that
cannot ask are told what is found (`rui_lsp.diagnostics.push_unopened`).
"""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from rui_lsp.client import configuration
from rui_lsp.client.progress import Progress
from rui_lsp.diagnostics.pull import items_of, report
from rui_lsp.diagnostics.push_unopened import Unopened, items_of_file
from rui_lsp.documents.files_on_disk import SUFFIX, document_paths
from rui_lsp.protocol.errors import InvalidParamsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

_DELETED = 3  # FileChangeType

_unopened: WeakKeyDictionary[Workspace, Unopened] = WeakKeyDictionary()
"""For clients that cannot ask: what tells them."""


async def answer(workspace: Workspace, params: Json) -> Json:
    """The reports on all documents; one by one, and with progress, if the client asks for that."""
    client, previous = workspace.client, _previous(params)
    token = params.get("partialResultToken")
    progress = Progress(client, params.get("workDoneToken"), "Checking RUI documents", cancellable=True)
    reports: list[Json] = []

    def tell(uri: str, version: int | None, items: list[Json]) -> None:
        doubt = 0 if uri in workspace.documents else workspace.doubts.get(uri, 0)
        found = {"uri": uri, "version": version, **report(items, previous.get(uri), doubt)}
        if token is None:
            reports.append(found)
        else:
            client.notify("$/progress", {"token": token, "value": {"items": [found]}})

    try:
        found = await asyncio.to_thread(document_paths, list(workspace.documents), client.folders.copy())
        for number, (uri, path) in enumerate(found.items()):
            document = workspace.documents.get(uri)
            if document is not None:
                await asyncio.sleep(0)
                # Clients keep files open that nobody sees any more; whoever shows one that is gone asks for it alone.
                tell(uri, document.version, [] if uri in workspace.deleted else items_of(document, workspace))
            elif path is not None:
                tell(uri, None, await items_of_file(workspace, uri, path))
            progress.step(number + 1, len(found))
        # Whatever was open may still be shown, though the client has never heard of it by a request like this.
        for uri in {**previous, **workspace.doubts}:
            if uri not in found and uri not in workspace.documents:
                tell(uri, None, [])
    finally:
        progress.end()
    return {"items": reports}


def _previous(params: Json) -> dict[str, object]:
    """The ids of the results that the client has, by address."""
    given = params.get("previousResultIds")
    pairs = given if isinstance(given, list) else []
    if not isinstance(given, list) or not all(
        isinstance(pair, dict) and isinstance(pair.get("uri"), str) for pair in pairs
    ):
        raise InvalidParamsError("previousResultIds is no array of addresses and results")
    return {pair["uri"]: pair.get("value") for pair in pairs}


def watch(workspace: Workspace, params: Json) -> None:  # noqa: ARG001
    """Have the client watch the files, if it lets us ask for that; it has said `initialized`."""
    client = workspace.client
    if client.can("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
        options = {"watchers": [{"globPattern": f"**/*{SUFFIX}"}]}
        watching = {"id": "rui-files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options}
        client.ask("client/registerCapability", {"registrations": [watching]})
    if not client.pulls:
        _unopened[workspace] = Unopened(workspace)
        _unopened[workspace].start()


def files_changed(workspace: Workspace, params: Json) -> None:
    """Files have been made, changed or deleted: have the client ask anew, or tell it."""
    changes = params.get("changes")
    for change in changes if isinstance(changes, list) else ():
        is_gone = change["type"] == _DELETED and change["uri"] in workspace.documents
        (workspace.deleted.add if is_gone else workspace.deleted.discard)(change["uri"])
    if workspace in _unopened:
        uris = [change["uri"] for change in changes] if isinstance(changes, list) else []
        _unopened[workspace].look_at([uri for uri in uris if uri.endswith(SUFFIX)])
    elif workspace.client.can("workspace", "diagnostics", "refreshSupport"):
        workspace.client.ask("workspace/diagnostic/refresh")


def folders_changed(workspace: Workspace, params: dict[str, dict[str, list[dict[str, str]]]]) -> None:
    """Folders have been added or removed."""
    removed, added = ([folder["uri"] for folder in params["event"][name]] for name in ("removed", "added"))
    client = workspace.client
    client.folders = [uri for uri in client.folders if uri not in {*removed, *added}] + added
    configuration.pull(client)
    if workspace in _unopened:
        _unopened[workspace].look_at_all()
    else:
        files_changed(workspace, {})


HANDLERS = {
    "workspace/diagnostic": answer,
    "initialized": watch,
    "workspace/didChangeWatchedFiles": files_changed,
    "workspace/didChangeWorkspaceFolders": folders_changed,
}
