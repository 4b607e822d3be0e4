"""Build the command line as one file that runs with any Python from 3.11: build/rui.pyz.

    python deploy/build_pyz.py [OUTPUT.pyz]

The file contains the packages that need only the standard library: `rui serve` and `rui lsp` name what to install.
"""

import shutil
import sys
import zipapp
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "build" / "rui.pyz"
PACKAGES = ("rui_cli", "rui_common", "rui_inspector", "rui_openapi")
INTERPRETER = "/usr/bin/env python3"

# Without annotations and newer syntax, so that an older Python prints the message.
MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("rui: Python 3.11 or newer is needed; this is %d.%d" % sys.version_info[:2])

from rui_cli.main import run

run()
"""


def build(output: Path = OUTPUT) -> Path:
    """Build the archive and return its path."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for package in PACKAGES:
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "__main__.py").write_text(MAIN, encoding="utf-8")
        zipapp.create_archive(folder, output, INTERPRETER, compressed=True)
    return output


if __name__ == "__main__":
    path = build(*map(Path, sys.argv[1:2]))
    print(f"{path}: {path.stat().st_size:,} bytes")
