"""Hover in requests: the operation, a value of its response, or a property of its rows."""

from __future__ import annotations

from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_openapi.description.api import Api
from rui_openapi.description.operations import READ_METHOD, Operation
from rui_openapi.description.schemas import Facts
from rui_openapi.editing.blocks import Part, part_at

MAX_SHOWN = 12
"""Properties of an object, and values of an enum, that are listed."""

MAX_DOC = 600
"""Characters of a description."""


def api_hover(document: Document, path: Path, api: Api) -> str | None:
    """Return what a description knows of the text at a path, as Markdown; None if that is little or no text."""
    found = part_at(document.value, path)
    text = value_at(document.value, path)
    operation = None if found is None else found.block.operation(api)
    if found is None or operation is None or not isinstance(text, str):
        return None
    if found.part is Part.ENDPOINT:
        return _operation_text(api, operation)
    row = found.block.row(api)
    facts = None
    if found.part is Part.SELECT:
        facts = api.place(operation, text).facts
    elif found.part is Part.FIELD and row is not None:
        facts = api.field(row, text)
    if facts is None:
        return None
    title = f"**{_plain(text)}**: {_type_text(api, facts)}"
    return f"{title}\n\n{_shortened(facts.doc)}".rstrip()


def _operation_text(api: Api, operation: Operation) -> str:
    title = f"**{READ_METHOD.upper()} {_plain(operation.path)}**"
    if operation.summary:
        title = f"{title}: {_plain(operation.summary)}"
    parts = [title]
    if operation.doc and operation.doc != operation.summary:
        parts.append(_shortened(operation.doc))
    response = api.response(operation)
    parts.append(f"Response: {'no schema.' if response.is_unknown else _type_text(api, response)}")
    return "\n\n".join(parts)


def _type_text(api: Api, facts: Facts) -> str:
    """Return the type of a value, with the properties of an object or of the elements of a list."""
    text = facts.type_text()
    if facts.formats:
        text = f"{text} ({', '.join(sorted(facts.formats))})"
    if facts.values:
        shown = ", ".join(_code(str(value)) for value in facts.values[:MAX_SHOWN])
        if len(facts.values) > MAX_SHOWN:
            shown += "…"
        return f"{text}: {shown}"
    inner = facts
    if facts.may_be_list and facts.items:
        inner = api.row(facts)
        text = f"{text}; each element is {inner.type_text()}"
    if inner.properties:
        names = [_code(name) for name in inner.properties]
        text = f"{text} with {', '.join(names[:MAX_SHOWN])}"
        if len(names) > MAX_SHOWN:
            text = f"{text} and {len(names) - MAX_SHOWN} more"
    return text


def _code(text: str) -> str:
    """Return a text as code in Markdown."""
    return f"`{text.replace('`', chr(39))}`"


def _plain(text: str) -> str:
    """Return a text of one line that is no markup in Markdown."""
    escaped = "".join(f"\\{character}" if character in "\\`*_{}[]<>|" else character for character in text)
    return " ".join(escaped.split())


def _shortened(text: str) -> str:
    text = text.strip()
    if len(text) <= MAX_DOC:
        return text
    return f"{text[:MAX_DOC].rstrip()}…"
