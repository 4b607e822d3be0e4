"""The open documents, as the editor shows them, and the folders of the workspace."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams
from pygls.workspace import Workspace

from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.syntax.document import Document, read
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_lsp.convert import Positions, to_span
from rui_lsp.protocol.log import logger
from rui_lsp.session.uris import UriDict, path_from_uri, uri_key

if TYPE_CHECKING:  # most sessions have no OpenAPI description
    from rui_lsp.session.api_choices import InProject
    from rui_openapi.description.api import Api

_edits = count()
"""Numbers of edits: the clock of Windows, which advances every 16 milliseconds, does not order them."""

MAX_CLOSED = 1000  # how many closed documents `OpenDocuments.stale_results` knows at most


class ApiInUse(NamedTuple):
    """The description for a document, and whether differences from it are errors."""

    api: Api
    is_strict: bool = False


def compare_with_api(uri: str, analysis: Analysis, in_use: ApiInUse | None) -> list[Diagnostic]:
    """Return the differences from a description; none without one, or if the comparison fails, which is logged."""
    if in_use is None:
        return []
    from rui_openapi.comparison.check import api_diagnostics  # only with a description

    try:
        return api_diagnostics(analysis, in_use.api, is_strict=in_use.is_strict)
    except Exception:  # The author still gets all other diagnostics.
        logger.exception("internal fault: cannot compare %s with %s", uri, in_use.api.references.path)
        return []


def apply_project(project: InProject | None, analysis: Analysis, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Return what the `rui.toml` of a document leaves of its diagnostics; none of a document that it excludes."""
    if project is None:
        return diagnostics
    if project.is_excluded:
        return []
    from rui_common.project.policy import apply_policy  # only with a rui.toml

    return apply_policy(project.configuration, project.document, analysis, diagnostics).diagnostics


