"""``python -m rui_common.describe docs`` writes the generated files into the folder ``docs``."""

from __future__ import annotations

import sys
from pathlib import Path

from rui_common.describe.generated import generated_files


def main(arguments: list[str]) -> int:
    """Write every generated file into the folder that is named; 2 when none is."""
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
