"""The endpoints: each reads the request, calls the core or the store, and returns a response."""

from __future__ import annotations

from rui_api.routes.comparison import compare_specs, compare_with
from rui_api.routes.discovery import get_docs, get_llms_txt, get_openapi, get_schema
from rui_api.routes.documentation import get_api_page, get_documentation, get_rules_page, get_vocabulary_page
from rui_api.routes.home import home
from rui_api.routes.html import get_asset
from rui_api.routes.inspector import download_spec, show_spec
from rui_api.routes.playground import answer_playground
from rui_api.routes.specs import create_spec, get_stored_spec, validate_rui
from rui_api.routes.status import get_health, get_ready, get_ready_to_validate

ROUTE_HANDLERS = [
    validate_rui,
    create_spec,
    get_stored_spec,
    home,
    answer_playground,
    show_spec,
    download_spec,
    compare_specs,
    compare_with,
    get_asset,
    get_documentation,
    get_vocabulary_page,
    get_rules_page,
    get_api_page,
    get_llms_txt,
    get_docs,
    get_schema,
    get_openapi,
    get_health,
    get_ready,
    get_ready_to_validate,
]
"""All endpoints."""
