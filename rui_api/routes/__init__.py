"""The endpoints: each reads the request, calls the core or the store, and returns a response."""

from __future__ import annotations

from rui_api.routes.discovery import describe_docs, describe_schema, introduce, openapi
from rui_api.routes.home import front
from rui_api.routes.inspector import asset, compare_specs, show_spec, to_comparison
from rui_api.routes.status import health, metrics, ready

ROUTE_HANDLERS = [
    front,
    show_spec,
    compare_specs,
    to_comparison,
    asset,
    introduce,
    describe_docs,
    describe_schema,
    openapi,
    health,
    ready,
]

METRICS = metrics
"""A route only with ``--metrics on``."""
