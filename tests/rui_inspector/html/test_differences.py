"""Bindings that do not match the API, in the wireframe and the tree of a preview."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import is_error
from rui_inspector.html.pages import preview_page
from rui_inspector.model.problems import Difference
from rui_openapi.comparison.check import api_diagnostics
from tests.rui_openapi.shop import SHOP, api_of, document

BINDING = {"type": "read", "method": "GET", "path": "/oders<script>", "valuePath": "total"}
RIGHT = {"id": "right", "type": "Metric", "label": "Right", "binding": {**BINDING, "path": "/orders"}}
WRONG = {"id": "wrong", "type": "Metric", "label": "Wrong", "binding": BINDING}


@pytest.fixture
def page(tmp_path: Path) -> str:
    text = document(RIGHT, WRONG)
    found = api_diagnostics(read(text), api_of(SHOP, tmp_path))
    differences = [Difference(is_error(one), one.code, one.path, one.message, one.hint) for one in found]
    return preview_page(text, differences=differences)


def test_a_block_is_marked_in_the_wireframe_with_a_text(page: str) -> None:
    blocks = re.findall(r'<div class="block[^>]*id="W-(\w+)".*?</div>', page, re.DOTALL)
    assert blocks == ["right", "wrong"]
    assert re.findall(r'class="block[^"]* is-unmatched" id="W-(\w+)"', page) == ["wrong"]
    marks = re.findall(r'<p class="change-mark">(.*?)</p>', page)
    assert marks == [
        '<strong class="unmatched">Not in the API:</strong> '
        "The API has no GET operation at &#34;/oders&lt;script&gt;&#34;."
    ]  # fmt: skip


def test_a_node_is_marked_in_the_tree(page: str) -> None:
    marked = re.findall(r'<code class="id">(\w+)</code> <span class="unmatched">not in the API</span>', page)
    assert marked == ["wrong"]
    assert "1 error<" not in page
    assert 'data-state="warned"' in page
    assert "<script>" not in page.partition("</head>")[2].partition('<section id="FAULTS"')[0]
    clean = preview_page(document(RIGHT, WRONG))
    assert "is-unmatched" not in clean and "not in the API" not in clean
