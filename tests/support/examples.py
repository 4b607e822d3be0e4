"""The example of the README, and documents of which nothing may be expected."""

import json
from pathlib import Path

DESK = json.loads((Path(__file__).parents[2] / "examples" / "order-desk.rui.json").read_text())


BLOCK = {"id": "b", "type": "Text", "content": "c"}

BROKEN: list[dict[str, object]] = [
    {}, {"pages": None}, {"pages": {}}, {"pages": []}, {"pages": [1, "a", None, [BLOCK]]},
    {"extra": [[], {}, [[[[1]]]]]}, {"a": [1, {"b": None}]}, {"meta": {"title": ["x"], "description": 1}},
    {"pages": [{"children": [{"children": [BLOCK, 3]}]}]}, {"pages": [BLOCK, BLOCK]}, {"navigation": [], "meta": 7},
    {"pages": [{"id": 1, "type": 2, "title": 3}]}, {"pages": [{"id": "", "type": "", "title": ""}]},
    {"pages": [{"id": "a b<", "type": "Pgae", "children": [BLOCK]}]}, {"navigation": {"items": [1, {}, {"pageId": 2}]}},
    {"navigation": {"items": [{"pageId": 2, "label": [1]}]}},
    {"pages": [{"type": "Page", "id": "p", "children": [{"type": "Section", "direction": ["row"], "children": [
        {"type": "Metric", "binding": "x"}, {"type": "Metric", "binding": {"method": "GET", "path": 1}},
        {"type": "Table", "binding": {"method": "PUT", "path": "p", "body": {"a": [1]}}, "columns": ["k", {}, None]},
        {"type": "Table", "columns": {}, "filter": [1]},
        {"type": "Table", "filter": {"field": {}, "options": [[1], 2]}},
        {"type": "Button", "children": [BLOCK], "fields": [{"name": "x"}]},
    ]}]}]},
]  # fmt: skip
