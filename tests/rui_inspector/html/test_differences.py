"""Bindings that do not match the API, in the wireframe and the tree of a preview."""

import re
from pathlib import Path

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_inspector.html.pages import preview_page
from rui_openapi.comparison.check import api_diagnostics
from tests.rui_openapi.shop import SHOP, api_of, document

BINDING = {"type": "read", "method": "GET", "path": "/oders<script>", "valuePath": "total"}
RIGHT = {"id": "right", "type": "Metric", "label": "Right", "binding": {**BINDING, "path": "/orders"}}
WRONG = {"id": "wrong", "type": "Metric", "label": "Wrong", "binding": BINDING}


def test_a_block_is_marked_in_wireframe_and_tree(tmp_path: Path) -> None:
    text = document(RIGHT, WRONG)
    differences = api_diagnostics(Analysis(read(text)), api_of(SHOP, tmp_path))
    page = preview_page(text, differences=differences)
    blocks = re.findall(r'class="block([^"]*)" id="W-(\w+)"', page)
    assert {name: "is-unmatched" in classes for classes, name in blocks} == {"right": False, "wrong": True}
    assert re.findall(r'<p class="change-mark">(.*?)</p>', page) == [
        '<strong class="unmatched">Not in the API:</strong> '
        "The API has no GET operation at &#34;/oders&lt;script&gt;&#34;."
    ]  # fmt: skip
    assert re.findall(r'<code class="id">(\w+)</code> <span class="unmatched">not in the API</span>', page) == ["wrong"]
    assert "1 error<" not in page and 'data-state="warned"' in page
    assert "<script>" not in page.partition("</head>")[2].partition('<section id="FAULTS"')[0]
    clean = preview_page(text)
    assert "is-unmatched" not in clean and "not in the API" not in clean
