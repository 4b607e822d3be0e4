"""The edit of a `rui.toml` by which a warning is ignored where it is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from lsprotocol import types

from rui_common.document_files import leads_out
from rui_common.problems.lints import WARNINGS
from rui_common.project.discovery import CONFIGURATION_FILE, ConfigurationError
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.syntax.spans import Edit
from rui_common.validation.diagnostics import Diagnostic
from rui_lsp.convert import Positions, to_text_edits
from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.documents import OpenDocument
from rui_lsp.session.uris import innermost_folder, path_from_uri, uri_in_folder

MAX_TEXT = 100_000  # Maximum number of characters of a `rui.toml` that is edited. Bounds the time of a request.


class IgnoreHere(NamedTuple):
    """The file that is edited for a document."""

    uri: str
    text: str
    version: int | None  # the client's, if it is open
    is_new: bool
    glob: str  # what fits this document alone

    def edits(self, entry: str, encoding: Encoding, *, has_final_newline: bool) -> list[types.TextEdit] | None:
        """Return edits that add an entry; None if the file cannot be edited as text.

        Without `has_final_newline`, none ends the last line: the client does.
        """
        from rui_common.project.ignore_edit import ignore_edits  # only for code actions

        edits = ignore_edits(self.text, self.glob, entry)
        if edits is not None and not has_final_newline:
            last = len(self.text)
            edits = [edit if edit.span.end < last else Edit(edit.span, edit.text.rstrip("\r\n")) for edit in edits]
        return None if edits is None else to_text_edits(edits, Positions(LineIndex(self.text), encoding))


def ignore_here(
    document: OpenDocument, folders: Sequence[str], apis: ApiRegistry, *, can_create: bool
) -> IgnoreHere | None:
    """Return the `rui.toml` of a document in a trusted workspace, or one that is created in its folder.

    None if it cannot be read, or is outside of the folders, or if there is none and the client cannot create files.
    """
    path = path_from_uri(document.uri)
    folder_uri = innermost_folder(document.uri, folders)
    folder = None if folder_uri is None else path_from_uri(folder_uri)
    if path is None or folder_uri is None or folder is None or not path.startswith(os.path.join(folder, "")):  # noqa: PTH118
        return None
    file = apis.find_configuration(os.path.dirname(path))  # noqa: PTH120
    is_new = file is None
    if file is None:
        file = os.path.join(folder, CONFIGURATION_FILE)  # noqa: PTH118
    if (is_new and not can_create) or leads_out(file, folder):
        return None
    text = ""
    opened = apis.open_text(file)
    if opened is not None and is_new:
        return None  # What is typed is no policy yet.
    if opened is not None:
        text = opened.text
    elif not is_new:
        if document.project is None:
            return None
        from rui_common.project.configuration import read_text  # only with a rui.toml

        try:
            text = read_text(file)
        except ConfigurationError:
            return None
    if len(text) > MAX_TEXT:
        return None
    from rui_common.project.globs import escape  # only for code actions

    relative = os.path.relpath(path, os.path.dirname(file)).replace(os.sep, "/")  # noqa: PTH120
    glob = escape(relative)
    uri = uri_in_folder(folder_uri, os.path.relpath(file, folder))
    return IgnoreHere(
        uri, text, None if opened is None else opened.version, is_new, glob if "/" in glob else f"./{glob}"
    )


def entry_for(document: OpenDocument, diagnostic: Diagnostic) -> str:
    """Return the entry that ignores a warning at its node, else at its path; ``""`` if it has neither."""
    from rui_common.project.configuration import entry_text  # only for code actions
    from rui_common.project.policy import places_of

    if diagnostic.code not in WARNINGS or diagnostic.rule:
        return ""
    place = places_of(document.analysis, diagnostic.path)[0]
    if diagnostic.path and not place:  # in a node without an id
        return ""
    return entry_text(diagnostic.code, place)