class OpenDocument:
    """One open document. Unlike those of pygls, its lines end where LSP defines it, and long lines are fast, too."""

    def __init__(self, uri: str, text: str, version: int, encoding: Encoding) -> None:
        self.uri = uri  # its address, as the client spelled it when it opened the document
        self.version = version  # the client's version number of the text
        path = path_from_uri(uri)
        # its file, after links are resolved; None if it is not a file
        self.real_path = None if path is None else os.path.realpath(path)
        self._encoding = encoding
        self.source = text
        self._lines = LineIndex(text)
        self._analysis: Analysis | None = None
        self.project: InProject | None = None  # its `rui.toml`
        self._api_in_use: ApiInUse | None = None
        self._api_diagnostics: list[Diagnostic] | None = None
        self.last_edit = next(_edits)  # the number of its last edit, or of its opening, among those of all documents

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Replace a range of the text, or all of it. Positions outside of the text are clamped."""
        text = change.text
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = to_span(change.range, self.positions)
            text = f"{self.source[: span.start]}{change.text}{self.source[span.end :]}"
        self.source = text
        self._lines = LineIndex(text)  # needed for the next edit, whether or not the text has been analysed
        self._analysis = None
        self._api_diagnostics = None
        self.last_edit = next(_edits)

    @property
    def positions(self) -> Positions:
        """The positions of the current text, in the client's encoding."""
        return Positions(self._lines, self._encoding)

    @property
    def document(self) -> Document:
        """The parsed text; its offsets are offsets of `source`."""
        return self.analysis.document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the text that its `rui.toml` leaves, those of its requests last."""
        return apply_project(self.project, self.analysis, [*self.analysis.diagnostics, *self.api_diagnostics()])

    @property
    def api(self) -> Api | None:
        """The OpenAPI description of its requests, or None."""
        if self._api_in_use is None:
            return None
        return self._api_in_use.api

    def set_api(self, in_use: ApiInUse | None) -> bool:
        """Compare requests with a description, or with none; return whether that is a change."""
        if self._api_in_use == in_use:
            return False
        self._api_in_use = in_use
        self._api_diagnostics = None
        return True

    def set_project(self, project: InProject | None) -> bool:
        """Use a `rui.toml`, or none; return whether that is a change."""
        has_changed = self.project != project
        self.project = project
        return has_changed

    def api_diagnostics(self) -> list[Diagnostic]:
        """Return the differences of the text from the description; none without one."""
        if self._api_diagnostics is None:
            self._api_diagnostics = compare_with_api(self.uri, self.analysis, self._api_in_use)
        return self._api_diagnostics

    def grounding(self) -> Grounding:
        """Return the statements of the description about the bindings; none without one, or if that fails."""
        if self.api is None:
            return UNGROUNDED
        from rui_openapi.ground import describe_data  # only with a description

        try:
            return describe_data(self.analysis, self.api)
        except Exception:  # The author still gets the preview.
            logger.exception("internal fault: cannot ground %s in %s", self.uri, self.api.references.path)
            return UNGROUNDED

    @property
    def analysis(self) -> Analysis:
        if self._analysis is None:
            self._analysis = Analysis(read(self.source))
        return self._analysis


class OpenDocuments:
    """The documents that the client has open. The text in the editor counts, not the file."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._documents: UriDict[OpenDocument] = UriDict()
        self._folders: UriDict[None] = UriDict()
        # the unit of characters that client and server agreed on
        self.encoding: Encoding = types.PositionEncodingKind(workspace.position_encoding).value
        folders = [folder.uri for folder in workspace.folders.values()]
        if not folders and workspace.root_uri is not None:
            folders = [workspace.root_uri]
        self.change_folders(folders, [])
        self.deleted: UriDict[None] = UriDict()  # open documents whose files the client has reported as deleted
        # a number for each of the last `MAX_CLOSED` documents that were closed, the one that was marked last at the
        # end. It changes when the results that the client has may belong to a text that was never saved.
        self.stale_results: UriDict[int] = UriDict()
        self._stale_count = 0

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._documents.values()))

    @property
    def folder_uris(self) -> list[str]:
        return list(self._folders)

    def change_folders(self, added: Iterable[str], removed: Iterable[str]) -> None:
        for uri in removed:
            self._folders.pop(uri, None)
        for uri in added:
            self._folders[uri] = None

    def note_deleted(self, changes: Mapping[str, bool]) -> None:
        """Note which of the open documents have lost their files, or have them again.

        Args:
            changes: addresses of files and folders, and whether they have been deleted. The last one counts.
        """
        changed = [(uri_key(uri), is_deleted) for uri, is_deleted in changes.items()]
        for document in self:
            key = uri_key(document.uri)
            for changed_key, is_deleted in changed:
                if key != changed_key and not key.startswith(f"{changed_key}/"):
                    continue
                self.deleted.pop(document.uri, None)
                if is_deleted:
                    self.deleted[document.uri] = None

    def find(self, uri: str) -> OpenDocument | None:
        """Return the open document of an address; None if there is none."""
        return self._documents.get(uri)

    def is_file_open(self, real_path: str) -> bool:
        """Return whether a document is open whose file has a path, which contains no links."""
        return any(document.real_path == real_path for document in self)

    def get(self, identifier: types.TextDocumentIdentifier | types.VersionedTextDocumentIdentifier) -> OpenDocument:
        """Return the open document that a request is about.

        Raises:
            JsonRpcException: the document is not open.
        """
        uri = identifier.uri
        document = self.find(uri)
        if document is not None:
            return document
        if uri in self.stale_results:  # It was closed while the request was on its way: editors do not show this error.
            raise JsonRpcContentModified(f"{uri} has been closed.")
        raise JsonRpcInvalidParams(f"{uri} is not open: open it first (textDocument/didOpen).")

    def open(self, item: types.TextDocumentItem) -> OpenDocument:
        """Open a document, in place of the one that pygls has opened."""
        self._workspace.remove_text_document(item.uri)
        document = OpenDocument(item.uri, item.text, item.version, self.encoding)
        self._documents[item.uri] = document
        return document

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> OpenDocument | None:
        """Apply changes in their order; return the document, or None if it is not open."""
        document = self.find(identifier.uri)
        if document is None:
            return None
        for change in changes:
            document.apply_change(change)
        document.version = identifier.version
        return document

    def close(self, uri: str) -> str:
        """Close a document; return its address as the client spelled it when it opened the document."""
        uri = self._documents.spelling(uri)
        for known in (self._documents, self.deleted):
            known.pop(uri, None)
        self.mark_stale(uri)
        return uri

    def mark_stale(self, uri: str) -> None:
        """Note that the results that the client has of a closed document may be stale."""
        self._stale_count += 1
        self.stale_results.pop(uri, None)
        self.stale_results[uri] = self._stale_count
        if len(self.stale_results) > MAX_CLOSED:
            del self.stale_results[next(iter(self.stale_results))]
