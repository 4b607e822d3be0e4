"""The endpoints: each reads the request, asks the core or the store, and gives a reply."""

from __future__ import annotations

from rui_api.routes.discovery import describe_docs, describe_schema, introduce, openapi
from rui_api.routes.home import front
from rui_api.routes.inspector import asset, compare_specs, show_spec, to_comparison
from rui_api.routes.specs import create_spec, retrieve_spec, validate_rui
from rui_api.routes.status import health, metrics, ready

ENDPOINTS = [
    validate_rui,
    create_spec,
    retrieve_spec,
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

METRICS = [metrics]
"""For whoever watches the service, if they are not served elsewhere."""
