"""Writes the settings into the manifest and README of the VS Code extension, and into the help page of Neovim.

``python -m editors.make_settings``. `rui_lsp.session.settings` declares those of the server, the manifest the others.
"""

import json
from pathlib import Path
from textwrap import fill

from rui_common.describe.markdown import code, table
from rui_lsp.session.settings import SETTINGS

FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "vscode" / "package.json"


def with_settings(manifest: str) -> str:
    """Return the text of ``package.json`` with the settings that the server declares."""
    package = json.loads(manifest)
    properties = package["contributes"]["configuration"]["properties"]
    for setting in SETTINGS.values():
        properties[setting.name] = {
            **setting.schema,
            "default": setting.default,
            "scope": "resource",
            "markdownDescription": setting.doc,
        }
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def readme(text: str) -> str:
    """Return the README of the extension with all settings of the manifest."""
    properties = json.loads(MANIFEST.read_text(encoding="utf-8"))["contributes"]["configuration"]["properties"]
    rows = [[code(name), schema["markdownDescription"]] for name, schema in properties.items()]
    settings = f"\n{table(['Setting', 'Meaning'], rows)}\n\n"
    return _replaced(text, "<!-- `make docs` writes this table. -->\n", settings, "<!-- End of the table. -->")


def help_page(text: str) -> str:
    """Return the help page of Neovim with the settings that the server declares."""
    indent = " " * 8
    settings = ""
    for setting in SETTINGS.values():
        doc = f"{setting.doc} Default: {code(json.dumps(setting.default))}."
        settings += f"{setting.name}\n{fill(doc, 78, initial_indent=indent, subsequent_indent=indent)}\n"
    return _replaced(text, "other servers in Neovim:\n", f"\n{settings}\n", "An example: >lua")


def _replaced(text: str, begin: str, content: str, end: str) -> str:
    before, _, rest = text.partition(begin)
    return f"{before}{begin}{content}{end}{rest.partition(end)[2]}"


FILES = {
    MANIFEST: with_settings,
    FOLDER / "vscode" / "README.md": readme,
    FOLDER / "nvim" / "doc" / "rui.txt": help_page,
}
"""The files, each with the function that returns its new text."""

if __name__ == "__main__":
    for path, updated in FILES.items():
        path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
