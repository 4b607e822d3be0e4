"""The events of the validator other than findings: names, valid nodes, and the slots of pages."""

from __future__ import annotations

from collections import namedtuple

from rui_common.syntax.paths import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from rui_common.syntax.paths import Path
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.kinds import NodeKind
    from rui_common.vocabulary.schema import Symbol

    Event: TypeAlias = "Finding | Mention | ValidNodes | PageSlot"


class Mention(namedtuple("Mention", ("symbol", "name", "path", "is_use"))):
    """A definition or a use of a name whose scope is the document."""

    __slots__ = ()
    symbol: Symbol
    name: str
    path: Path
    is_use: bool


class ValidNodes:
    """Consecutive elements of a list, or a single node, that the fast check has accepted.

    Attributes:
        symbol: the symbol that the ids define.
        ids: the ids of the nodes and of those below them, in order.
        kind: the kind of the nodes.
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
        first: int | None = None,
    ) -> None:
        """Create the event.

        Args:
            symbol, ids, kind: see above.
            values: the nodes.
            path: the path of the list, or of the single node.
            first: the index of the first node in the list; None for a single node.
        """
        self.symbol = symbol
        self.ids = ids
        self.kind = kind
        self._values = values
        self._path = path
        self._first = first

    def __repr__(self) -> str:
        return f"ValidNodes({self.ids!r}, {format_path(self._path)!r})"

    @property
    def nodes(self) -> Iterator[tuple[object, Path]]:
        """Each node with its path."""
        if self._first is None:
            yield self._values[0], self._path
            return
        for index, value in enumerate(self._values, self._first):
            yield value, (*self._path, index)


class PageSlot:
    """The position of one page in the report of the document shell.

    Attributes:
        kind: the kind of the page.
        element: the page.
        path: its path.
    """

    __slots__ = ("element", "kind", "path")

    def __init__(self, kind: NodeKind, element: object, path: Path) -> None:
        self.kind = kind
        self.element = element
        self.path = path
