"""The colours before the server has its say: JSON's own, and those of the vocabulary."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from editors import make_grammar
from tests.editors import tools
from tests.editors.documents import GOOD

EXAMPLE = (tools.ROOT / "examples" / "order-desk.rui.json").read_text()
Token = tuple[str, list[str]]


def tokens_of(text: str) -> tuple[list[Token], list[Token]]:
    """The tokens of a text by our grammar and by the one that VS Code has for JSON, as the editor itself makes them."""
    with tools.or_skip():
        installed = tools.workbench()
    inside = installed / "node_modules" / "code-server" / "lib" / "vscode"
    theirs = inside / "extensions" / "json" / "syntaxes" / "JSON.tmLanguage.json"
    script = Path(__file__).with_name("tokenize.js")
    env = {**os.environ, **tools.node_first(installed)}
    command = ["node", script, inside / "node_modules", make_grammar.GRAMMAR, theirs]
    done = subprocess.run(command, input=text.encode(), capture_output=True, env=env, check=True)
    ours, json_own = json.loads(done.stdout)
    return ours, json_own


def scopes_by_character(tokens: list[Token]) -> list[set[str]]:
    """What every character is, without what it stands in and without what RUI adds."""
    return [
        {
            scope
            for joined in scopes
            for scope in joined.split()
            if not scope.startswith("meta.") and ".rui" not in scope
        }
        for text, scopes in tokens
        for _ in text
        if text.strip()
    ]


def test_the_grammar_is_of_the_vocabulary() -> None:
    assert make_grammar.GRAMMAR.read_text() == make_grammar.grammar_text(), "`make docs` writes it"


@pytest.mark.parametrize("text", [GOOD, EXAMPLE], ids=["small", "example"])
def test_json_is_what_it_is_in_json(text: str) -> None:
    ours, theirs = tokens_of(text)
    assert not [token for token in ours if any("invalid" in scope for scope in token[1])]
    assert scopes_by_character(ours) == scopes_by_character(theirs)


def test_names_have_scopes_of_their_own() -> None:
    ours, _ = tokens_of(GOOD)
    marked = {scope: [text for text, scopes in ours if scope in scopes] for scope in make_grammar.SCOPES.values()}
    assert marked == {
        "entity.name.type.rui": ["Page", "Section", "Text", "Page", "Section", "Text"],
        "variable.other.constant.rui": ["home", "main", "welcome", "orders", "open", "note"],
        "variable.other.rui": ["home", "orders"],
    }


def test_what_is_no_json_is_seen() -> None:
    ours, _ = tokens_of('{"id": "a" "type": "Page" x}')
    assert [text for text, scopes in ours if any("invalid" in scope for scope in scopes)]
