"""The server object that every feature gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.workspace import Workspace

from rui_common.syntax.line_index import Encoding
from rui_common.version import TOOL_VERSION
from rui_lsp.apis.registry import ApiRegistry
from rui_lsp.client.configuration import Configuration
from rui_lsp.client.convert import to_offset
from rui_lsp.client.quirks import Quirks, quirks_of
from rui_lsp.client.settings import Settings
from rui_lsp.diagnostics.calm import IdleTimers
from rui_lsp.diagnostics.closed_files import ClosedFiles
from rui_lsp.diagnostics.items import api_items, document_items, shown_items
from rui_lsp.diagnostics.push import Publisher
from rui_lsp.documents.document import OpenDocument
from rui_lsp.documents.value_index import ValueIndex
from rui_lsp.documents.workspace import RuiWorkspace
from rui_lsp.protocol.encoding import converter
from rui_lsp.protocol.log import logger
from rui_lsp.scheduling.timing import IdleTimer, collect_garbage
from rui_lsp.server.observer import DocumentObserver
from rui_lsp.server.protocol import RuiProtocol, SessionServer

NAME = "rui"

_ENCODINGS: dict[types.PositionEncodingKind, Encoding] = {
    types.PositionEncodingKind.Utf8: "utf-8",
    types.PositionEncodingKind.Utf16: "utf-16",
    types.PositionEncodingKind.Utf32: "utf-32",
}


class RuiLanguageServer(SessionServer):
    """The server's side of one connection.

    Attributes:
        configuration: the client's settings.
        apis: the OpenAPI descriptions of documents.
        publisher: pushes the diagnostics of open documents.
        closed_files: pushes the diagnostics of other files.
        quirks: what the client does differently from others.
        value_index: the values in files that are not open.
        observers: what is informed of changes in open documents.
        edited_uri: the document that was opened or changed last, or ``""``.
    """

    protocol: RuiProtocol
    configuration: Configuration
    apis: ApiRegistry
    publisher: Publisher
    closed_files: ClosedFiles
    quirks: Quirks = Quirks()

    def __init__(self) -> None:
        super().__init__(NAME, TOOL_VERSION, protocol_cls=RuiProtocol, converter_factory=converter)
        self.value_index = ValueIndex()
        self.observers: list[DocumentObserver] = []
        self.edited_uri = ""
        self._idle_timers = IdleTimers()
        self._idle_timer = IdleTimer(self._on_idle)
        self._has_closed = False

    def start_session(self, params: types.InitializeParams, workspace: Workspace) -> RuiWorkspace:
        """Set up everything that depends on the client; return the workspace."""
        encoding = _ENCODINGS[types.PositionEncodingKind(workspace.position_encoding)]
        folders = list(workspace.folders.values())
        if params.workspace_folders is None and params.root_uri is not None:
            folders = [types.WorkspaceFolder(params.root_uri, params.root_uri)]
        own_workspace = RuiWorkspace(encoding, folders)
        self.configuration = Configuration(params.initialization_options)
        self.quirks = quirks_of(params.client_info)
        self.publisher = Publisher(self.configuration, self._publish, api_items if self.pushes_api else shown_items)
        self.apis = ApiRegistry(own_workspace, self.configuration, self._show_warning, self.check_all)
        self.closed_files = ClosedFiles(own_workspace, self.configuration, self.apis, self._publish)
        return own_workspace

    @property
    def workspace(self) -> RuiWorkspace:
        """The open documents and the folders."""
        workspace = self.protocol.workspace
        assert isinstance(workspace, RuiWorkspace)  # noqa: S101  `start_session` has made it
        return workspace

    async def end_session(self) -> None:
        """End what belongs to the session: the client has left."""
        for observer in self.observers:
            await observer.close()

    # Observers

    def document_changed(self, uri: str) -> None:
        """Inform the observers that a document has been opened, changed or closed."""
        if self.workspace.find(uri) is not None:
            self.edited_uri = uri
        for observer in self.observers:
            observer.changed(uri)

    def caret_moved(self, uri: str, position: types.Position) -> None:
        """Note and inform the observers where the author's caret is."""
        document = self.workspace.find(uri)
        if document is None:
            return
        document.caret = to_offset(position, document.text)
        for observer in self.observers:
            observer.caret_moved(uri, document.caret)

    # The client

    def supports(self, capability: str) -> bool:
        """Whether the client has a capability, such as ``"window.show_document.support"``."""
        value = self.capability(capability)
        return value is not None and value is not False

    def capability(self, name: str) -> object:
        """A capability of the client, such as ``"text_document.hover.content_format"``; None without it."""
        return get_capability(self.client_capabilities, name, None)

    def capability_list(self, name: str) -> Sequence[object]:
        """A capability that is a list; empty without it."""
        value = self.capability(name)
        if isinstance(value, list | tuple):
            return value
        return ()

    @property
    def supports_pull(self) -> bool:
        """Whether the client requests diagnostics, so that none are pushed."""
        return self.supports("text_document.diagnostic")

    def settings_for(self, uri: str) -> Settings:
        """The settings for a document."""
        return self.configuration.for_document(uri)

    def show_message(self, level: types.MessageType, text: str) -> None:
        """Show a message to the author."""
        self.window_show_message(types.ShowMessageParams(level, text))

    @property
    def supports_refresh(self) -> bool:
        """Whether the client requests all diagnostics again when the server asks for it."""
        return self.supports("workspace.diagnostics.refresh_support")

    @property
    def pushes_api(self) -> bool:
        """Whether differences from an OpenAPI description are pushed to a client that requests diagnostics.

        It would not request them when the description has been read, or has changed.
        """
        return self.supports_pull and not self.supports_refresh

    def refresh_diagnostics(self) -> None:
        """Let the client request all diagnostics again, if it can."""
        if self.supports_refresh:
            self.workspace_diagnostic_refresh(None)

    @contextmanager
    def show_progress(
        self, token: types.ProgressToken | None, title: str, *, cancellable: bool = False
    ) -> Iterator[Callable[[int], None]]:
        """Show progress while the block runs; the block gets a function that reports a percentage.

        Args:
            token: the work-done token; None for a client that wants no progress.
            title: the name of the work, for the author.
            cancellable: whether the client can cancel the work. If so, percentages are reported.
        """
        progress = self.work_done_progress
        if token is None:
            yield lambda percentage: None  # noqa: ARG005
            return
        begin = types.WorkDoneProgressBegin(title, cancellable=cancellable)
        if cancellable:
            begin.percentage = 0
        progress.begin(token, begin)
        try:
            yield lambda percentage: progress.report(token, types.WorkDoneProgressReport(percentage=percentage))
        finally:
            progress.end(token, types.WorkDoneProgressEnd())

    async def create_progress_token(self) -> str | None:
        """A token for work that the client has not sent one for; None if it shows no progress."""
        if not self.supports("window.work_done_progress"):
            return None
        token = str(uuid4())
        try:
            await self.work_done_progress.create_async(token)
        except JsonRpcException:
            return None
        return token

    # Diagnostics

    def schedule_diagnostics(self, uri: str) -> None:
        """Push the diagnostics of an open document soon, unless the client requests them."""
        document = self.workspace.find(uri)
        if document is None:
            return
        if not self.supports_pull or (self.pushes_api and document.api is not None):
            self.publisher.schedule(document)

    def requested_items(self, document: OpenDocument) -> list[types.Diagnostic]:
        """The diagnostics of an open document that the client requests.

        They are calm only if the server can have the client request the others after a pause.
        """
        settings = self.settings_for(document.uri)
        if not self.supports_refresh:
            return document_items(document, settings, without_api=True)
        items, is_calm = shown_items(document, settings)
        if is_calm:
            self._idle_timers.start(document, self.refresh_diagnostics)
        return items

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.text_document_publish_diagnostics(params)
        logger.debug("published %d diagnostics of %s, version %s", len(params.diagnostics), params.uri, params.version)

    def apply_configuration(self, *, has_changed: bool) -> None:
        """Use new settings, which are already in `configuration`."""
        self.show_invalid_settings()
        if has_changed:
            self.apis.attach_all()
            self.check_all()

    def check_all(self) -> None:
        """Have the diagnostics and previews of all documents computed again."""
        for document in self.workspace.documents:
            for observer in self.observers:
                observer.changed(document.uri)
        if self.supports_pull:
            self.refresh_diagnostics()
        for document in self.workspace.documents:
            if not self.supports_pull or (self.pushes_api and self.publisher.may_show(document)):
                self.publisher.schedule(document)
        if not self.supports_pull:
            self.closed_files.refresh_all()

    def show_invalid_settings(self) -> None:
        """Show the messages about invalid settings, each once."""
        for text in self.configuration.new_messages():
            self._show_warning(text)

    def _show_warning(self, text: str) -> None:
        self.show_message(types.MessageType.Warning, text)
        logger.info("%s", text)

    def document_closed(self, uri: str) -> None:
        """Clear the diagnostics of a document that has been closed, and push those of its file."""
        self._has_closed = True
        self._idle_timers.cancel(uri)
        self.publisher.clear(uri)
        if not self.supports_pull:
            self.closed_files.refresh([uri])

    # Housekeeping

    def on_message(self) -> None:
        """Note that a message has arrived."""
        self._idle_timer.restart()

    def on_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Check the version of a change."""
        self.workspace.check_version(params.text_document)

    def _on_idle(self) -> None:
        collect_garbage(has_closed=self._has_closed)
        self._has_closed = False

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Log a fault in a notification; pygls logs those in requests, and would show both to the author."""
        if source != FeatureRequestError:
            details = getattr(error, "data", None) or {}
            logger.error("internal fault: %s\n%s", error, "".join(details.get("traceback", ())))
