"""Document links."""

import pytest

from rui_lsp.features import document_links
from tests.lsp.client import Client
from tests.lsp.marked import DOCUMENT, URI, check_survives, opened

SPEC = "http://localhost:8080/specs/0b8f8b52-6f0f-4a53-9d2e-0a5f6d3a1c11"


def check(text, *expected):
    """`expected` are the addresses, or (what stands in the text, address)."""
    at = opened(text)
    found = document_links.answer(at.workspace, at.params())
    shown = [(at.shown(item["range"]), item["target"]) for item in found]
    assert shown == [item if isinstance(item, tuple) else (item, item) for item in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", []),
        (DOCUMENT, ["https://example.org/a"]),
        (f'{{"meta": {{"spec": "{SPEC}"}}}}', [SPEC]),
        (f'{{"😀": "{SPEC}", "b": "See {SPEC}, or ({SPEC}?a=b#c)!"}}', [SPEC, SPEC, f"{SPEC}?a=b#c"]),
        ('["https://en.org/a_(b)"]', ["https://en.org/a_(b)"]),
        (r'["https:\/\/example.org\/a\nb"]', [(r"https:\/\/example.org\/a", "https://example.org/a")]),
        ('["ftp://a.org", "https://", "xhttp"]', []),
        ('{"a": "https://example.org', ["https://example.org"]),
    ],
)
def test_addresses(text, expected):
    check(text, *expected)


def test_it_survives_anything():
    check_survives(document_links.answer)


def test_over_the_wire():
    with Client.start() as client:
        client.open(URI, DOCUMENT)
        (found,) = client.request("textDocument/documentLink", {"textDocument": {"uri": URI}})
        assert found["target"] == "https://example.org/a"
