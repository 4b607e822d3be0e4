"""The endpoint paths of a document. Several bindings share one, and a rename changes it in all of them."""

from __future__ import annotations

import json

from rui_common.editing.edits import Edit
from rui_common.editing.references import NameRefusedError
from rui_common.syntax.paths import value_at
from rui_common.syntax.spans import Span
from rui_common.validation.findings import Finding
from rui_common.vocabulary.lookup import schema_location
from rui_common.vocabulary.schema import ENDPOINT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Prop


def endpoint_at(document: Document, offset: int) -> Path | None:
    """The path of the property with the endpoint at an offset; None if there is none."""
    path = document.path_at(offset)
    span = document.span_of(path)
    if span is None or not span.start <= offset <= span.end:
        return None
    if _endpoint_prop(document, path) is None or not isinstance(value_at(document.value, path), str):
        return None
    return path


def endpoint_span(document: Document, path: Path) -> Span:
    """The range of an endpoint without its quotes."""
    span = document.span_of(path) or Span(0, 0)
    text = document.text[span.start : span.end]
    end = span.end - 1 if len(text) > 1 and text.endswith('"') else span.end
    return Span(span.start + 1, end)


def rename_endpoint(document: Document, path: Path, new: str) -> list[Edit]:
    """Change an endpoint wherever the document uses it.

    Args:
        path: a path from `endpoint_at`.
        new: the new endpoint.

    Raises:
        NameRefusedError: it is malformed.
    """
    prop = _endpoint_prop(document, path)
    violation = prop.kind.violation(new) if prop is not None else None
    if violation is not None:
        finding = Finding(path, violation.rule, got=new, expected=violation.expected)
        raise NameRefusedError(f"{finding.message()} {finding.hint()}")
    text = json.dumps(new, ensure_ascii=False)[1:-1]
    same = [one for one in _paths_with(document, path) if _endpoint_prop(document, one) is not None]
    return [Edit(endpoint_span(document, one), text) for one in same if document.span_of(one) is not None]


def _endpoint_prop(document: Document, path: Path) -> Prop | None:
    location = schema_location(document.value, path)
    if location is None or location.prop is None or location.prop.role != ENDPOINT:
        return None
    return location.prop


def _paths_with(document: Document, path: Path) -> Iterator[Path]:
    """The paths of all properties with the name and value of the one at `path`."""
    key = path[-1]
    wanted = value_at(document.value, path)
    pending: list[tuple[Path, object]] = [((), document.value)]
    while pending:
        here, value = pending.pop()
        if isinstance(value, dict):
            if value.get(key) == wanted:
                yield (*here, key)
            pending += [((*here, name), inner) for name, inner in value.items()]
        elif isinstance(value, list):
            pending += [((*here, index), inner) for index, inner in enumerate(value)]
