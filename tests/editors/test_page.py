"""editors/README.md: what can be checked of configurations whose editors are not here, and of the page itself."""

import json
import re
import textwrap
import tomllib

from rui_lsp.settings import SETTINGS
from tests.editors.page import README, ROOT, configurations

KNOWN = {setting.name for setting in SETTINGS.values()}


def names(value: object, before: str = "") -> set[str]:
    """The full names of nested settings: {"rui": {"docs": {"url": …}}} has rui.docs.url."""
    if not isinstance(value, dict):
        return {before}
    return set().union(*(names(inner, f"{before}.{name}" if before else name) for name, inner in value.items()))


def test_helix() -> None:
    [text] = configurations("Helix", "toml")
    found = tomllib.loads(text)
    [language] = found["language"]
    server = found["language-server"][language["language-servers"][0]]
    assert [server["command"], *server["args"]] == ["rui", "lsp"]
    assert names(server["config"]) <= KNOWN
    assert (language["name"], language["file-types"]) == ("rui-json", [{"glob": "*.rui.json"}])
    assert language["name"] in configurations("Helix", "sh")[0]


def test_sublime_text() -> None:
    [syntax] = configurations("Sublime Text", "yaml")
    [text] = configurations("Sublime Text", "json")
    client = json.loads(text)["clients"]["rui"]
    assert client["command"] == ["rui", "lsp"]
    assert f"\nscope: {client['selector']}\n" in syntax and "file_extensions: [rui.json]" in syntax
    assert client["settings"].keys() <= KNOWN


def test_jetbrains() -> None:
    part = README.split("## JetBrains IDEs\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\|[^|]+\| ([^|]+) \| `([^|]+)` \|$", part, flags=re.MULTILINE))
    assert (rows["Command"], rows["Pattern"], rows["Language Id"]) == ("rui lsp", "*.rui.json", "rui-json")
    assert names(json.loads(rows["Server, Configuration"])) <= KNOWN


def test_zed() -> None:
    extension, language, crate = map(tomllib.loads, configurations("Zed", "toml"))
    [server] = extension["language_servers"].values()
    assert server["languages"] == [language["name"]] == list(server["language_ids"])
    assert list(server["language_ids"].values()) == ["rui-json"]
    assert language["grammar"] in extension["grammars"] and language["path_suffixes"] == ["rui.json"]
    assert crate["lib"]["crate-type"] == ["cdylib"]


def test_older_versions_of_neovim_are_told_the_same_by_the_help_page() -> None:
    [text] = configurations("Neovim 0.8 to 0.10", "lua")
    assert textwrap.indent(text, "    ") in (ROOT / "editors" / "nvim" / "doc" / "rui.txt").read_text(encoding="utf-8")


def test_links_lead_somewhere() -> None:
    headings = re.findall(r"^#{1,3} (.+)$", README, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\((?!https:)([^)]+)\)", README)
    assert len(targets) > 8
    for target in targets:
        assert target[1:] in anchors if target.startswith("#") else (ROOT / "editors" / target).exists(), target
