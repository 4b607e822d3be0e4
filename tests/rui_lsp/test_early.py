"""Requests that come before pygls is there: they are answered, refused and cancelled as ever, and nobody waits."""

import asyncio

from benchmarks.sample import sample_text
from rui_lsp.documents.workspace import Workspace
from rui_lsp.protocol.errors import REQUEST_CANCELLED, REQUEST_FAILED, LspError
from tests.rui_lsp.client import Client
from tests.rui_lsp.conversation import URI, Conversation


def answers(feature, *, cancelled=False):
    """What a session sends when it is asked for something that a coroutine finds, and whether that loaded pygls."""

    async def conversation():
        one = Conversation()
        one.open("{}")
        one.session._early_features()._handlers["textDocument/documentSymbol"] = feature
        params = {"textDocument": {"uri": URI}}
        before = len(one.sent)
        one.answers({"id": 7, "method": "textDocument/documentSymbol", "params": params})
        await asyncio.sleep(0)
        if cancelled:
            one.say({"method": "$/cancelRequest", "params": {"id": 7}})
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        found = [message.get("result", message.get("error", {}).get("code")) for message in one.sent[before:]]
        return found[-1], one.session._pygls is not None

    return asyncio.run(conversation())


async def finds(workspace: Workspace, params: dict) -> list:
    return [len(workspace.documents), params["textDocument"]["uri"]]


async def refuses(workspace: Workspace, params: dict) -> None:
    raise LspError("no", REQUEST_FAILED)


async def takes_long(workspace: Workspace, params: dict) -> None:
    await asyncio.sleep(3600)


def test_a_coroutine_answers():
    assert answers(finds) == ([1, URI], False)
    assert answers(refuses) == (REQUEST_FAILED, False)


def test_it_can_be_cancelled():
    assert answers(takes_long, cancelled=True) == (REQUEST_CANCELLED, False)


def test_a_first_outline_of_a_large_document_does_not_wait_for_pygls():
    with Client.start() as client:
        client.open("file:///a.rui.json", sample_text(30_000))
        found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": "file:///a.rui.json"}})
        assert found
