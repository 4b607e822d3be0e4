"""The files that are not open: their diagnostics, published in the background, and their requests."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from lsprotocol import types

from rui_common.document_files import read_file
from rui_common.editing.requests import KnownRequest, known_requests
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.convert import Positions
from rui_lsp.protocol.log import logger
from rui_lsp.session.api_choices import FindConfiguration, InProject
from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.diagnostics import to_items, unreadable_item
from rui_lsp.session.documents import ApiInUse, OpenDocuments, apply_project, compare_with_api
from rui_lsp.session.files import document_paths, is_in_folders, is_listed
from rui_lsp.session.settings import ClientSettings, Configuration
from rui_lsp.session.threads import in_thread
from rui_lsp.session.uris import path_from_uri, uri_key
from rui_openapi.reading.files import FileVersion, version_of

MAX_FILES = 1000  # how many files have their diagnostics published at most before they are opened or changed


class FileItems(NamedTuple):
    """The diagnostics of a file, and their digest."""

    items: list[types.Diagnostic]
    digest: str


class _FileResult(NamedTuple):
    """What was computed from a file, and from what: its version, and all further inputs."""

    version: FileVersion | None
    inputs: tuple[str, ClientSettings, InProject | None, ApiInUse | None]
    shown: FileItems
    requests: list[KnownRequest]


class _Published(NamedTuple):
    """What the client shows of a file."""

    uri: str
    items: list[types.Diagnostic]


class ClosedFiles:
    """The files in the workspace folders that are not open."""

    def __init__(
        self,
        documents: OpenDocuments,
        configuration: Configuration,
        apis: ApiRegistry,
        publish: Callable[[types.PublishDiagnosticsParams], None],
        report_limit: Callable[[str], None],
    ) -> None:
        self._documents = documents
        self._configuration = configuration
        self._apis = apis
        self._publish = publish
        self._report_limit = report_limit
        self._results: dict[str, _FileResult] = {}  # by path; clients ask again and again
        self._unreadable: dict[str, str] = {}  # by path: why a file cannot be read, which the log contains
        # by path after links are resolved: a file is shown once, under the address that the client has seen first
        self._published: dict[str, _Published] = {}
        self._changes: dict[str, bool] = {}  # what `refresh` will check
        self._task: asyncio.Task[None] | None = None
        self._is_started = False
        self._will_check_all = False
        self._has_reported_limit = False

    def items(self, uri: str, path: str, nearest: FindConfiguration | None = None) -> FileItems:
        """Return the diagnostics of a file; none if it does not exist, for example because it has just been deleted.

        A regular file that cannot be read has one that says why. None after a fault, which is logged: after an error,
        VS Code does not request them again. `nearest` returns the `rui.toml` of a folder.
        """
        result = self._results.pop(path, None)
        try:
            version = version_of(path)
            settings = self._configuration.for_document(uri)
            project = self._apis.project(uri, nearest)
            api = self._apis.find(uri, project)
            if project is not None:
                settings = settings.below(project.configuration.rules)
            inputs = (uri, settings, project, api)
            if result is None or (result.version, result.inputs) != (version, inputs):
                analysis = Analysis(read(read_file(path)))
                requests = known_requests(analysis, os.path.basename(path))  # noqa: PTH119
                diagnostics = [*analysis.diagnostics, *compare_with_api(uri, analysis, api)]
                diagnostics = apply_project(project, analysis, diagnostics)
                positions = Positions(analysis.document.lines, self._documents.encoding)
                shown = with_digest(to_items(diagnostics, uri, positions, settings))
                result = _FileResult(version, inputs, shown, requests)
        except (FileNotFoundError, NotADirectoryError):
            return NO_ITEMS
        except OSError as error:
            return self._unreadable_items(path, error.strerror or str(error))
        except Exception:
            logger.exception("cannot compute the diagnostics of %s", uri)
            return NO_ITEMS
        self._unreadable.pop(path, None)
        self._results[path] = result
        return result.shown

    def _unreadable_items(self, path: str, reason: str) -> FileItems:
        if self._unreadable.get(path) != reason:  # Clients ask again and again.
            self._unreadable[path] = reason
            logger.warning("cannot read %s: %s", path, reason)
        if os.path.isfile(path):  # noqa: PTH113
            return with_digest([unreadable_item(reason)])
        return NO_ITEMS

    def requests(self) -> Iterator[KnownRequest]:
        """Yield the requests of files that have not changed since their diagnostics were computed.

        Those that have changed last come first. Files that are open are left out.
        """
        roots = [path_from_uri(uri) for uri in self._documents.folder_uris]
        folders = tuple(os.path.join(root, "") for root in roots if root is not None)  # noqa: PTH118
        seen = {document.real_path for document in self._documents}
        for path, result in sorted(self._results.items(), key=lambda item: item[1].version or (), reverse=True):
            real_path = os.path.realpath(path)
            if real_path in seen or not path.startswith(folders) or version_of(path) != result.version:
                continue
            seen.add(real_path)
            yield from result.requests

    def refresh_all(self) -> None:
        """Check every file of every folder, and from now on those that change."""
        self._is_started = True
        if not self._will_check_all:
            self._will_check_all = True
            self._start(self._check_all)

    def refresh(self, changes: Mapping[str, bool]) -> None:
        """Check some files; a folder stands for all files in it.

        If another file is gone that the client shows diagnostics of, all files are checked: a folder may have been
        moved, of which clients report nothing else.

        Args:
            changes: addresses of files and folders, and whether the client has reported them as deleted.
        """
        if not self._is_started:
            return
        if not self._changes:
            self._start(self._check_changes)
        self._changes |= changes

    def forget(self, uri: str) -> None:
        """Note that the client does not show the diagnostics any more that were published for an address."""
        for file, published in list(self._published.items()):
            if uri_key(published.uri) == uri_key(uri):
                del self._published[file]

    def _start(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run a task after the one that runs now."""
        previous = self._task

        async def run() -> None:
            if previous is not None:
                await asyncio.wait([previous])
            await work()

        self._task = asyncio.get_running_loop().create_task(run())

    async def _check_changes(self) -> None:
        changes, self._changes = self._changes, {}
        paths = {uri: path for uri in changes if (path := path_from_uri(uri)) is not None}
        files = {uri: os.path.realpath(path) for uri, path in paths.items()}
        gone = {file for file in self._published if self._is_gone(file)}
        for file in gone:
            self._show(file, "", [])
        if gone.difference(files.values()) or any(map(os.path.isdir, paths.values())):
            self.refresh_all()
        for uri, path in paths.items():
            is_there = is_in_folders(path, self._documents.folder_uris) and (is_listed(path) or not changes[uri])
            await self._check(files[uri], uri, path if is_there else None)

    async def _check_all(self) -> None:
        self._will_check_all = False
        found = await in_thread(_files_in, self._documents.folder_uris, self._apis.leaves_out())
        for file in self._published.keys() - found.keys():
            self._show(file, "", [])
        nearest = cache(self._apis.find_configuration)
        for number, (file, (uri, path)) in enumerate(found.items()):
            if number < MAX_FILES or file in self._published:
                await self._check(file, uri, path, nearest)
        if len(found) > MAX_FILES and not self._has_reported_limit:
            self._has_reported_limit = True
            self._report_limit(
                f"The workspace has {len(found):,} documents. Only the first {MAX_FILES:,} are checked before they are "
                "opened or changed. The command rui check checks all."
            )

    def _is_gone(self, file: str) -> bool:
        """Return whether the client shows diagnostics of a file under a path that does not lead to it any more."""
        path = path_from_uri(self._published[file].uri)
        return path is None or version_of(path) is None or os.path.realpath(path) != file

    async def _check(self, file: str, uri: str, path: str | None, nearest: FindConfiguration | None = None) -> None:
        """Show the diagnostics of a file. One that is open, or that has no path any more, has none."""
        documents = self._documents
        items: list[types.Diagnostic] = []
        is_open = documents.find(uri) is not None or documents.is_file_open(file)
        if path is not None and not is_open:
            published = self._published.get(file)
            items = self.items(uri if published is None else published.uri, path, nearest).items
        self._show(file, uri, items)
        await asyncio.sleep(0)  # Requests do not wait for all files.

    def _show(self, file: str, uri: str, items: list[types.Diagnostic]) -> None:
        """Publish the diagnostics of a file, if the client shows others."""
        published = self._published.pop(file, _Published(uri, []))
        if items:
            self._published[file] = published._replace(items=items)
        if items != published.items and self._documents.find(published.uri) is None:
            self._publish(types.PublishDiagnosticsParams(published.uri, items))


def with_digest(items: list[types.Diagnostic]) -> FileItems:
    # `ascii`, as a text may contain half of a character, which has no encoding.
    return FileItems(items, blake2b(ascii(items).encode(), digest_size=12).hexdigest())


NO_ITEMS = with_digest([])


def _files_in(folders: list[str], is_left_out: Callable[[str], bool] | None) -> dict[str, tuple[str, str]]:
    """Return the address and path of every document in some folders, by its path after links are resolved."""
    paths = document_paths([], folders, is_left_out)
    return {os.path.realpath(path): (uri, path) for uri, path in paths.items() if path is not None}
