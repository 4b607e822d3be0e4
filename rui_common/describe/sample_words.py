"""DATA: apps of several trades, so that the words of one example are not mistaken for the vocabulary's own.

A sketch has the names, words, paths and nodes of an app. `rui_common.describe.examples` adds the required properties.
"""

from __future__ import annotations

Sketch = dict[str, object]

BIKES: Sketch = {
    "meta": {"title": "Bike rental", "description": "Which bikes are out, and which need the workshop."},
    "navigation": {"items": [{"pageId": "today", "label": "Today"}, {"pageId": "workshop", "label": "Workshop"}]},
    "pages": [
        {"id": "today", "title": "Today", "description": "Bikes that are out, and when they come back.", "children": [
            {"id": "today-numbers", "title": "At a glance", "direction": "row", "children": [
                {"id": "bikes-out", "type": "Metric", "label": "Bikes out", "format": "number",
                 "binding": {"path": "/fleet/summary", "valuePath": "out"}},
                {"id": "next-return", "type": "Metric", "label": "Next return", "format": "text",
                 "binding": {"path": "/fleet/summary", "valuePath": "next.time"}},
            ]},
            {"id": "today-rentals", "direction": "stack", "children": [
                {"id": "rentals", "type": "Table", "title": "Rentals",
                 "binding": {"path": "/rentals?day=today", "valuePath": "result.rentals"},
                 "columns": [{"key": "bike", "label": "Bike"}, {"key": "rider", "label": "Rider"},
                             {"key": "due", "label": "Due", "type": "date"},
                             {"key": "state", "label": "State", "type": "badge"}],
                 "filter": {"field": "state", "label": "State", "options": [
                     {"value": "out", "label": "Out"}, {"value": "late", "label": "Late"}]}},
            ]},
        ]},
        {"id": "workshop", "title": "Workshop", "children": [
            {"id": "repairs-section", "direction": "stack", "children": [
                {"id": "safety-note", "type": "Text", "content": "A bike with a brake warning never leaves the yard."},
                {"id": "repairs", "type": "Table", "binding": {"path": "/workshop/repairs", "valuePath": "repairs"},
                 "columns": [{"key": "bike", "label": "Bike"}, {"key": "fault", "label": "Fault"},
                             {"key": "hours", "label": "Hours", "type": "number"}]},
            ]},
        ]},
    ],
}  # fmt: skip

FESTIVAL: Sketch = {
    "meta": {"title": "Film festival", "year": 2026},
    "navigation": {"items": [{"pageId": "programme", "label": "Programme"}]},
    "pages": [
        {"id": "programme", "title": "Programme", "children": [
            {"id": "welcome", "direction": "stack", "children": [
                {"id": "welcome-words", "type": "Text", "content": "Doors open half an hour before each screening."}]},
            {"id": "seats", "title": "Seats", "direction": "row", "children": [
                {"id": "sold", "type": "Metric", "label": "Tickets sold",
                 "binding": {"path": "/v1/tickets/stats", "valuePath": "stats.sold"}, "format": "number"},
                {"id": "favourite", "type": "Metric", "label": "Sells best",
                 "binding": {"path": "/v1/tickets/stats", "valuePath": "stats.best.film"}, "format": "text"}]},
            {"id": "screenings-section", "direction": "stack", "children": [
                {"id": "screenings", "type": "Table", "title": "Screenings",
                 "binding": {"path": "/v1/screenings"},
                 "columns": [{"key": "film", "label": "Film"}, {"key": "hall", "label": "Hall"},
                             {"key": "starts_at", "label": "Starts", "type": "date"},
                             {"key": "seats_left", "label": "Seats left", "type": "number"}],
                 "filter": {"field": "hall", "label": "Hall", "options": [
                     {"value": "1", "label": "Hall 1"}, {"value": "2", "label": "Hall 2"}]}}]},
        ]},
    ],
}  # fmt: skip

WATER: Sketch = {
    "meta": {"title": "Water works"},
    "navigation": {"items": [{"pageId": "levels", "label": "Levels"}, {"pageId": "rules", "label": "House rules"}]},
    "pages": [
        {"id": "levels", "title": "Reservoirs", "description": "Levels, measured every ten minutes.", "children": [
            {"id": "levels-section", "direction": "stack", "children": [
                {"id": "lowest", "type": "Metric", "label": "Lowest level in %", "format": "number",
                 "binding": {"path": "/telemetry/levels/lowest", "valuePath": "percent"}},
                {"id": "reservoirs", "type": "Table", "title": "All reservoirs",
                 "binding": {"path": "/telemetry/levels", "valuePath": "data.reservoirs"},
                 "columns": [{"key": "name", "label": "Reservoir"},
                             {"key": "percent", "label": "Level in %", "type": "number"},
                             {"key": "measured", "label": "Measured", "type": "date"}]},
            ]},
        ]},
        {"id": "rules", "title": "House rules", "children": [
            {"id": "rules-section", "title": "Before you open a valve", "direction": "stack", "children": [
                {"id": "rule-one", "type": "Text", "content": "Call the control room first."},
                {"id": "rule-two", "type": "Text", "content": "Never work alone near the spillway."},
            ]},
        ]},
    ],
}  # fmt: skip

SKETCHES: dict[str, Sketch] = {"bikes": BIKES, "festival": FESTIVAL, "water": WATER}
"""The sketches by name. The first is used where one example is enough."""
