"""Inlay hints: what the names of pages and columns stand for."""

from tests.rui_lsp.conversation import URI, Conversation
from tests.rui_lsp.marked import DOCUMENT, broken_texts, opened

METHOD = "textDocument/inlayHint"
ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 10_000, "character": 0}}


def shown(text: str, range_: object = ALL) -> str:
    """Return a text with the hints in it."""
    editor = opened(text)
    hints = editor.ask(METHOD, {"textDocument": {"uri": editor.document.uri}, "range": range_})
    for hint in sorted(hints, key=lambda hint: editor.offset(hint["position"]), reverse=True):
        offset = editor.offset(hint["position"])
        text = f"{text[:offset]}‹{hint['label']}›{text[offset:]}"
    return text


def test_names_that_are_used_have_the_text_of_what_they_name() -> None:
    expected = DOCUMENT.replace('"pageId": "home"', '"pageId": "home"‹At home›')
    expected = expected.replace('"field": "status"', '"field": "status"‹State›')
    assert shown(DOCUMENT) == expected


def test_hints_of_a_part() -> None:
    line = {"start": {"line": 5, "character": 0}, "end": {"line": 6, "character": 0}}
    assert shown(DOCUMENT, line) == DOCUMENT.replace('"pageId": "home"', '"pageId": "home"‹At home›', 1)


def test_there_is_no_hint_that_adds_nothing_or_may_be_wrong() -> None:
    for change in (('"At home"', '"Home"'), ('"title": "At home",', ""), ('"id": "stock"', '"id": "home"')):
        assert "pageId" in shown(DOCUMENT.replace(*change))
        assert "‹At home›" not in shown(DOCUMENT.replace(*change))


def test_every_broken_text_has_hints_at_places_in_it() -> None:
    for text in broken_texts():
        shown(text)


def test_the_setting_switches_them_off_and_the_client_asks_again() -> None:
    client = Conversation({"workspace": {"inlayHint": {"refreshSupport": True}}})
    client.open(DOCUMENT)
    params = {"textDocument": {"uri": URI}, "range": ALL}
    assert len(client.request(METHOD, params)) == 3  # type: ignore[arg-type]
    settings = {"rui": {"inlayHints": False}}
    client.say({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}})
    assert len(client.received("workspace/inlayHint/refresh")) == 1
    assert client.request(METHOD, params) == []
