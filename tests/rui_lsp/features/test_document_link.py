"""Document links."""

import itertools

import pytest

from rui_lsp.client.settings import Settings
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import DOCUMENT, URI, check_survives, opened

SPEC = "http://localhost:8080/specs/0b8f8b52-6f0f-4a53-9d2e-0a5f6d3a1c11"


def check(text, *expected):
    """`expected` are the URLs, or pairs of text and URL."""
    at = opened(text)
    found = [item for item in at.request("textDocument/documentLink") if "tooltip" not in item]
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


def links(at):
    """Return text and target of every link with a tooltip."""
    found = at.request("textDocument/documentLink")
    return [(at.shown(item["range"]), item["target"]) for item in found if "tooltip" in item]


def test_a_fault_leads_to_its_rule():
    pages = [('"tody"', "R10"), ('"stock"', "R11"), ('"children"', "R15")]
    at = opened(DOCUMENT)
    assert links(at) == []
    at.server.configuration.settings = Settings({"rui.docs.url": "https://a.org/docs"})
    missing = [link for link in links(at) if link[1].endswith("/R6")]
    assert [link for link in links(at) if link not in missing] == [
        (text, f"https://a.org/docs/rules/{rule}") for text, rule in pages
    ]  # fmt: skip
    at.server.configuration.settings = Settings(
        {"rui.diagnostics.severity": {"R10": "off", "ORPHAN_PAGE": "hint"}, "rui.docs.url": "https://a.org/docs"}
    )
    assert [address[-3:] for _, address in links(at) if not address.endswith("/R6")] == ["R11", "R15"]


def test_links_never_lie_over_each_other():
    at = opened('{"https://a.org": 1, "version": "0.1", "meta": {"a": "https://b.org"}, "pages": [')
    at.workspace.published[URI] = SPEC
    found = [at.span(item["range"]) for item in at.request("textDocument/documentLink")]
    assert found == sorted(found)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(found))


@pytest.mark.parametrize(("text", "word"), [('{"version": "0.1"}', '"version"'), ("{}", "{"), ("[]", "["), ("{", "{")])
def test_what_is_published_can_be_looked_at(text, word):
    at = opened(text)
    at.workspace.published[URI] = SPEC
    assert (word, SPEC) in links(at)


def test_it_survives_anything():
    check_survives("textDocument/documentLink")


def test_over_the_wire():
    with Client.start() as client:
        client.open(URI, DOCUMENT)
        found = client.request("textDocument/documentLink", {"textDocument": {"uri": URI}})
        assert "https://example.org/a" in [link["target"] for link in found]
