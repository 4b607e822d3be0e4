"""The server object that every feature gets: pygls with our documents, settings and diagnostics."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from rui_common.document_files import SUFFIX
from rui_common.project.discovery import CONFIGURATION_FILE
from rui_common.syntax.spans import Edit
from rui_common.version import TOOL_VERSION
from rui_lsp.convert import to_text_edits
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.protocol.handlers import RunningHandlers
from rui_lsp.protocol.json_rpc import RuiProtocol
from rui_lsp.protocol.log import logger
from rui_lsp.protocol.parameters import strict_converter
from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.closed_files import ClosedFiles
from rui_lsp.session.diagnostics import document_items
from rui_lsp.session.documents import OpenDocument, OpenDocuments
from rui_lsp.session.pauses import Pauses
from rui_lsp.session.settings import ClientSettings, Configuration
from rui_lsp.session.symbols import AllSymbols
from rui_lsp.session.uris import name_of, path_from_uri

NAME = "rui"

WATCHES_FILES = "workspace.did_change_watched_files.dynamic_registration"
"""The client's capability to report changes of files that the server names."""

DOCUMENT_CHANGES = "workspace.workspace_edit.document_changes"
"""The client's capability to check the version of a document that it edits."""


class DocumentObserver:
    """An observer of open documents; it is called in the event loop, after the workspace has changed."""

    def changed(self, uri: str) -> None:
        """Note that a document has been opened, changed or closed."""

    def caret_moved(self, uri: str, position: types.Position) -> None:
        """Note where the author's caret is in a document."""


class Quirks(NamedTuple):
    """The behaviour of a client."""

    shows_first_choice: bool = True  # whether a tab stop with choices shows the first one until the author picks one
    shows_format_errors: bool = True  # whether the error of a request to format is shown to the author
    inserts_final_newline: bool = True  # whether a line end after the last line remains one, and no empty line follows


_QUIRKS = {"Neovim": Quirks(shows_first_choice=False, shows_format_errors=False, inserts_final_newline=False)}
"""The quirks of clients by their names.

Neovim 0.11 leaves a tab stop with choices empty, does not parse one with ``}`` as LSP writes it, and ignores errors of
`vim.lsp.buf.format`. The end of the last line is an option of the buffer, and is inserted when the file is written.
"""


