"""Peers of the service in Python: POST /api/validate with FastAPI and pydantic, and a plain store with aiosqlite.

`app` is FastAPI as it comes; `equipped_app` has what an operator would add to it: the id of the request, metrics, CORS
and a JSON log.

`python -m benchmarks.peers` is `rui serve` with that store.
"""

from __future__ import annotations

import asyncio
import collections
import json
import logging
import os
import sys
import time
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import uuid4

import aiosqlite
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from prometheus_client import Counter, Histogram
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rui_api import app as service
from rui_api.commands import serve
from rui_api.store import factory
from rui_api.store.base import StoredSpec
from rui_api.store.schema import SQLITE_VERSIONS
from rui_api.store.sqlite import INSERT, PRAGMAS, SELECT
from rui_api.store.url import sqlite_path

TUNED = "PEER_TUNED"
"""An environment variable: the plain store uses our pragmas, a write-ahead log with one sync per commit.

Without it, SQLite's defaults are as durable: a rollback journal and ``synchronous=FULL``, several syncs per commit.
"""

# The contract in pydantic, with rules and references, in the style of its documentation -----------------------------

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", min_length=1, max_length=64)]
ValuePath = Annotated[str, Field(pattern=r"^[\w-]+(\.[\w-]+)*$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Open(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class Binding(Strict):
    type: Literal["read"]
    method: Literal["GET"]
    path: Annotated[str, Field(pattern="^/")]
    valuePath: ValuePath | None = None


class MetricBinding(Binding):
    valuePath: ValuePath


class Metric(Strict):
    id: Id
    type: Literal["Metric"]
    label: str
    binding: MetricBinding
    format: Literal["number", "text"] = "number"


class Column(Open):
    key: str


class Filter(Open):
    field: str


class Table(Strict):
    id: Id
    type: Literal["Table"]
    title: str = ""
    binding: Binding
    columns: Annotated[list[Column], Field(min_length=1)]
    filter: Filter | None = None

    @model_validator(mode="after")
    def names(self) -> Table:
        keys = {column.key for column in self.columns}
        if len(keys) != len(self.columns):
            raise ValueError("INVALID_COLUMNS")
        if self.filter is not None and self.filter.field not in keys:
            raise ValueError("INVALID_FILTER_FIELD")
        return self


class Text(Strict):
    id: Id
    type: Literal["Text"]
    content: str


Block = Annotated[Metric | Table | Text, Field(discriminator="type")]


class Section(Strict):
    id: Id
    type: Literal["Section"]
    title: str = ""
    direction: Literal["stack", "row"]
    children: Annotated[list[Block], Field(min_length=1)]


class Page(Strict):
    id: Id
    type: Literal["Page"]
    title: str
    description: str = ""
    children: Annotated[list[Section], Field(min_length=1)]


class Item(Open):
    pageId: str


class Navigation(Strict):
    items: Annotated[list[Item], Field(min_length=1)]


class Rui(Strict):
    version: Literal["0.1"]
    meta: Open
    navigation: Navigation
    pages: Annotated[list[Page], Field(min_length=1)]

    @model_validator(mode="after")
    def references(self) -> Rui:
        ids = [page.id for page in self.pages]
        pages, linked = set(ids), {item.pageId for item in self.navigation.items}
        for page in self.pages:
            for section in page.children:
                ids.append(section.id)
                ids += [block.id for block in section.children]
        if any(count > 1 for count in collections.Counter(ids).values()):
            raise ValueError("DUPLICATE_ID")
        if linked - pages:
            raise ValueError("INVALID_NAV_PAGE_ID")
        if pages - linked:
            raise ValueError("ORPHAN_PAGE")
        return self


REQUESTS = Counter("peer_requests", "Requests.", ["route", "method", "status"])
SECONDS = Histogram("peer_request_duration_seconds", "Durations of requests.", ["route", "method"])

# FastAPI ------------------------------------------------------------------------------------------------------------

app = FastAPI()


class Valid(BaseModel):
    valid: bool = True
    validationVersion: str = "0.1"
    registryVersion: str = "0.1"
    normalizedRui: Rui


@app.post("/api/validate", response_model_exclude_unset=True)
async def validate(rui: Rui) -> Valid:
    return Valid(valid=True, validationVersion="0.1", registryVersion="0.1", normalizedRui=rui)


@app.exception_handler(RequestValidationError)
async def invalid(_: Request, fault: RequestValidationError) -> JSONResponse:
    errors = [
        {"path": ".".join(map(str, error["loc"][1:])), "code": error["type"], "message": error["msg"], "hint": ""}
        for error in fault.errors()[:50]
    ]
    return JSONResponse({"valid": False, "errors": errors, "truncated": len(fault.errors()) > 50})


class Observed:
    """ASGI middleware with an id, metrics and a log line for each request, as the usual packages for FastAPI have."""

    def __init__(self, application: ASGIApp) -> None:
        self._app = application
        self._log = logging.getLogger("peer")
        self._log.setLevel(logging.INFO)
        self._log.propagate = False
        handler = logging.StreamHandler()
        handler.setFormatter(JsonLines())
        self._log.addHandler(handler)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        id_ = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1") or uuid4().hex
        status = 500

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = id_
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "other")
            REQUESTS.labels(route, scope["method"], str(status)).inc()
            SECONDS.labels(route, scope["method"]).observe(seconds)
            fields = {
                "method": scope["method"],
                "path": scope["path"],
                "status": status,
                "ms": round(seconds * 1000, 3),
                "client": scope["client"][0],
                "id": id_,
            }
            self._log.info("request", extra={"fields": fields})


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "logger": record.name,
            **vars(record)["fields"],
        }
        return json.dumps(line)


def equipped_app() -> FastAPI:
    """Return `app` with what an operator would add."""
    app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["GET", "POST"], allow_headers=["*"])
    app.add_middleware(Observed)
    return app


# aiosqlite ----------------------------------------------------------------------------------------------------------


class AiosqliteStore:
    """One transaction per spec, durable before the response.

    Statements run in autocommit mode, with one round trip to the thread; execute and commit would take two.
    A connection shared without autocommit is no peer: tasks then end each other's transactions.
    """

    def __init__(self, url: str) -> None:
        self._path = sqlite_path(url)
        self._opened: aiosqlite.Connection | None = None
        self._opening = asyncio.Lock()

    async def store(self, spec: StoredSpec) -> None:
        connection = await self._connection()
        await connection.execute(INSERT, spec)

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        connection = await self._connection()
        async with connection.execute(SELECT, (spec_id,)) as cursor:
            row = await cursor.fetchone()
        return None if row is None else StoredSpec(*row)

    async def ready(self) -> None:
        await self._connection()

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _connection(self) -> aiosqlite.Connection:
        async with self._opening:
            if self._opened is None:
                connection = await aiosqlite.connect(self._path, isolation_level=None)
                for statement in (*(PRAGMAS if TUNED in os.environ else ()), *SQLITE_VERSIONS):
                    await connection.execute(statement)
                self._opened = connection
        return self._opened


if __name__ == "__main__":
    service.open_store = lambda url, _: AiosqliteStore(url)
    factory.prepare_store = lambda _: factory.Prepared(None)
    sys.exit(serve.main())
