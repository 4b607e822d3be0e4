"""editors/README.md: links, and the configurations of editors that the tests do not start."""

import json
import re
import shlex
import shutil
import sys
import textwrap
import tomllib
from pathlib import Path

import yaml

from rui_common.describe import minimal_example
from rui_common.project.discovery import ApiChoice
from rui_lsp.commands import COMMANDS
from rui_lsp.session.api_choices import Choices
from rui_lsp.session.settings import SETTINGS, ClientSettings
from tests.editors import images
from tests.editors.page import README, ROOT, configurations
from tests.rui_lsp.lsp_client import Client

KNOWN = {setting.name for setting in SETTINGS.values()}


def names(value: object, prefix: str = "") -> set[str]:
    """Return the full names of nested settings: {"rui": {"server": {"url": …}}} contains rui.server.url."""
    if not isinstance(value, dict):
        return {prefix}
    return set().union(*(names(inner, f"{prefix}.{name}" if prefix else name) for name, inner in value.items()))


URI = "file:///orders.rui.json"
ELSEWHERE = "http://127.0.0.1:9"


def check_starts(command: list[str], settings: object, *, as_options: bool = False) -> None:
    """Start the server by the command of a configuration, and check that its settings are used."""
    program = shutil.which(command[0], path=Path(sys.executable).parent)
    assert program is not None
    url = str(SETTINGS["server_url"].default)
    assert url in json.dumps(settings)
    settings = json.loads(json.dumps(settings).replace(url, ELSEWHERE))
    with Client(command=[program, *command[1:]], options=settings if as_options else None) as client:
        if not as_options:
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
        client.open(URI, json.dumps(minimal_example()))
        assert client.diagnostics(URI, 1) == []
        assert ELSEWHERE in client.run("rui.publish", URI)["message"]


def test_helix() -> None:
    [text] = configurations("Helix", "toml")
    found = tomllib.loads(text)
    [language] = found["language"]
    server = found["language-server"][language["language-servers"][0]]
    assert [server["command"], *server["args"]] == ["rui", "lsp"]
    assert names(server["config"]) <= KNOWN
    assert (language["name"], language["file-types"]) == ("rui-json", [{"glob": "*.rui.json"}])
    assert language["name"] in configurations("Helix", "sh")[0]
    check_starts([server["command"], *server["args"]], server["config"], as_options=True)


def test_sublime_text() -> None:
    [syntax] = configurations("Sublime Text", "yaml")
    text, keys = configurations("Sublime Text", "json")
    client = json.loads(text)["clients"]["rui"]
    assert client["command"] == ["rui", "lsp"]
    defined = yaml.safe_load(syntax)
    assert (defined["scope"], defined["file_extensions"]) == (client["selector"], ["rui.json"])
    assert client["settings"].keys() <= KNOWN
    check_starts(client["command"], client["settings"])
    [key] = json.loads(keys)
    assert key["context"][0]["operand"] == client["selector"]
    assert key["args"]["command_name"] in COMMANDS
    assert key["args"]["session_name"] in json.loads(text)["clients"]


def test_jetbrains() -> None:
    part = README.split("## JetBrains IDEs\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\|[^|]+\| ([^|]+) \| `([^|]+)` \|$", part, flags=re.MULTILINE))
    assert (rows["Command"], rows["Pattern"], rows["Language Id"]) == ("rui lsp", "*.rui.json", "rui-json")
    settings = json.loads(rows["Server, Configuration"])
    assert names(settings) <= KNOWN
    check_starts(shlex.split(rows["Command"]), settings)
    assert '`sh -c "rui lsp"`' in part


def test_the_help_page_has_the_same_configuration_for_older_versions_of_neovim() -> None:
    [text] = configurations("Neovim 0.8 to 0.10", "lua")
    assert textwrap.indent(text, "    ") in (ROOT / "editors" / "nvim" / "doc" / "rui.txt").read_text(encoding="utf-8")


def test_the_example_of_a_rui_toml(tmp_path: Path) -> None:
    [text] = configurations("Editor support", "toml")
    (tmp_path / "rui.toml").write_text(text)
    choices = Choices(is_trusted=True)
    uri = (tmp_path / "a.rui.json").as_uri()
    chosen = choices.choose(uri, ClientSettings.parse(), [], choices.project(uri, []))
    assert chosen == ApiChoice(str(tmp_path / "openapi.yaml"))


def test_links_have_targets() -> None:
    headings = re.findall(r"^#{1,3} (.+)$", README, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\((?!https:)([^)]+)\)", README)
    assert len(targets) > 8
    for target in targets:
        assert target[1:] in anchors if target.startswith("#") else (ROOT / "editors" / target).exists(), target


def test_each_feature_has_a_picture() -> None:
    table, pictures = README.split("## Features")[1].split("\n## ")[:2]
    features = re.findall(r"^\| ([^|]+?) \| [^|]+ \| [^|]+ \|$", table, re.MULTILINE)
    captions = re.findall(r"^\*\*(.+)\*\*\n\n!\[", pictures, re.MULTILINE)
    assert sorted(["Feature", *"; ".join(captions).split("; ")]) == sorted(features)


def test_pictures_exist_and_are_small() -> None:
    files = {*images.IMAGES.glob("vscode-*.png"), *images.IMAGES.glob("neovim*.png")}
    assert files == {images.file_of(name) for name in (*images.PICTURES, *images.IN_NEOVIM)}
    assert [file.name for file in files if file.stat().st_size > images.MAX_BYTES] == []
    assert [file.name for file in files if f"](../docs/images/{file.name})" not in README] == []
