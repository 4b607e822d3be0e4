"""The TextMate grammar: the scopes of JSON, and those of the vocabulary."""

import json
import os
import subprocess
from pathlib import Path

from editors import make_grammar
from tests.editors import tools
from tests.editors.documents import GOOD

Token = tuple[str, list[str]]


def tokens_of(text: str) -> tuple[list[Token], list[Token]]:
    """Return the tokens of a text by our grammar and by VS Code's grammar of JSON."""
    with tools.or_skip():
        installed = tools.workbench()
    inside = installed / "node_modules" / "code-server" / "lib" / "vscode"
    theirs = inside / "extensions" / "json" / "syntaxes" / "JSON.tmLanguage.json"
    script = Path(__file__).with_name("tokenize.js")
    env = {**os.environ, **tools.node_first(installed)}
    command = ["node", script, inside / "node_modules", make_grammar.GRAMMAR, theirs]
    result = subprocess.run(command, input=text.encode(), capture_output=True, env=env, check=True)
    ours, json_own = json.loads(result.stdout)
    return ours, json_own


def scopes_by_character(tokens: list[Token]) -> list[set[str]]:
    """Return the scopes of each character, without ``meta`` scopes and those of RUI."""
    return [
        {scope for scope in " ".join(scopes).split() if not scope.startswith("meta.") and ".rui" not in scope}
        for text, scopes in tokens
        for _ in text.strip()
    ]


def test_the_grammar_is_up_to_date() -> None:
    assert make_grammar.GRAMMAR.read_text() == make_grammar.grammar_text(), "stale: run make docs"


def test_the_scopes_are_those_of_json_and_of_types_ids_and_references() -> None:
    ours, theirs = tokens_of(GOOD)
    assert not [token for token in ours if any("invalid" in scope for scope in token[1])]
    assert scopes_by_character(ours) == scopes_by_character(theirs)
    marked = {scope: [text for text, scopes in ours if scope in scopes] for scope in make_grammar.SCOPES.values()}
    assert marked == {
        "entity.name.type.rui": ["Page", "Section", "Text", "Page", "Section", "Text"],
        "variable.other.constant.rui": ["home", "main", "welcome", "orders", "open", "note"],
        "variable.other.rui": ["home", "orders"],
    }