class RuiLanguageServer(LanguageServer):
    """The server's side of one connection."""

    protocol: RuiProtocol
    configuration: Configuration
    documents: OpenDocuments
    apis: ApiRegistry
    closed_files: ClosedFiles
    symbols: AllSymbols
    quirks: Quirks = Quirks()

    def __init__(self) -> None:
        super().__init__(NAME, TOOL_VERSION, protocol_cls=RuiProtocol, converter_factory=strict_converter)
        self._running = RunningHandlers()
        self.pauses = Pauses(self._push)  # decides when the diagnostics of an edited document are computed
        self.observer = DocumentObserver()
        self.is_shut_down = False  # whether the client has sent ``shutdown``

    def feature(self, feature_name: str, options: object = None) -> Callable[..., Any]:
        register = super().feature(feature_name, options)
        is_request = types.METHOD_TO_TYPES.get(feature_name, (None, object))[1] is not None
        return lambda handler: register(self._running.watched(handler, is_request=is_request))

    def command(self, command_name: str) -> Callable[..., Any]:
        register = super().command(command_name)
        return lambda handler: register(self._running.watched(handler, is_request=True))

    def start_session(self, params: types.InitializeParams) -> None:
        self.configuration = Configuration(params.initialization_options)
        self.documents = OpenDocuments(self.workspace)
        self.symbols = AllSymbols(self.documents)
        if params.client_info is not None:
            self.quirks = _QUIRKS.get(params.client_info.name, self.quirks)
        self.apis = ApiRegistry(self.documents, self.configuration, self._show_warning, self.check_all)
        self.closed_files = ClosedFiles(
            self.documents, self.configuration, self.apis, self._publish, self._report_limit
        )

    def shut_down(self) -> None:
        """Cancel the requests that are being served: the client will not wait for their results."""
        self.is_shut_down = True
        self._running.cancel()

    def end_session(self) -> None:
        """End the processes and threads of the session: the client has left."""
        if hasattr(self, "apis"):  # The client has sent `initialize`.
            self.apis.stop()

    @property
    def edited_uri(self) -> str:
        """The open document that was opened or edited last, or ``""``."""
        latest = max(self.documents, key=lambda document: document.last_edit, default=None)
        return "" if latest is None else latest.uri

    # The client

    def supports(self, capability: str) -> bool:
        """Return whether the client has a capability, such as ``"window.show_document.support"``."""
        value = self.capability(capability)
        return value is not None and value is not False

    def capability(self, name: str) -> object:
        """Return a capability of the client, such as ``"text_document.hover.content_format"``; None without it."""
        return get_capability(self.client_capabilities, name, None)

    def capability_list(self, name: str) -> Sequence[object]:
        value = self.capability(name)
        if isinstance(value, list | tuple):
            return value
        return ()

    @property
    def supports_pull(self) -> bool:
        """Whether the client requests diagnostics, so that none are pushed.

        It must also request them again when the server asks for it, for example after a change of a description.
        """
        return self.supports("text_document.diagnostic") and self.supports("workspace.diagnostics.refresh_support")

    def settings_for(self, uri: str) -> ClientSettings:
        """Return the settings for an open document, apart from what its `rui.toml` decides."""
        settings = self.configuration.for_document(uri)
        document = self.documents.find(uri)
        if document is None or document.project is None:
            return settings
        return settings.below(document.project.configuration.rules)

    def show_message(self, level: types.MessageType, text: str) -> None:
        self.window_show_message(types.ShowMessageParams(level, text))

    def register_capability(self, registration_id: str, method: str, options: object) -> None:
        """Have the client send notifications that it can be asked for."""
        registration = types.Registration(registration_id, method, options)
        self.client_register_capability(types.RegistrationParams([registration]))

    async def show_document(self, params: types.ShowDocumentParams) -> bool:
        """Let the client show a document or an address; return whether it has done so."""
        if not self.supports("window.show_document.support"):
            return False
        try:
            result = await self.window_show_document_async(params)
        except JsonRpcException:
            return False
        return result is not None and result.success

    async def show_address(self, address: str, what: str) -> None:
        """Show a web page, or a message with its address if the client cannot."""
        if not await self.show_document(types.ShowDocumentParams(address, external=True, take_focus=False)):
            self.show_message(types.MessageType.Info, f"{what}: {address}")

    async def apply_edit(self, edit: types.WorkspaceEdit, label: str, failure: str) -> None:
        """Let the client apply an edit.

        Raises:
            RequestFailedError: it cannot, or refuses: `failure`, and its reason.
        """
        if not self.supports("workspace.apply_edit"):
            raise RequestFailedError(f"{failure}: this editor does not let a language server edit.")
        reason: str | None = None
        try:
            result = await self.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label))
            if result is not None and result.applied:
                return
            reason = getattr(result, "failure_reason", None)
        except JsonRpcException as error:
            reason = error.message
        raise RequestFailedError(failure + (f": {reason}" if reason else "."))

    async def begin_progress(self, title: str) -> str | None:
        """Show progress until `end_progress`; return its token, or None if the client shows no progress."""
        if not self.supports("window.work_done_progress"):
            return None
        token = str(uuid4())
        try:
            await self.work_done_progress.create_async(token)
        except JsonRpcException:
            return None
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin(title))
        return token

    def end_progress(self, token: str | None) -> None:
        if token is not None:
            self.work_done_progress.end(token, types.WorkDoneProgressEnd())

    # Diagnostics

    def look_at_files(self) -> None:
        """Note changes of files when a document has been opened or saved.

        These are a new `rui.toml` and, for a client that does not request diagnostics, files that are not open: some
        clients watch no files, others report nothing when a folder is moved.
        """
        self.apis.look_for_configuration()
        if not self.supports_pull:
            self.closed_files.refresh_all()

    def show_diagnostics_soon(self, uri: str) -> None:
        """Show the diagnostics of an edited document after the pause of the settings."""
        self.pauses.restart(uri, self.settings_for(uri).diagnostics_delay / 1000)

    def _push(self, uri: str) -> None:
        """Publish the diagnostics of an open document, for a client that does not request them."""
        document = self.documents.find(uri)
        if document is None or self.supports_pull:
            return
        items = document_items(document, self.settings_for(uri))
        if items is not None:
            self._publish(types.PublishDiagnosticsParams(document.uri, items, document.version))

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.text_document_publish_diagnostics(params)
        logger.debug("published %d diagnostics of %s, version %s", len(params.diagnostics), params.uri, params.version)

    def refresh_all_files(self) -> None:
        """Show the diagnostics of all files again."""
        if self.supports_pull:
            self.workspace_diagnostic_refresh(None)
        else:
            self.closed_files.refresh_all()

    async def files_changed(self, changes: Mapping[str, bool]) -> None:
        """Show the diagnostics of files again, and of all documents if a description of their API has changed.

        A client that requests diagnostics requests all again.

        Args:
            changes: addresses of files and folders, and whether they have been deleted.
        """
        self.documents.note_deleted(changes)
        for uri, is_deleted in changes.items():
            if is_deleted and name_of(uri) == CONFIGURATION_FILE and (path := path_from_uri(uri)):
                self.apis.set_open_text(path, None)  # Clients may keep what is deleted open.
        if not all(uri.endswith(SUFFIX) for uri in changes):
            await self.apis.check_files()
        if self.supports_pull:
            self.workspace_diagnostic_refresh(None)
        elif any(name_of(uri) == CONFIGURATION_FILE for uri in changes):
            self.closed_files.refresh_all()
        else:
            self.closed_files.refresh(changes)

    def apply_configuration(self, *, has_changed: bool) -> None:
        """Use new settings, which are already in `configuration`."""
        self.show_invalid_settings()
        if has_changed:
            self.apis.attach_all()
            self.check_all()
            if self.supports("workspace.inlay_hint.refresh_support"):
                self.workspace_inlay_hint_refresh(None)

    def check_all(self) -> None:
        """Show the diagnostics and previews of all documents again."""
        for document in self.documents:
            self.observer.changed(document.uri)
            self._push(document.uri)
        self.refresh_all_files()

    def show_invalid_settings(self) -> None:
        """Show the messages about invalid settings, each once."""
        for text in self.configuration.new_messages():
            self._show_warning(text)

    def _show_warning(self, text: str) -> None:
        self.show_message(types.MessageType.Warning, text)
        logger.info("%s", text)

    def _report_limit(self, text: str) -> None:
        """Tell the author, and the log, what is not checked."""
        self.show_message(types.MessageType.Warning, text)
        logger.warning("%s", text)

    def close_document(self, uri: str) -> None:
        """Close a document: clear its diagnostics, and push those of its file."""
        uri = self.documents.close(uri)
        self.pauses.end(uri)
        if not self.supports_pull:
            self._publish(types.PublishDiagnosticsParams(uri, []))
            self.closed_files.forget(uri)
        self.observer.changed(uri)
        if not self.supports_pull:
            self.closed_files.refresh({uri: False})

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Log a fault in a notification; pygls logs those in requests, and would show both to the author."""
        if source != FeatureRequestError:
            details = getattr(error, "data", None) or {}
            logger.error("internal fault: %s\n%s", error, "".join(details.get("traceback", ())))


def workspace_edit(ls: RuiLanguageServer, document: OpenDocument, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Return edits of one document; with its version, if the client checks it."""
    text_edits = to_text_edits(edits, document.positions)
    if ls.supports(DOCUMENT_CHANGES):
        identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, text_edits)])
    return types.WorkspaceEdit(changes={document.uri: text_edits})
