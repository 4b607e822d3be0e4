"""Writes the settings of the language server into the manifest of the VS Code extension.

``python -m editors.make_settings``; `rui_lsp.session.settings` declares them.
"""

import json
from pathlib import Path

from rui_lsp.session.settings import SETTINGS

PACKAGE_JSON = Path(__file__).parent / "vscode" / "package.json"


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


if __name__ == "__main__":
    PACKAGE_JSON.write_text(with_settings(PACKAGE_JSON.read_text(encoding="utf-8")), encoding="utf-8")
