"""A comparison as a JSON object on a line; for folders, an object for each document.

============== =========================================================================================
``same``       whether content and number of errors are the same
``before``     the first document: ``file`` (null if there is none), ``title``, ``errors``
``after``      the second document, likewise
``endpoints``  changed endpoints: ``kind`` (added, removed, changed), ``method``, ``path``, and ``uses``: objects
               with ``before``, ``after`` (null, or ``select`` and the node), ``addedFields``, ``droppedFields``
``nodes``      changed nodes: ``kinds`` (added, removed, changed, moved), ``before``, ``after`` (null, or ``id``,
               ``type``, ``path``, ``place`` in words), ``innerCount`` and ``properties``
``properties`` changed properties of the document itself; each has ``name``, and ``before`` and ``after`` if present
============== =========================================================================================

Later versions may add properties; they do not rename or remove any.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rui_cli.diff_result import DiffResult, Version
from rui_cli.output import Style
from rui_inspector.compare.comparison import Comparison, NodeChange
from rui_inspector.compare.endpoints import EndpointChange, Use
from rui_inspector.compare.properties import ABSENT, Change
from rui_inspector.model.view import Node

IS_TEXT = False


def render(results: Iterable[DiffResult], style: Style) -> Iterator[str]:
    """Yield one object a line."""
    del style
    for result in results:
        yield json.dumps(_result(result), ensure_ascii=False) + "\n"


def _result(result: DiffResult) -> dict[str, object]:
    comparison = result.comparison
    return {
        "same": result.is_same,
        "before": _version(result.before),
        "after": _version(result.after),
        "endpoints": [_endpoint(comparison, change) for change in comparison.endpoints],
        "nodes": [_node_change(comparison, change) for change in comparison.nodes],
        "properties": [_property(change) for change in comparison.root],
    }


def _version(version: Version) -> dict[str, object]:
    name = version.name if version.data is not None else None
    return {"file": name, "title": version.view.title, "errors": version.error_count}


def _endpoint(comparison: Comparison, change: EndpointChange) -> dict[str, object]:
    uses = [
        {
            "before": _use(comparison, use.before),
            "after": _use(comparison, use.after),
            "addedFields": list(use.added_fields),
            "droppedFields": list(use.dropped_fields),
        }
        for use in change.uses
    ]
    return {"kind": change.kind.value, "method": change.method, "path": change.path, "uses": uses}


def _use(comparison: Comparison, use: Use | None) -> dict[str, object] | None:
    if use is None:
        return None
    return {"select": use.select, **_node(comparison, use.node)}


def _node(comparison: Comparison, node: Node) -> dict[str, object]:
    return {"id": node.id, "type": node.type, "path": node.path, "place": comparison.place(node)}


def _node_change(comparison: Comparison, change: NodeChange) -> dict[str, object]:
    sides = {
        name: None if node is None else _node(comparison, node)
        for name, node in (("before", change.before), ("after", change.after))
    }
    return {
        "kinds": [kind.value for kind in change.kinds],
        **sides,
        "innerCount": change.inner_count,
        "properties": [_property(one) for one in change.properties],
    }


def _property(change: Change) -> dict[str, object]:
    values = {"before": change.before, "after": change.after}
    return {"name": change.name, **{name: value for name, value in values.items() if value is not ABSENT}}
