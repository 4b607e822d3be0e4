"""Semantic tokens: what a string means: a type, a name and where it is defined, one of a few words, a path."""

from __future__ import annotations

from collections import OrderedDict
from itertools import count

from rui_common.editing.traversal import DocumentTraversal
from rui_common.vocabulary.kinds import TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import Positions, range_from_lsp
from rui_lsp.protocol.framing import Encoded, encoded
from rui_lsp.scheduling.idle import Slices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rui_common.editing.traversal import TypedMember
    from rui_common.syntax.document import Document
    from rui_common.vocabulary.schema import Vocabulary
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.text_buffer import TextBuffer
    from rui_lsp.documents.workspace import Workspace

# Places in the legend that is announced: types of nodes; ids and keys, and what refers to them; other words of which
# one must be chosen; texts with a form of their own, such as the paths of bindings.
CLASS, VARIABLE, ENUM_MEMBER, PROPERTY = range(4)

DECLARATION = 1
"""The modifier where a name is defined."""

_NUMBERS = 5000
"""So many numbers are encoded at once: it takes less than half a millisecond."""

_MAX_KEPT = 32
_kept: OrderedDict[str, list[int]] = OrderedDict()
"""The tokens that were answered last, by result id; a delta is told from them."""
_numbers = count(1)


async def full(workspace: Workspace, params: Json) -> Encoded | None:
    """``textDocument/semanticTokens/full``."""
    opened = workspace.document_of(params)
    return await _encoded(_keep(await _data(opened.document, workspace)))


async def delta(workspace: Workspace, params: Json) -> Json | Encoded | None:
    """``textDocument/semanticTokens/full/delta``: one edit of the tokens before; all, if those are not known."""
    opened = workspace.document_of(params)
    before = _kept.pop(str(params.get("previousResultId")), None)
    data = await _data(opened.document, workspace)
    result = _keep(data)
    if before is None:
        return await _encoded(result)
    return {"resultId": result["resultId"], "edits": _edits(before, data)}


def part(workspace: Workspace, params: Json) -> Json | None:
    """``textDocument/semanticTokens/range``: what stands in the lines that can be seen."""
    opened = workspace.document_of(params)
    start, end = (opened.text.offset(*position) for position in range_from_lsp(params.get("range")))
    encoder = Encoder(opened.text)
    for token in tokens(opened.document, start, end):
        encoder.add(*token)
    return {"data": encoder.data}


HANDLERS = {
    "textDocument/semanticTokens/full": full,
    "textDocument/semanticTokens/full/delta": delta,
    "textDocument/semanticTokens/range": part,
}


async def _data(document: Document, workspace: Workspace) -> list[int]:
    encoder = Encoder(Positions(document, workspace.encoding))
    slices = Slices()
    for token in tokens(document, 0, len(document.text)):
        encoder.add(*token)
        if slices.is_over:
            await slices.pause()
    return encoder.data


async def _encoded(result: Json) -> Encoded:
    """A result with all tokens, encoded piece by piece."""
    data, slices = result["data"], Slices()
    assert isinstance(data, list)  # noqa: S101
    written: list[bytes] = []
    for start in range(0, len(data), _NUMBERS):
        written.append(encoded(data[start : start + _NUMBERS])[1:-1])
        if slices.is_over:
            await slices.pause()
    return Encoded(b'{"resultId":%b,"data":[%b]}' % (encoded(result["resultId"]), b",".join(written)))


def tokens(
    document: Document, start: int, end: int, vocabulary: Vocabulary = VOCABULARY
) -> Iterator[tuple[int, int, int, int]]:
    """The tokens of a part of a document in text order: (start, end, type, modifiers), quotes left out.

    Args:
        document: the document, broken or not.
        start: what ends before this offset is passed over.
        end: what begins behind this offset is passed over.
        vocabulary: what gives strings their meaning.
    """
    tour = DocumentTraversal(document, vocabulary)
    waiting = [] if tour.root is None else [iter((tour.root,))]
    while waiting:
        placed = next(waiting[-1], None)
        if placed is None or placed.start >= end:
            waiting.pop()
        elif placed.end <= start:
            continue
        elif isinstance(placed.value, str):
            yield from _token(placed, document.text)
        else:
            waiting.append(tour.inside(placed, tour.shape_of(placed)))


def _token(placed: TypedMember, text: str) -> Iterator[tuple[int, int, int, int]]:
    meaning = _meaning(placed)
    if meaning is None:
        return
    start, end = placed.start, placed.end
    if text[start] == '"':
        start += 1
        if end > start and text[end - 1] == '"':
            end -= 1
    if end > start and "\n" not in text[start:end] and "\r" not in text[start:end]:
        yield (start, end, *meaning)


def _meaning(placed: TypedMember) -> tuple[int, int] | None:
    prop, kind, owner = placed.prop, placed.kind, placed.owner
    if prop is None:
        return None
    if prop.defines is not None:
        return VARIABLE, DECLARATION
    if prop.uses is not None:
        return VARIABLE, 0
    if placed.value in kind.values:
        is_type = owner is not None and owner.is_node and kind.values == (owner.name,)
        return (CLASS if is_type else ENUM_MEMBER), 0
    return (PROPERTY, 0) if isinstance(kind, TextKind) and kind.pattern is not None else None


class Encoder:
    """Writes tokens as LSP does: five numbers each, lines and characters counted from the token before."""

    def __init__(self, positions: Positions | TextBuffer) -> None:
        self.data: list[int] = []
        self._positions = positions
        self._line = self._character = 0

    def add(self, start: int, end: int, sort: int, modifiers: int) -> None:
        """Add a token behind all others."""
        line, character = self._positions.position(start)
        length = self._positions.position(end)[1] - character
        if (line, character) < (self._line, self._character):
            return  # A value that stands before what was repaired around it; there is no order to keep.
        before = self._character if line == self._line else 0
        self.data += (line - self._line, character - before, length, sort, modifiers)
        self._line, self._character = line, character


def _keep(data: list[int]) -> Json:
    result_id = str(next(_numbers))
    _kept[result_id] = data
    while len(_kept) > _MAX_KEPT:
        _kept.popitem(last=False)
    return {"resultId": result_id, "data": data}


def _edits(before: list[int], after: list[int]) -> list[Json]:
    """The one change that makes `after` of `before`, in whole tokens."""
    if before == after:
        return []
    shorter = min(len(before), len(after)) // 5
    start = _common(lambda size: before[: 5 * size] == after[: 5 * size], shorter)
    behind = _common(
        lambda size: before[len(before) - 5 * size :] == after[len(after) - 5 * size :], shorter - start
    )  # fmt: skip
    change: Json = {"start": 5 * start, "deleteCount": len(before) - 5 * (start + behind)}
    new = after[5 * start : len(after) - 5 * behind]
    return [{**change, "data": new} if new else change]


def _common(is_common: Callable[[int], bool], most: int) -> int:
    """The largest number of tokens, up to `most`, that are the same."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if is_common(middle):
            low = middle
        else:
            high = middle - 1
    return low
