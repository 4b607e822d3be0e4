"""Workspace symbols: of open documents and of files."""

from pathlib import Path

import pytest

from rui_lsp.features import workspace_symbol
from rui_lsp.session import symbols, threads
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.marked import DOCUMENT

METHOD = "workspace/symbol"
MODULE, INTERFACE, STRING, STRUCT = 2, 11, 15, 23


@pytest.fixture
def client(tmp_path: Path) -> Conversation:
    (tmp_path / "inner").mkdir()
    (tmp_path / "shop.rui.json").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "inner" / "broken.rui.json").write_text('{"pages": [{"type": "Page", "title": "Großer Bär", "id": "b')
    (tmp_path / "other.json").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "foreign.rui.json").write_bytes(b"\xff\xfe{")
    return Conversation(rootUri=tmp_path.as_uri())


def found(client: Conversation, query: str) -> list[str]:
    return [symbol["name"] for symbol in client.request(METHOD, {"query": query})]  # type: ignore[attr-defined]


def test_pages_blocks_and_endpoints_of_all_documents(client: Conversation, tmp_path: Path) -> None:
    result = client.request(METHOD, {"query": ""})
    assert [(symbol["name"], symbol["kind"], symbol["containerName"]) for symbol in result] == [  # type: ignore[attr-defined]
        ("Großer Bär", MODULE, "broken.rui.json"),
        ("At home", MODULE, "shop.rui.json"),
        ("Orders", STRUCT, "At home"),
        ("GET /api/orders", INTERFACE, "Orders"),
        ("See https://example.org/a.", STRING, "At home"),
        ("Stock", MODULE, "shop.rui.json"),
    ]
    lines = DOCUMENT.splitlines()
    for symbol, text in zip(result[1:], ("home", "orders", "/api/orders", "note", "stock"), strict=True):  # type: ignore[index]
        assert symbol["location"]["uri"] == (tmp_path / "shop.rui.json").as_uri()
        start, end = (symbol["location"]["range"][name] for name in ("start", "end"))
        assert lines[start["line"]][start["character"] : end["character"]].strip('"') == text


# Query → names, the best first.
QUERIES = {
    "stock": ["Stock"],
    "STOCK": ["Stock"],
    "ord": ["Orders", "GET /api/orders"],
    "orders": ["Orders", "GET /api/orders"],
    "getorders": ["GET /api/orders"],
    "get orders": ["GET /api/orders"],
    "api/orders": ["GET /api/orders"],
    "atho": ["At home"],
    "ahm": ["At home"],
    "home": ["At home"],
    "note": ["See https://example.org/a."],  # its id
    "GROSSER": ["Großer Bär"],
    "bär": ["Großer Bär"],
    "xyz": [],
    "erst": [],  # parts that begin within a word
    "(": [],
}


@pytest.mark.parametrize("query", QUERIES)
def test_names_fit_by_parts_of_words(query: str, client: Conversation) -> None:
    assert found(client, query) == QUERIES[query]


def test_open_documents_count_as_they_are_open(client: Conversation, tmp_path: Path) -> None:
    assert found(client, "stock") == ["Stock"]
    uri = (tmp_path / "shop.rui.json").as_uri()
    client.open(DOCUMENT.replace('"Stock"', '"Storage"'), uri=uri)
    assert (found(client, "storage"), found(client, "shelf")) == (["Storage"], [])
    client.open('{"pages": [{"id": "shelf", "type": "Page", "title": "Shelf", "children": []}]}', uri="untitled:new")
    assert found(client, "shelf") == ["Shelf"]
    client.shut(uri)
    (tmp_path / "shop.rui.json").write_text(DOCUMENT.replace('"Stock"', '"Storage room"'), encoding="utf-8")
    assert found(client, "storage") == ["Storage room"]
    (tmp_path / "shop.rui.json").unlink()
    assert found(client, "storage") == []


def test_files_are_read_once(client: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    before = found(client, "")
    monkeypatch.setattr(symbols, "read_file", lambda _: pytest.fail("it is read again"))
    assert found(client, "") == before


def test_there_is_a_limit(client: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_symbol, "MAX_SYMBOLS", 1)
    assert found(client, "ord") == ["Orders"]


def test_a_request_can_be_cancelled(client: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "MAX_TURN", 0.0)
    for number in range(300):
        (tmp_path / f"{number}.rui.json").write_text(DOCUMENT, encoding="utf-8")
    client.say({"id": "all", "method": METHOD, "params": {"query": "a"}})
    assert client.answer("all") is None
    client.say({"method": "$/cancelRequest", "params": {"id": "all"}})
    answer = client.until(lambda: client.answer("all"), "response")
    assert answer["error"]["code"] == -32800
    assert found(client, "xyz") == []


def test_a_hidden_document_of_a_deleted_file_has_no_symbols(client: Conversation, tmp_path: Path) -> None:
    file = tmp_path / "shop.rui.json"
    client.open(DOCUMENT, uri=file.as_uri())
    assert found(client, "stock") == ["Stock"]
    file.unlink()
    changes = [{"uri": file.as_uri(), "type": 3}]
    client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}})
    assert found(client, "stock") == []
