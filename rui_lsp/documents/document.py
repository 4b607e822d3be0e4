"""One open document, as the editor shows it."""

from __future__ import annotations

from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from pygls.workspace import PositionCodec, TextDocument

from rui_common.editing.references import ReferenceIndex
from rui_common.syntax.document import Document, read
from rui_common.syntax.line_index import Encoding
from rui_common.validation.diagnostics import Diagnostic, diagnose
from rui_lsp.client.convert import Positions
from rui_lsp.protocol.log import logger

if TYPE_CHECKING:  # most sessions have no OpenAPI description
    from rui_openapi.description.api import Api


class Reading:
    """What is computed from one text, each on first use.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def document(self) -> Document:
        """The parsed text."""
        return read(self.text)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics that depend on the text alone."""
        return diagnose(self.document)

    @cached_property
    def names(self) -> ReferenceIndex:
        """The names that are defined and used."""
        return ReferenceIndex(self.document)


def compare_with_api(uri: str, document: Document, api: Api, *, is_strict: bool) -> list[Diagnostic]:
    """Return the differences of a document from a description; none if the comparison fails, which is logged."""
    from rui_openapi.comparison.check import api_diagnostics  # noqa: PLC0415  only with a description

    try:
        return api_diagnostics(document, api, is_strict=is_strict)
    except Exception:  # The author still gets all other diagnostics.
        logger.exception("internal fault: cannot compare %s with %s", uri, api.references.path)
        return []


class _ApiFound(NamedTuple):
    """The differences of one reading of the text from the description."""

    document: Document
    diagnostics: list[Diagnostic]


class OpenDocument(TextDocument):
    """One open document. Unlike pygls's, its lines end where LSP defines it.

    Attributes:
        uri: its address, as the client writes it.
        version: the client's version number of the text.
        api: the OpenAPI description of its requests, or None.
    """

    version: int
    api: Api | None = None

    def __init__(self, uri: str, text: str, version: int = 0, encoding: Encoding = "utf-16") -> None:
        super().__init__(uri, text, version, position_codec=PositionCodec(encoding))
        self._encoding = encoding
        self._reading = Reading("")
        self._is_api_strict = False
        self._api_found: _ApiFound | None = None

    @property
    def lines(self) -> list[str]:
        r"""The lines with their ends: ``\n``, ``\r\n`` or ``\r``. The last one has none, and may be empty."""
        lines = list(StringIO(self.source, newline=""))
        if not lines or lines[-1].endswith(("\r", "\n")):
            lines.append("")
        return lines

    @property
    def positions(self) -> Positions:
        """The positions of the current text, in the client's encoding."""
        return Positions(self.document.lines, self._encoding)

    @property
    def document(self) -> Document:
        """The parsed text; its offsets are offsets of `source`."""
        return self.reading.document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the text, those of its requests last."""
        return [*self.reading.diagnostics, *self.api_diagnostics()]

    def set_api(self, api: Api | None, *, is_strict: bool) -> bool:
        """Compare requests with a description, or with none; return whether that is a change."""
        if self.api is api and self._is_api_strict == is_strict:
            return False
        self.api = api
        self._is_api_strict = is_strict
        self._api_found = None
        return True

    def api_diagnostics(self) -> list[Diagnostic]:
        """The differences of the text from the description; none without one."""
        if self.api is None:
            return []
        document = self.document
        if self._api_found is None or self._api_found.document is not document:
            diagnostics = compare_with_api(self.uri, document, self.api, is_strict=self._is_api_strict)
            self._api_found = _ApiFound(document, diagnostics)
        return self._api_found.diagnostics

    @property
    def reading(self) -> Reading:
        """The reading of the current text."""
        if self.source != self._reading.text:
            self._reading = Reading(self.source)
        return self._reading
