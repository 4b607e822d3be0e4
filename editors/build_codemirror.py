"""Builds CodeMirror as one module for the playground: rui_inspector/static/playground/codemirror.js.

    python -m editors.build_codemirror

The result is committed. npm installs the exact versions of editors/codemirror/package-lock.json, and esbuild bundles
them: the same sources give the same bytes. The licences of the packages are at the beginning of the file.
"""

import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "editors" / "codemirror"
OUTPUT = ROOT / "rui_inspector" / "static" / "playground" / "codemirror.js"
FLAGS = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--legal-comments=none")


def build() -> bytes:
    """Install the packages into a temporary folder, and return the bundle."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for source in SOURCES.iterdir():
            if source.is_file():
                shutil.copy(source, folder)
        _run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        esbuild = folder / "node_modules" / ".bin" / "esbuild"
        _run(folder, str(esbuild), "entry.mjs", *FLAGS, "--metafile=meta.json", "--outfile=bundle.js")
        inputs = json.loads((folder / "meta.json").read_text())["inputs"]
        return _licences(folder, inputs).encode() + (folder / "bundle.js").read_bytes()


def _licences(folder: Path, inputs: dict[str, object]) -> str:
    """Return a comment with the licences of the packages whose files are in the bundle."""
    names = sorted({_package(path) for path in inputs if path.startswith("node_modules/")})
    packages: dict[str, list[str]] = {}
    for name in names:
        package = folder / "node_modules" / name
        version = json.loads((package / "package.json").read_text())["version"]
        packages.setdefault((package / "LICENSE").read_text().strip(), []).append(f"{name} {version}")
    parts = [f"{', '.join(names)}\n\n{text}" for text, names in packages.items()]
    return "/*!\n" + "\n\n\n".join(parts) + "\n*/\n"


def _package(path: str) -> str:
    """Return the package that a file of node_modules belongs to."""
    parts = path.split("/")[1:]
    return "/".join(parts[:2]) if parts[0].startswith("@") else parts[0]


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_bytes(build())
    print(f"{OUTPUT.relative_to(ROOT)}: {OUTPUT.stat().st_size:,} bytes")
