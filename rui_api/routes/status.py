"""Endpoints for operators: process and store (docs/decisions.md, section 6)."""

from __future__ import annotations

from litestar import route

from rui_api.http.caching import NO_STORE
from rui_api.http.responses import Response, to_json
from rui_api.routes.dependencies import StoreDependency


@route("/api/health", http_method=["GET", "HEAD"])
async def get_health() -> Response:
    """Send 200: the process responds, whether or not the store does."""
    return Response(to_json({"status": "ok"}), headers=NO_STORE)


@route("/api/ready", http_method=["GET", "HEAD"])
async def get_ready(store: StoreDependency) -> Response:
    """Send 200 if a spec could be stored now, else 503."""
    await store.ready()
    return _ready()


@route("/api/ready/validation", http_method=["GET", "HEAD"])
async def get_ready_to_validate() -> Response:
    """Send 200 if a RUI could be validated now, whether or not the store answers; else 503."""
    return _ready()


def _ready() -> Response:
    return Response(to_json({"status": "ready"}), headers=NO_STORE)
