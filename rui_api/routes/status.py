"""Endpoints for operators: process and store (docs/decisions.md, section 6)."""

from __future__ import annotations

from litestar import Response, route

from rui_api.http.responses import NO_STORE
from rui_api.routes.dependencies import GET, StoreDependency


@route("/api/health", http_method=GET)
async def get_health() -> Response[dict[str, str]]:
    """Send 200: the process responds, whether or not the store does."""
    return Response({"status": "ok"}, headers=NO_STORE)


@route("/api/ready", http_method=GET)
async def get_ready(store: StoreDependency) -> Response[dict[str, str]]:
    """Send 200 if a spec could be stored now, else 503."""
    await store.ready()
    return Response({"status": "ready"}, headers=NO_STORE)
