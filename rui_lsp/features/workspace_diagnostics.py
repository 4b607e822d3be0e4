"""`workspace/diagnostic`: the diagnostics of every document in every folder, open or not.

Open documents are judged as the client has them, all others as they are on disk. A file is read again only when its
size or time says that it has changed. Clients are asked to watch the files, and told when to ask anew.
"""

from __future__ import annotations

import asyncio
import os
from urllib.parse import urlsplit
from urllib.request import pathname2url, url2pathname

from rui_common.diagnostics import diagnose
from rui_common.document import read
from rui_lsp import configuration
from rui_lsp.convert import diagnostics_to_lsp
from rui_lsp.features.diagnostics import items_of, report
from rui_lsp.log import logger
from rui_lsp.progress import Progress
from rui_lsp.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_lsp.convert import Json
    from rui_lsp.workspace import Workspace

SUFFIX = ".rui.json"
"""What the names of documents end with."""

_SKIPPED = {"node_modules", "__pycache__"}
"""Folders that are not looked into, beside those whose name begins with a dot."""

_kept: dict[tuple[str, str, object], tuple[tuple[int, int], list[Json]]] = {}
"""Address, encoding and settings → size and time of a file, and what was found in it then."""


async def answer(workspace: Workspace, params: Json) -> Json:
    """The reports on all documents; one by one, and with progress, if the client asks for that."""
    client, previous = workspace.client, _previous(params)
    token = params.get("partialResultToken")
    progress = Progress(client, params.get("workDoneToken"), "Checking RUI documents", cancellable=True)
    reports: list[Json] = []
    try:
        addresses = await asyncio.to_thread(_addresses, list(workspace.documents), client.folders.copy())
        for number, (uri, path) in enumerate(addresses.items()):
            document = workspace.documents.get(uri)
            if document is not None:
                await asyncio.sleep(0)
                version, items = document.version, items_of(document, workspace)
            elif path is not None:
                version, items = None, await asyncio.to_thread(_items_of_file, workspace, uri, path)
            else:
                continue  # It was closed a moment ago.
            reports.append({"uri": uri, "version": version, **report(items, previous.get(uri))})
            if token is not None:
                client.notify("$/progress", {"token": token, "value": {"items": [reports.pop()]}})
            progress.step(number + 1, len(addresses))
    finally:
        progress.end()
    gone = [uri for uri in previous if uri not in addresses]
    return {"items": [*reports, *({"uri": uri, "version": None, "kind": "full", "items": []} for uri in gone)]}


def _previous(params: Json) -> dict[str, object]:
    """The ids of the results that the client has, by address."""
    given = params.get("previousResultIds")
    pairs = given if isinstance(given, list) else []
    return {pair["uri"]: pair.get("value") for pair in pairs if isinstance(pair, dict) and "uri" in pair}


def _addresses(documents: list[str], folders: list[str]) -> dict[str, str | None]:
    """Every open document, then every other one in some folders: its address, and its path if it is in a file."""
    found = {uri: path_of(uri) for uri in documents}
    known = set(found.values())
    for folder in folders:
        root = path_of(folder)
        for path in () if root is None else _walk(root):
            if root is not None and path not in known:
                known.add(path)
                # As the client would write it: with the beginning that it wrote itself.
                found[f"{folder.rstrip('/')}/{pathname2url(path[len(root) :]).lstrip('/')}"] = path
    return found


def _walk(root: str) -> Iterator[str]:
    for around, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            if name.endswith(SUFFIX):
                yield os.path.join(around, name)  # noqa: PTH118  strings go in and out


def path_of(uri: str) -> str | None:
    """The path of a file by its address, or None for an address of another kind."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return url2pathname(parts.path) if parts.scheme == "file" else None


def _items_of_file(workspace: Workspace, uri: str, path: str) -> list[Json]:
    """The diagnostics of a file; none if it cannot be read, as is one that has just been deleted."""
    settings = workspace.client.settings_for(uri)
    key = uri, workspace.encoding, settings.key
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            state = os.fstat(file.fileno())
            stamp = state.st_size, state.st_mtime_ns
            if key in _kept and _kept[key][0] == stamp:
                return _kept[key][1]
            document = read(file.read())
    except OSError as error:
        logger().warning("cannot read %s: %s", path, error)
        return []
    items = diagnostics_to_lsp(diagnose(document), uri, Text(document.text, workspace.encoding), settings)
    _kept[key] = stamp, items
    return items


def watch(workspace: Workspace, params: Json) -> None:  # noqa: ARG001
    """Have the client watch the files, if it lets us ask for that; it has just said `initialized`."""
    client = workspace.client
    if client.pulls and client.can("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
        options = {"watchers": [{"globPattern": f"**/*{SUFFIX}"}]}
        watching = {"id": "rui-files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options}
        client.ask("client/registerCapability", {"registrations": [watching]})


def files_changed(workspace: Workspace, params: Json) -> None:  # noqa: ARG001
    """Files have been made, changed or deleted: have the client ask anew."""
    if workspace.client.can("workspace", "diagnostics", "refreshSupport"):
        workspace.client.ask("workspace/diagnostic/refresh")


def folders_changed(workspace: Workspace, params: dict[str, dict[str, list[dict[str, str]]]]) -> None:
    """Folders have been added or removed."""
    removed, added = ([folder["uri"] for folder in params["event"][name]] for name in ("removed", "added"))
    client = workspace.client
    client.folders = [uri for uri in client.folders if uri not in {*removed, *added}] + added
    configuration.pull(client)
    files_changed(workspace, {})


HANDLERS = {
    "workspace/diagnostic": answer,
    "initialized": watch,
    "workspace/didChangeWatchedFiles": files_changed,
    "workspace/didChangeWorkspaceFolders": folders_changed,
}
