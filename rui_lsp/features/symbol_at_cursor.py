"""The name under the cursor, as four requests ask for it."""

from __future__ import annotations

from rui_common.editing.references import reference_index
from rui_lsp.client.convert import offset_from_lsp, range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.editing.references import ReferenceIndex
    from rui_common.syntax.paths import Path
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument, Workspace


class NameHere:
    """The name under a cursor.

    Attributes:
        opened: the document that it stands in.
        names: all names of that.
        path: where it stands.
    """

    __slots__ = ("names", "opened", "path")

    def __init__(self, opened: OpenDocument, names: ReferenceIndex, path: Path) -> None:
        self.opened = opened
        self.names = names
        self.path = path

    def range(self, path: Path | None = None) -> Json:
        """The range of the name, or of the one at another path."""
        return range_to_lsp(self.names.span(self.path if path is None else path), self.opened.text)


def name_here(workspace: Workspace, params: Json) -> NameHere | None:
    """The name at ``position`` of ``textDocument``; None where there is none."""
    opened = workspace.document_of(params)
    names = reference_index(opened.document)
    path = names.path_at(offset_from_lsp(params.get("position"), opened.text))
    return None if path is None else NameHere(opened, names, path)
