"""What the service says about itself (specification, section 4.5; docs/decisions.md, section 6)."""

from __future__ import annotations

from functools import cache

from litestar import route

from rui_api.address import base_url
from rui_api.negotiation import prefers_markdown
from rui_api.openapi import openapi_document
from rui_api.replies import Reply, to_json
from rui_api.routes.specs import AnyRequest
from rui_common.describe import docs_markdown, docs_payload, llms_txt, vocabulary_payload
from rui_common.describe.contracts import MARKDOWN, TEXT


@route("/llms.txt", http_method=["GET", "HEAD"])
async def introduce(request: AnyRequest) -> Reply:
    """Where an agent begins."""
    return Reply(llms_txt(base_url(request)).encode(), media_type=TEXT)


@route("/api/docs", http_method=["GET", "HEAD"])
async def describe_docs(request: AnyRequest) -> Reply:
    """Workflow, endpoints and the catalogue of errors, as JSON, or as Markdown for whoever asks for that."""
    address = base_url(request)
    vary = {"vary": "Accept"}
    if prefers_markdown(", ".join(request.headers.getall("accept", []))):
        return Reply(docs_markdown(address).encode(), media_type=MARKDOWN, headers=vary)
    return Reply(to_json(docs_payload(address)), headers=vary)


@route("/api/schema", http_method=["GET", "HEAD"])
async def describe_schema() -> Reply:
    """The vocabulary."""
    return Reply(_vocabulary())


@route("/api/openapi.json", http_method=["GET", "HEAD"])
async def openapi(request: AnyRequest) -> Reply:
    """This service in OpenAPI 3.1."""
    return Reply(to_json(openapi_document(base_url(request))))


@cache
def _vocabulary() -> bytes:
    return to_json(vocabulary_payload())
