"""What changes for the data: endpoints that are added, dropped or read in another way."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rui_inspector.compare.kinds import ChangeKind
from rui_inspector.compare.matching import Pairs
from rui_inspector.compare.nodes import defined_names
from rui_inspector.model.view import Node, Request, View


class Use(NamedTuple):
    """A node that reads an endpoint, with the path to its data in the response; ``""`` for the whole response."""

    node: Node
    select: str


class UseChange(NamedTuple):
    """A use that is not the same in both documents.

    Attributes:
        before: the use in the first document, or None.
        after: the use in the second document, or None.
        other: the request that the node has instead in the other document, if the use is in one document only.
        added_fields: the names that the node reads in addition, such as keys of columns.
        dropped_fields: the names that it no longer reads.
    """

    before: Use | None
    after: Use | None
    other: Request | None = None
    added_fields: Sequence[str] = ()
    dropped_fields: Sequence[str] = ()


@dataclass(slots=True)
class EndpointChange:
    """An endpoint that is not used in the same way.

    Attributes:
        method: such as ``GET``.
        path: such as ``/api/orders``.
        kind: added, removed (no longer read) or changed.
        uses: what changes, in document order.
        kept: the number of uses that stay the same.
    """

    method: str
    path: str
    kind: ChangeKind
    uses: list[UseChange] = field(default_factory=list)
    kept: int = 0


def endpoint_changes(before: View, after: View, pairs: Pairs) -> list[EndpointChange]:
    """Return the changed endpoints in the order of their first use in the second document, dropped ones last."""
    old_uses = _uses(before)
    new_uses = _uses(after)
    changes = []
    for key in dict.fromkeys((*new_uses, *old_uses)):
        change = EndpointChange(*key, _kind(key, old_uses, new_uses))
        _compare_uses(change, old_uses.get(key, []), new_uses.get(key, []), pairs)
        if change.uses:
            changes.append(change)
    return changes


def _uses(view: View) -> dict[tuple[str, str], list[Use]]:
    uses: dict[tuple[str, str], list[Use]] = {}
    for node, request in view.requests:
        uses.setdefault((request.method, request.path), []).append(Use(node, request.select))
    return uses


def _kind(key: tuple[str, str], before: Container[tuple[str, str]], after: Container[tuple[str, str]]) -> ChangeKind:
    if key not in before:
        return ChangeKind.ADDED
    if key not in after:
        return ChangeKind.REMOVED
    return ChangeKind.CHANGED


def _compare_uses(change: EndpointChange, before: Iterable[Use], after: Iterable[Use], pairs: Pairs) -> None:
    left: dict[Node, list[Use]] = {}
    for use in before:
        left.setdefault(use.node, []).append(use)
    for use in after:
        old_node = pairs.before.get(use.node)
        candidates: list[Use] = []
        if old_node is not None:
            candidates = left.get(old_node, [])
        if not candidates:
            change.uses.append(UseChange(None, use, _replaced(use.node, old_node)))
            continue
        same = [one for one in candidates if one.select == use.select]
        old = (same or candidates)[0]
        candidates.remove(old)
        changed = _changed_use(old, use)
        if changed is None:
            change.kept += 1
        else:
            change.uses.append(changed)
    for uses in left.values():
        change.uses += [UseChange(use, None, _replaced(use.node, pairs.after.get(use.node))) for use in uses]


def _changed_use(old: Use, new: Use) -> UseChange | None:
    """Return the difference between two uses of the same endpoint by the same node; None without a difference."""
    old_names = defined_names(old.node)
    new_names = defined_names(new.node)
    added = [name for name in new_names if name not in set(old_names)]
    dropped = [name for name in old_names if name not in set(new_names)]
    if old.select == new.select and not added and not dropped:
        return None
    return UseChange(old, new, None, added, dropped)


def _replaced(node: Node, counterpart: Node | None) -> Request | None:
    """Return the request that the counterpart has and the node has not; None without a counterpart or request."""
    if counterpart is None:
        return None
    return next((request for request in counterpart.requests if request not in node.requests), None)
