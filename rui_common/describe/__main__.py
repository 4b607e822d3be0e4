"""Generate the files of ``docs/`` that describe the vocabulary: ``python -m rui_common.describe docs``."""

import json
import sys
from pathlib import Path

from rui_common.describe.json_schema import json_schema
from rui_common.describe.rule_pages import rules_markdown
from rui_common.describe.typescript import typescript
from rui_common.describe.vocabulary_json import vocabulary_payload
from rui_common.describe.vocabulary_page import vocabulary_markdown
from rui_common.version import RUI_VERSION


def generated_files() -> dict[str, str]:
    return {
        "rules.md": rules_markdown(),
        "vocabulary.md": f"{vocabulary_markdown()}\n`make docs` generates this page from the vocabulary.\n",
        f"rui-{RUI_VERSION}.d.ts": typescript(),
        f"rui-{RUI_VERSION}.schema.json": _to_json(json_schema()),
        f"vocabulary-{RUI_VERSION}.json": _to_json(vocabulary_payload()),
    }


def _to_json(value: dict[str, object]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the generated files into the folder that is the only argument; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m rui_common.describe FOLDER", file=sys.stderr)  # noqa: T201  a command line
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in generated_files().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
