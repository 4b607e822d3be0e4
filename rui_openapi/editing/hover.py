"""Hover in requests: the operation, a value of its response, or a property of its rows."""

from rui_common.syntax.paths import Path, value_at
from rui_common.texts import shorten
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.schema import Role
from rui_openapi.bindings import block_at
from rui_openapi.description.api import Api
from rui_openapi.description.operations import Operation
from rui_openapi.description.schemas import Facts

MAX_SHOWN = 12  # properties of an object, and values of an enum, that are listed
MAX_DOC = 600  # characters of a description


def api_hover(analysis: Analysis, path: Path, api: Api) -> str | None:
    """Return what a description knows of the text at a path, as Markdown; None if that is little or no text."""
    block = block_at(analysis, path)
    text = value_at(analysis.document.value, path)
    if block is None or not isinstance(text, str):
        return None
    operation = api.operation(block.endpoint.value)
    if operation is None:
        return None
    role = block.role_of(path)
    if role is Role.ENDPOINT:
        return _operation_text(api, operation)
    row = block.row(api)
    facts = None
    if role is Role.SELECT:
        facts = api.value(api.response(operation), text)
    elif role is Role.FIELD and row is not None:
        facts = api.field(row, text)
    if facts is None:
        return None
    return f"**{_escape_markdown(text)}**: {_type_text(api, facts)}\n\n{shorten(facts.doc, MAX_DOC)}".rstrip()


def _operation_text(api: Api, operation: Operation) -> str:
    title = f"**GET {_escape_markdown(operation.path)}**"
    if operation.summary:
        title = f"{title}: {_escape_markdown(operation.summary)}"
    response = f"Response: {_type_text(api, api.response(operation))}"
    return "\n\n".join(filter(None, [title, shorten(operation.doc, MAX_DOC), response]))


def _type_text(api: Api, facts: Facts) -> str:
    """Return the type of a value, with the properties of an object or of the elements of a list."""
    text = facts.type_text()
    if facts.formats:
        text = f"{text} ({', '.join(sorted(facts.formats))})"
    if facts.values:
        return f"{text}: {_codes([str(value) for value in facts.values])}"
    inner = facts
    if facts.may_be_list and facts.items:
        inner = api.row(facts)
        text = f"{text}; each element is {inner.type_text()}"
    if inner.properties:
        return f"{text} with {_codes([*inner.properties])}"
    return text


def _codes(names: list[str]) -> str:
    """Return names as code in Markdown, and how many are left out."""
    shown = ", ".join("`" + name.replace("`", "'") + "`" for name in names[:MAX_SHOWN])
    if len(names) > MAX_SHOWN:
        return f"{shown} and {len(names) - MAX_SHOWN} more"
    return shown


def _escape_markdown(text: str) -> str:
    escaped = "".join(f"\\{character}" if character in "\\`*_{}[]<>|" else character for character in text)
    return " ".join(escaped.split())
