"""Every request about a document: in broken texts, after edits, over standard input and output, with odd values."""

import random
from collections import Counter

import pytest
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.workspace import PositionCodec

from rui_common.validation import analysis
from rui_lsp.session import documents
from tests.rui_lsp.conversation import REFRESHES
from tests.rui_lsp.lsp_client import Client, ResponseError
from tests.rui_lsp.marked import DOCUMENT, URI, Opened, any_params_of, broken_texts, document_requests, opened
from tests.rui_lsp.odd_parameters import methods, run
from tests.support.nightly import seeds

METHODS = document_requests()
PIECES = [*'{}[],:a1\n\r😀\\"', "", '"id": "home"', '{"pageId": "stock"},']


def any_params(editor: Opened) -> dict[str, object]:
    """Return the parameters of any request at the cursor."""
    part = {"start": {"line": 3, "character": 0}, "end": {"line": 20, "character": 5}}
    return editor.params(**any_params_of(editor.params()["position"], part))


def answers(editor):
    """Yield each method with its result or its refusal. Any other exception is a fault of the server."""
    for method in METHODS:
        try:
            result = editor.ask(method, any_params(editor))
        except JsonRpcException as error:
            assert error.code != JsonRpcInvalidParams.CODE, f"{method} needs more of `any_params_of`: {error}"
            result = str(error)
        yield method, result


def test_a_broken_text_has_no_faults():
    for text in broken_texts():
        editor = opened(text)
        for editor.cursor in sorted({*range(0, len(text) + 1, max(1, len(text) // 6)), len(text)}):
            assert len(list(answers(editor))) == len(METHODS)


@pytest.mark.parametrize("seed", seeds(4))
def test_an_edited_text_has_the_results_of_the_same_text_opened_new(seed):
    chance = random.Random(seed)
    editor = opened(DOCUMENT)
    assert editor.document.document.valid
    for version in range(8, 20):
        start = chance.randrange(len(editor.text))
        end = min(len(editor.text), start + chance.choice([0, 0, 1, 1, 2, 9]))
        editor.change(version, chance.choice(PIECES), start, end)
        editor.cursor = chance.randrange(len(editor.text))
        fresh = opened(editor.text)
        fresh.cursor = editor.cursor
        assert list(answers(editor)) == list(answers(fresh))
        if chance.random() < 0.2:  # Random edits destroy the document, so return to a valid one from time to time.
            editor.change(version, DOCUMENT)


def test_a_process_responds_like_the_handlers():
    editor = opened(DOCUMENT.replace('"id": "ho', '"id": "ho<|>', 1))
    with Client(["utf-16"], capabilities=REFRESHES) as client:
        client.open(URI, DOCUMENT, 7)
        for method, expected in answers(editor):
            try:
                assert client.request(method, any_params(editor)) == expected, method
            except ResponseError as refusal:
                assert str(refusal).endswith(expected), method


def test_a_text_is_read_and_validated_once(monkeypatch):
    counts = Counter()

    def counted(name, function):
        def call(*args, **options):
            counts[name] += 1
            return function(*args, **options)

        return call

    monkeypatch.setattr(documents, "read", counted("read", documents.read))
    monkeypatch.setattr(analysis, "validate_document", counted("validate", analysis.validate_document))
    # A reference that dangles and a property with a fault: their hover, completion and fixes need names and findings.
    editor = opened(
        DOCUMENT.replace('"pageId": "home"', '"pageId": "hoem"').replace('"direction": "row"', '"direction": "x"')
    )
    assert editor.document.diagnostics
    for cursor in range(0, len(editor.text), 40):
        editor.cursor = cursor
        assert len(list(answers(editor))) == len(METHODS)
    assert counts == {"read": 1, "validate": 1}


def test_pygls_converts_no_positions(monkeypatch):
    """Its codec takes time in proportion to the length of a line for each position."""
    public = [name for name in vars(PositionCodec) if not name.startswith("_")]
    assert "position_from_client_units" in public
    for name in public:
        monkeypatch.delattr(PositionCodec, name)
    editor = opened(DOCUMENT)
    editor.change(8, "x", 3, 5)
    assert len(list(answers(editor))) == len(METHODS)


def test_requests_with_an_odd_value_are_answered():
    found = run(seed=1, count=2_000)
    assert min(found.values()) > 300
    assert {*METHODS, "workspace/executeCommand", "workspace/diagnostic", "completionItem/resolve"} <= {*methods()}
