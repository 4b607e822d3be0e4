"""docs/language-server.md lists exactly the capabilities that a server announces."""

import re
from pathlib import Path

from rui_lsp.create import create_server
from rui_lsp.reference_page import NAME, SETTINGS_OF_CAPABILITIES, announced, language_server_markdown, main
from tests.rui_lsp.conversation import REFRESHES, Conversation

PAGE = Path(__file__).parents[2] / "docs" / NAME


def section(title):
    return PAGE.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]


def column(text, number):
    """Return the code words in one column of the table in a text."""
    rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in text.splitlines() if line.startswith("| `")]
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row[number])]


def test_it_is_what_make_docs_writes(tmp_path):
    assert PAGE.read_text(encoding="utf-8") == language_server_markdown(), f"docs/{NAME} is stale: run make docs"
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / NAME).read_bytes() == PAGE.read_bytes()
    assert main([]) == 2


def test_the_table_is_what_the_server_announces():
    capabilities = Conversation(REFRESHES).capabilities
    names = {name for name in capabilities if name != "workspace"}
    names |= {f"workspace.{name}" for name in capabilities["workspace"] if name != "fileOperations"}
    documented = column(section("Capabilities"), 0)
    assert (
        sorted(documented)
        == sorted(names)
        == sorted({"positionEncoding", "diagnosticProvider", *announced(create_server())})
    )
    assert set(SETTINGS_OF_CAPABILITIES) <= names
    methods = column(section("Capabilities"), 1)
    assert len(methods) == len(set(methods))
    features = create_server().protocol.fm
    served = {*features.features, *features.builtin_features}
    assert set(methods) - served == {"textDocument/diagnostic"}
