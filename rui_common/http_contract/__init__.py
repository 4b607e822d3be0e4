"""Descriptions of the HTTP endpoints: `GET /llms.txt`, `GET /api/docs`, and the parts of `GET /api/schema`."""

from __future__ import annotations

from rui_common.http_contract.docs_json import docs_payload
from rui_common.http_contract.docs_page import docs_markdown
from rui_common.http_contract.llms_txt import llms_txt
from rui_common.http_contract.schema_slices import compact_payload, compact_slice, slice_payload

__all__ = [
    "compact_payload",
    "compact_slice",
    "docs_markdown",
    "docs_payload",
    "llms_txt",
    "slice_payload",
]
