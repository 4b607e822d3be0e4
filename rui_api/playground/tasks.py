"""What the playground process does: it answers a task with bytes. The texts of a task may be hostile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, is_error
from rui_inspector.html import pages as render
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from rui_inspector.html.playground import Selection, answer
from rui_inspector.model.problems import displayed_diagnostics


class Task(Protocol):
    """A task for the process."""

    def run(self) -> bytes:
        """Return the answer."""


class EditorTask(NamedTuple):
    """A request of the editor, answered with JSON for it."""

    action: str
    text: str
    start: tuple[int, int]
    end: tuple[int, int]

    def run(self) -> bytes:
        value = answer(self.action, self.text, Selection(self.start, self.end))
        return json.dumps(value, separators=(",", ":")).encode()


class FrontPageTask(NamedTuple):
    """The front page with a document in its form.

    Attributes:
        is_checked: whether it has the diagnostics of the document, too.
    """

    document: bytes
    host: render.Host
    steps: Sequence[render.WorkflowStep]
    examples: Sequence[tuple[str, str]]
    example: str
    note: str
    is_checked: bool

    def run(self) -> bytes:
        text = self.document.decode("utf-8", "replace")
        problems = None
        if self.is_checked:
            document = read(self.document)
            text = document.text
            problems = displayed_diagnostics(document)
        page = render.front_page(
            self.host, self.steps, text=text, problems=problems, note=self.note, examples=self.examples,
            example=self.example,
        )  # fmt: skip
        return _encode(page)


class DocumentPageTask(NamedTuple):
    """The page of a document that is not stored."""

    document: bytes
    host: render.Host

    def run(self) -> bytes:
        return _encode(render.document_page(self.document, self.host))


class SpecTask(NamedTuple):
    """The content hash of a document, a line end, and its normal form; only a line end if the document is invalid."""

    document: bytes

    def run(self) -> bytes:
        document = read(self.document)
        if any(is_error(diagnostic) for diagnostic in diagnose(document)):
            return b"\n"
        assert isinstance(document.value, dict)  # noqa: S101  it is valid
        rui = json.dumps(normalize(document.value), ensure_ascii=False, separators=(",", ":"))
        return f"{content_hash(document.value)}\n{rui}".encode()


class Side(NamedTuple):
    """A document that is compared.

    Attributes:
        document: its JSON, or any bytes if it was sent.
        name: its name.
        url: the URL of its page, or ``""``.
        fields: fields for the header.
        is_sent: whether it was sent, so that it may be invalid.
    """

    document: bytes
    name: str
    url: str = ""
    fields: Sequence[render.HeaderField] = ()
    is_sent: bool = False

    def compared(self) -> ComparedDocument:
        if not self.is_sent:
            return ComparedDocument(json.loads(self.document), self.name, self.url, self.fields)
        document = read(self.document)
        problems = displayed_diagnostics(document)
        return ComparedDocument(
            document.value, self.name, problems=problems, text=document.text, is_broken=not document.valid
        )


class ComparisonTask(NamedTuple):
    """The page that compares two documents."""

    before: Side
    after: Side
    host: render.Host
    swap_url: str = ""

    def run(self) -> bytes:
        return _encode(
            comparison_page(self.before.compared(), self.after.compared(), self.host, swap_url=self.swap_url)
        )


def _encode(page: str) -> bytes:
    return page.encode("utf-8", "replace")
