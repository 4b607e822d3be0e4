"""Is the process up, does the store answer? For whoever runs the service (docs/decisions.md, section 6)."""

from __future__ import annotations

import asyncio

from litestar import route

from rui_api.http.responses import Response, to_json
from rui_api.observability.worker_metrics import Sources
from rui_api.routes.html import AnyRequest
from rui_api.store.base import Store
from rui_common.http_contract.endpoints import METRICS


@route("/api/health", http_method=["GET", "HEAD"])
async def health() -> Response:
    """200 while the process answers at all, whatever the store does."""
    return Response(to_json({"status": "ok"}))


@route("/api/ready", http_method=["GET", "HEAD"])
async def ready(request: AnyRequest) -> Response:
    """200 when a spec could be stored now, else 503."""
    store: Store = request.app.state.store
    await store.ready()
    return Response(to_json({"status": "ready"}))


@route("/metrics", http_method=["GET", "HEAD"])
async def metrics(request: AnyRequest) -> Response:
    """The numbers of all workers, for Prometheus."""
    sources: Sources = request.app.state.sources
    return Response(await asyncio.to_thread(sources.exposition), media_type=METRICS)
