"""What an API description states about the blocks of a document, as GitHub-flavoured Markdown for a pull request."""

from collections.abc import Iterator, Mapping, Sequence

from rui_common.grounding import Grounding, StatedValue
from rui_inspector.escape import escape_markdown
from rui_inspector.html.wireframe import UNMATCHED, UNTITLED
from rui_inspector.model.view import View, ViewNode
from rui_inspector.model.wireframe import Part, wireframe_of

MAX_NODES = 2_000
MAX_LINES = 200
"""Blocks of a document that are listed. GitHub limits the size of a summary."""


def wireframe_markdown(view: View, grounding: Grounding, unmatched: Mapping[ViewNode, Sequence[str]], name: str) -> str:
    """Return a section with a table: each block that requests data, where that is stated, and the examples.

    Args:
        grounding: what the API description states.
        unmatched: sentences on the bindings of nodes that are not in the description.
        name: the name of the file.
    """
    lines = [f"### {escape_markdown(view.title or UNTITLED)}", "", escape_markdown(name), ""]
    lines += [f"**{grounding.text() or 'No binding, or no OpenAPI description'}.**", ""]
    wireframe = wireframe_of(view, MAX_NODES, grounding=grounding)
    blocks = [part for screen in wireframe.screens for part in _blocks(screen.part)]
    if blocks and grounding.bindings:
        lines += ["| Block | Data | In the description |", "| --- | --- | --- |"]
        for part in blocks[:MAX_LINES]:
            stated = "<br>".join(_stated(part, unmatched.get(part.node, ())))
            lines.append(f"| {_block(part)} | {_data(part)} | {stated} |")
        if len(blocks) > MAX_LINES:
            lines += ["", f"and {len(blocks) - MAX_LINES:,} more"]
    return "\n".join([*lines, ""])


def _blocks(part: Part) -> Iterator[Part]:
    if part.node.requests:
        yield part
    for inner in part.parts:
        yield from _blocks(inner)


def _block(part: Part) -> str:
    label = ""
    if part.node.label:
        label = f" **{escape_markdown(part.node.label)}**"
    return f"{escape_markdown(part.node.type)}{label}"


def _data(part: Part) -> str:
    requests = [
        f"{request.method} {request.path} → {request.select or 'the whole response'}" for request in part.node.requests
    ]
    return "<br>".join(map(escape_markdown, requests))


def _stated(part: Part, unmatched: Sequence[str]) -> Iterator[str]:
    for text in unmatched:
        yield f"❌ **{UNMATCHED}** {escape_markdown(text)}"
    if part.operation:
        yield escape_markdown(part.operation)
    if part.value is not None and part.value.stated is not None:
        yield _value("", part.value.stated)
    for label, value in [cell for cells in part.lists for cell in cells.cells]:
        if value is not None and value.stated is not None:
            yield _value(f"{label}: ", value.stated)


def _value(start: str, stated: StatedValue) -> str:
    examples = ", ".join(filter(None, stated.examples))
    note = f"({stated.note})"
    return escape_markdown(f"{start}{examples} {note}" if examples else f"{start}{note}")
