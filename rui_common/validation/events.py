"""What the walk says of a value, beside findings: names, nodes that are plainly valid, and where pages stand."""

from __future__ import annotations

from rui_common.syntax.paths import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from rui_common.syntax.paths import Path
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.kinds import NodeKind
    from rui_common.vocabulary.schema import Symbol

    # A name of document-wide scope: the symbol, the name, its path, and whether it is a use.
    Mention = tuple[Symbol, str, Path, bool]
    Event: TypeAlias = "Finding | Mention | Plain | PageSlot"


class Plain:
    """Nodes that are plainly valid, with all that is in them, one behind the other in one list; or a single one.

    Attributes:
        symbol: what the ids define.
        ids: the ids of the nodes and of those below them, in order.
        nodes: the nodes, each with its path; made when somebody asks.
        kind: what they may be: with the nodes, enough to walk them after all.
    """

    __slots__ = ("_first", "_path", "_values", "ids", "kind", "symbol")

    def __init__(
        self,
        symbol: Symbol,
        ids: list[str],
        values: Sequence[object],
        path: Path,
        kind: NodeKind,
        *,
        first: int = -1,
    ) -> None:
        self.symbol = symbol
        self.ids = ids
        self.kind = kind
        self._values = values
        self._path = path
        self._first = first

    def __repr__(self) -> str:
        return f"Plain({self.ids!r}, {format_path(self._path)!r})"

    @property
    def nodes(self) -> Iterator[tuple[object, Path]]:
        """Each node with its path."""
        for index, value in enumerate(self._values):
            yield value, self._path if self._first < 0 else (*self._path, self._first + index)


class PageSlot:
    """Stands in the report of the head for one page: the element, what it may be, and its path."""

    __slots__ = ("element", "kind", "path")

    def __init__(self, kind: NodeKind, element: object, path: Path) -> None:
        self.kind = kind
        self.element = element
        self.path = path
