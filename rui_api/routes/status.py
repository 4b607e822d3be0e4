"""Endpoints for operators: process, store and metrics (docs/decisions.md, section 6)."""

from __future__ import annotations

import asyncio

from litestar import route

from rui_api.http.caching import NO_STORE
from rui_api.http.error_responses import stopping
from rui_api.http.responses import Response, to_json
from rui_api.observability.telemetry import Telemetry
from rui_api.routes.html import AnyRequest
from rui_api.store.base import Store
from rui_common.http_contract.endpoints import METRICS


@route("/api/health", http_method=["GET", "HEAD"])
async def get_health() -> Response:
    """Send 200: the process responds, whether or not the store does."""
    return Response(to_json({"status": "ok"}), headers=NO_STORE)


@route("/api/ready", http_method=["GET", "HEAD"])
async def get_ready(request: AnyRequest) -> Response:
    """Send 200 if a spec could be stored now, else 503."""
    if _is_draining(request):
        return stopping()
    store: Store = request.app.state.store
    await store.ready()
    return _ready()


@route("/api/ready/validation", http_method=["GET", "HEAD"])
async def get_ready_to_validate(request: AnyRequest) -> Response:
    """Send 200 if a RUI could be validated now, whether or not the store answers; else 503."""
    if _is_draining(request):
        return stopping()
    return _ready()


def _is_draining(request: AnyRequest) -> bool:
    telemetry: Telemetry = request.app.state.telemetry
    return telemetry.is_draining


def _ready() -> Response:
    return Response(to_json({"status": "ready"}), headers=NO_STORE)


@route("/metrics", http_method=["GET", "HEAD"])
async def get_metrics(request: AnyRequest) -> Response:
    """Send the metrics of all workers for Prometheus."""
    telemetry: Telemetry = request.app.state.telemetry
    return Response(await asyncio.to_thread(render_metrics, telemetry), media_type=METRICS, headers=NO_STORE)


def render_metrics(telemetry: Telemetry) -> bytes:
    """Return the metrics of all workers in Prometheus's text format. It may wait a second for each worker."""
    from rui_api.observability.prometheus import exposition, service_registry  # noqa: PLC0415  slow to load

    return exposition(service_registry(telemetry))
