"""The parts of a document that are read by themselves, and what is kept of each for as long as there is that part.

Such a part outlives edits elsewhere in the text (`incremental`), so what was found in it need not be looked for
again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path


def parts(document: Document) -> Iterator[tuple[Path, Document | None, object]]:
    """What a document consists of: each part's path, its document and its value.

    The first is what is around all others, with nothing in their places; it has no document of its own.
    """
    pieces = list(document.pieces())
    yield (), None, _without(document.value, [path for path, _, _ in pieces])
    for path, piece, _ in pieces:
        yield path, piece, piece.value


def _without(value: object, paths: list[Path]) -> object:
    """The same value with nothing at some paths; what is beside the ways there is not copied."""
    if () in paths:
        return None
    if not paths:
        return value
    below: dict[Any, list[Path]] = {}
    for path in paths:
        below.setdefault(path[0], []).append(path[1:])
    copy: Any = value.copy() if isinstance(value, dict | list) else value
    for step, rest in below.items():
        copy[step] = _without(copy[step], rest)
    return copy
