"""The files that are not open: their diagnostics, published one by one in the background, and their requests."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from typing import NamedTuple

from lsprotocol import types

from rui_common.document_files import read_file
from rui_common.editing.requests import Request, requests_in
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.convert import Positions
from rui_lsp.protocol.log import logger
from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.diagnostics import shown_diagnostics, to_diagnostic
from rui_lsp.session.documents import ApiInUse, OpenDocuments, compare_with_api
from rui_lsp.session.files import document_paths, is_in_folders
from rui_lsp.session.settings import ClientSettings, Configuration
from rui_lsp.session.uris import path_from_uri, uri_key
from rui_openapi.reading.files import FileVersion, version_of

MAX_FILES = 1000  # how many files have their diagnostics published at most


class _FileResult(NamedTuple):
    """What was computed from a file, and from what: its version, and all further inputs."""

    version: FileVersion | None
    inputs: tuple[str, ClientSettings, ApiInUse | None]
    items: list[types.Diagnostic]
    requests: list[Request]


class ClosedFiles:
    """The files in the workspace folders that are not open."""

    def __init__(
        self,
        documents: OpenDocuments,
        configuration: Configuration,
        apis: ApiRegistry,
        publish: Callable[[types.PublishDiagnosticsParams], None],
    ) -> None:
        self._documents = documents
        self._configuration = configuration
        self._apis = apis
        self._publish = publish
        self._results: dict[str, _FileResult] = {}  # by path; clients ask again and again
        self._published: dict[str, str] = {}  # address by file: of what the client shows diagnostics
        self._task: asyncio.Task[None] | None = None
        self._is_started = False
        self._will_check_all = False

    def items(self, uri: str, path: str) -> list[types.Diagnostic]:
        """Return the diagnostics of a file; none if it cannot be read, for example because it has just been deleted.

        None also after a fault, which is logged: after an error, VS Code does not request them again.
        """
        result = self._results.pop(path, None)
        try:
            version = version_of(path)
            inputs = (uri, self._configuration.for_document(uri), self._apis.find(uri))
            if result is None or (result.version, result.inputs) != (version, inputs):
                analysis = Analysis(read(read_file(path)))
                requests = requests_in(analysis, os.path.basename(path))  # noqa: PTH119
                result = _FileResult(version, inputs, self._diagnose(analysis, *inputs), requests)
        except FileNotFoundError:
            return []
        except OSError as error:
            logger.warning("cannot read %s: %s", path, error)
            return []
        except Exception:
            logger.exception("cannot compute the diagnostics of %s", uri)
            return []
        self._results[path] = result
        return result.items

    def _diagnose(
        self, analysis: Analysis, uri: str, settings: ClientSettings, api: ApiInUse | None
    ) -> list[types.Diagnostic]:
        diagnostics = [*analysis.diagnostics, *compare_with_api(uri, analysis, api)]
        positions = Positions(analysis.document.lines, self._documents.encoding)
        return [to_diagnostic(one, uri, positions, settings) for one in shown_diagnostics(diagnostics, settings)]

    def requests(self) -> Iterator[Request]:
        """Yield the requests of files that have not changed since their diagnostics were computed.

        Those that have changed last come first. Files that are open are left out.
        """
        roots = [path_from_uri(uri) for uri in self._documents.folder_uris]
        folders = tuple(os.path.join(root, "") for root in roots if root is not None)  # noqa: PTH118
        seen = {one.real_path for one in self._documents}
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

    def refresh(self, uris: list[str]) -> None:
        """Check some files, which may be new, changed or deleted."""
        if not self._is_started:
            return

        async def check() -> None:
            for uri in uris:
                await self._check(uri, path_from_uri(uri))

        self._start(check)

    def _start(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run a task after the one that runs now."""
        previous = self._task

        async def run() -> None:
            if previous is not None:
                await asyncio.wait([previous])
            await work()

        self._task = asyncio.get_running_loop().create_task(run())

    async def _check_all(self) -> None:
        self._will_check_all = False
        paths = await asyncio.to_thread(document_paths, [], self._documents.folder_uris)
        for uri, path in list(paths.items())[:MAX_FILES]:
            await self._check(uri, path)
        found = {_file_of(uri, path) for uri, path in paths.items()}
        for file, uri in list(self._published.items()):
            if file not in found:
                await self._check(uri, path_from_uri(uri))

    async def _check(self, uri: str, path: str | None) -> None:
        documents = self._documents
        file = _file_of(uri, path)
        shown_uri = self._published.pop(file, None)
        if documents.find(uri) is not None or uri in documents.lost or documents.is_file_open(file):
            if shown_uri is not None and documents.find(shown_uri) is None:  # The client has opened it by another path.
                self._publish(types.PublishDiagnosticsParams(shown_uri, []))
            return
        uri = shown_uri or uri
        items: list[types.Diagnostic] = []
        if path is not None and is_in_folders(path, documents.folder_uris):
            items = self.items(uri, path)
        if items:
            self._published[file] = uri
        if items or shown_uri is not None:
            self._publish(types.PublishDiagnosticsParams(uri, items))
        await asyncio.sleep(0)  # Requests do not wait for all files.


def _file_of(uri: str, path: str | None) -> str:
    """Return the identity of a file: its path after links are resolved; the URI of a document that is no file."""
    if path is None:
        return uri_key(uri)
    return os.path.realpath(path)
