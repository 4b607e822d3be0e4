"""Valid messages of all methods with one odd value: each request is answered, and the server is correct afterwards.

python -m tests.rui_lsp.odd_parameters --requests 20000
"""

import argparse
import copy
import random
import re
from collections.abc import Iterator
from typing import Any

import attrs
from lsprotocol import types

from rui_lsp.features import create_server
from tests.rui_lsp.conversation import REFRESHES
from tests.rui_lsp.lsp_client import Client, Json, ResponseError
from tests.rui_lsp.marked import DOCUMENT, URI, any_params_of, document_requests

OTHER = "file:///other.rui.json"
CHANGED = "file:///changed.rui.json"
_ID = DOCUMENT.index('"id": "home"') + 8
START = {"line": DOCUMENT.count("\n", 0, _ID), "character": _ID - DOCUMENT.rindex("\n", 0, _ID) - 1}
RANGE = {"start": START, "end": {"line": 20, "character": 5}}
DIAGNOSTIC = {"range": RANGE, "message": "m", "severity": 1, "source": "rui", "code": "ORPHAN_PAGE", "tags": [1]}

ODD = [
    None,
    True,
    -1,
    0,
    1.5,
    99,
    2**31,
    2**53,
    -(2**63),
    "",
    "nope",
    "\ud800",
    "\0",
    [],
    [None],
    {},
    {"x": {}},
    [[]] * 9,
]
"""In place of a value: null, wrong types, negative, huge and unknown values."""

WITH_EFFECTS = {"initialize", "shutdown", "exit"}
COMMANDS = ["rui.explainRule", "rui.newDocument", "rui.previewCursor"]
"""The others open pages and connections."""

# Parameters of the requests that are about no position of a document, and of all notifications.
PARAMETERS: dict[str, Any] = {
    "codeAction/resolve": {
        "title": "t", "kind": "source.fixAll.rui", "isPreferred": True, "diagnostics": [DIAGNOSTIC],
        "data": {"uri": OTHER, "version": 1}, "edit": {"changes": {OTHER: [{"range": RANGE, "newText": ""}]}},
    },
    "completionItem/resolve": {"label": "Page", "kind": 7, "tags": [1], "insertTextFormat": 2, "data": {"uri": OTHER}},
    "workspace/diagnostic": {"previousResultIds": [{"uri": OTHER, "value": "1"}], "identifier": "rui"},
    "workspace/symbol": {"query": "a"},
    "workspace/executeCommand": {"command": "rui.explainRule", "arguments": [{"rule": "R3", "uri": OTHER}]},
    "initialized": {},
    "$/setTrace": {"value": "messages"},
    "$/cancelRequest": {"id": 10**6},
    "window/workDoneProgress/cancel": {"token": "none"},
    "textDocument/didOpen": {"textDocument": {"uri": CHANGED, "languageId": "rui", "version": 1, "text": DOCUMENT}},
    "textDocument/didChange": {
        "textDocument": {"uri": CHANGED, "version": 2},
        "contentChanges": [{"range": RANGE, "rangeLength": 2, "text": "x"}, {"text": DOCUMENT}],
    },
    "textDocument/didSave": {"textDocument": {"uri": CHANGED}, "text": DOCUMENT},
    "textDocument/didClose": {"textDocument": {"uri": CHANGED}},
    "workspace/didChangeConfiguration": {"settings": {"rui": {"docsUrl": "", "diagnostics": {"delay": 0}}}},
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": CHANGED, "type": 2}]},
    "workspace/didChangeWorkspaceFolders": {"event": {"added": [{"uri": "file:///none", "name": "n"}], "removed": []}},
}  # fmt: skip


def methods() -> list[str]:
    """Return all methods that the server handles."""
    manager = create_server().protocol.fm
    names = {*manager.features, *manager.builtin_features, *document_requests(), "$/cancelRequest"} - WITH_EFFECTS
    return sorted(name for name in names if not name.startswith("notebookDocument/"))


def valid_parameters(method: str) -> Any:
    """Return parameters that the server serves."""
    if method in PARAMETERS:
        return copy.deepcopy(PARAMETERS[method])
    params = {"textDocument": {"uri": OTHER}, **any_params_of(START, RANGE)}
    params["context"] |= {"diagnostics": [DIAGNOSTIC], "only": ["quickfix"]}
    fields = {field.name for field in attrs.fields(types.METHOD_TO_TYPES[method][2])}
    return copy.deepcopy({name: value for name, value in params.items() if _snake_case(name) in fields})


def _snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)


def with_odd_value(chance: random.Random, params: Any) -> Any:
    """Return parameters with one value replaced, removed or added."""
    params = copy.deepcopy(params)
    container, key = chance.choice([({"": params}, ""), *_places(params)])
    if key == "":
        return chance.choice(ODD)
    action = chance.choice(["replace", "replace", "replace", "remove", "add"])
    if action == "replace":
        container[key] = chance.choice(ODD)
    elif action == "remove":
        del container[key]
    elif isinstance(container, dict):
        container[chance.choice(["extra", "id", "jsonrpc", "method", ""])] = chance.choice(ODD)
    else:
        container.insert(key, chance.choice(ODD))
    return params


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object or array with each of its keys."""
    entries: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    for key, child in entries:
        yield value, key
        yield from _places(child)


def run(seed: int, count: int, chunk: int = 50) -> dict[str, int]:
    """Send messages with odd values to a server process; return how many requests had a result, and an error.

    The messages of a chunk are sent at once. Another document than the one that they are about is not affected.
    """
    chance = random.Random(seed)
    names = methods()
    found = {"result": 0, "error": 0}
    client = Client(capabilities=REFRESHES)
    for uri in (URI, OTHER, CHANGED):
        client.open(uri, DOCUMENT)
    expected = list(_answers(client))
    sent = 0
    while sent < count:
        messages = [_message(chance, names[(sent + number) % len(names)], sent + number) for number in range(chunk)]
        client.send(*messages)
        sent += chunk
        for request in messages:
            if "id" in request:
                answer = client.wait_for(
                    lambda message, wanted=request["id"]: message.get("id") == wanted and "method" not in message
                )
                found["result" if "result" in answer else "error"] += 1
                assert answer.get("error", {}).get("code") != types.ErrorCodes.InternalError, (request, answer)
        client.received.clear()
        client.open(CHANGED, DOCUMENT)
    assert list(_answers(client)) == expected
    assert client.shut_down() == 0
    assert "Traceback" not in "\n".join(client.stderr)
    assert len(client.stderr) <= sent  # one line for a message
    return found


def _answers(client: Client) -> Iterator[Any]:
    for method in document_requests():
        try:
            yield client.request(method, {**valid_parameters(method), "textDocument": {"uri": URI}})
        except ResponseError as error:
            yield str(error)


def _message(chance: random.Random, method: str, number: int) -> Json:
    params = valid_parameters(method)
    if method == "workspace/executeCommand":
        params["command"] = chance.choice(COMMANDS)
    message = {"method": method, "params": with_odd_value(chance, params)}
    if method in types.METHOD_TO_TYPES and types.METHOD_TO_TYPES[method][1] is not None:
        message["id"] = f"odd-{number}"
    return message


def main() -> None:
    parser = argparse.ArgumentParser(description="Send valid messages of all methods with one odd value.")
    parser.add_argument("--requests", type=int, default=20_000, help="number of messages (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the values (default 1)")
    options = parser.parse_args()
    found = run(options.seed, options.requests)
    print(f"{found['result']:,} results, {found['error']:,} errors, and no request without an answer")


if __name__ == "__main__":
    main()
