"""What the playground process does: functions that return bytes. The documents may be hostile."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, is_error
from rui_inspector.html import pages as render
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from rui_inspector.html.playground import Selection, answer
from rui_inspector.model.problems import displayed_diagnostics


def answer_editor(action: str, text: str, start: tuple[int, int], end: tuple[int, int]) -> bytes:
    """Return the answer to a request of the editor, in JSON."""
    return json.dumps(answer(action, text, Selection(start, end)), separators=(",", ":")).encode()


def front_page(
    document: bytes,
    host: render.Host,
    *,
    steps: Sequence[Mapping[str, object]],
    examples: Sequence[tuple[str, str]],
    example: str,
    note: str = "",
    is_checked: bool = False,
) -> bytes:
    """Return the front page with a document in its form, and with the diagnostics of one that is checked."""
    text = document.decode("utf-8", "replace")
    problems = None
    if is_checked:
        checked = read(document)
        text = checked.text
        problems = displayed_diagnostics(checked)
    return _encode(
        render.front_page(host, steps, text=text, problems=problems, note=note, examples=examples, example=example)
    )


def document_page(document: bytes, host: render.Host) -> bytes:
    """Return the page of a document that is not stored."""
    return _encode(render.document_page(document, host))


def hash_and_normalize(document: bytes) -> bytes:
    """Return the content hash, a line end, and the normal form; only a line end if the document is invalid."""
    parsed = read(document)
    if any(is_error(diagnostic) for diagnostic in diagnose(parsed)):
        return b"\n"
    assert isinstance(parsed.value, dict)  # noqa: S101  it is valid
    rui = json.dumps(normalize(parsed.value), ensure_ascii=False, separators=(",", ":"))
    return f"{content_hash(parsed.value)}\n{rui}".encode()


class Side(NamedTuple):
    """A document that is compared: a stored one, or any bytes that were sent, which may be invalid."""

    document: bytes
    name: str
    url: str = ""
    fields: Sequence[render.HeaderField] = ()
    is_sent: bool = False


def compare(before: Side, after: Side, host: render.Host, swap_url: str = "") -> bytes:
    """Return the page that compares two documents."""
    return _encode(comparison_page(_compared(before), _compared(after), host, swap_url=swap_url))


def _compared(side: Side) -> ComparedDocument:
    if not side.is_sent:
        return ComparedDocument(json.loads(side.document), side.name, side.url, side.fields)
    document = read(side.document)
    problems = displayed_diagnostics(document)
    return ComparedDocument(
        document.value, side.name, problems=problems, text=document.text, is_broken=not document.valid
    )


def _encode(page: str) -> bytes:
    return page.encode("utf-8", "replace")
