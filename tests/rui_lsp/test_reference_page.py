"""docs/language-server.md lists exactly the capabilities that a server announces."""

from pathlib import Path

from editors.make_reference_page import NAME, announced, language_server_markdown, main
from rui_lsp.features import create_server
from tests.rui_lsp.conversation import REFRESHES, Conversation

PAGE = Path(__file__).parents[2] / "docs" / NAME


def test_it_is_what_make_docs_writes(tmp_path):
    assert PAGE.read_text(encoding="utf-8") == language_server_markdown(), f"docs/{NAME} is stale: run make docs"
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / NAME).read_bytes() == PAGE.read_bytes()
    assert main([]) == 2


def test_the_table_is_what_the_server_announces():
    capabilities = Conversation(REFRESHES).capabilities
    names = {name for name in capabilities if name != "workspace"}
    names |= {f"workspace.{name}" for name in capabilities["workspace"] if name != "fileOperations"}
    assert {"positionEncoding", "diagnosticProvider", *announced(create_server())} == names
    table = PAGE.read_text(encoding="utf-8").partition("## Settings")[0]
    rows = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    assert {name.strip("| `") for row in rows for name in row.split(", ")} == names
