"""Builds the extension for VS Code: one .vsix for every system, with the server and all that it imports inside.

    python -m editors.build_vsix [OUTPUT.vsix]

Of Python packages, ours and others', those modules are inside that the server may import, by what import statements
say (`editors.reachable`), without comments and docstrings (`editors.bare`), and nothing else. The same sources give the
same bytes: files are put in by name, with one fixed time, compressed by one library, and nothing that differs between
machines (byte code, compiled speed-ups) gets in. Node.js and npm bundle the extension's own TypeScript; packages come
from the registries that pip and npm are set up for.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape, quoteattr

from editors.archive import archive
from editors.bare import bare
from editors.reachable import reachable

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = ROOT / "editors" / "vscode"
OUTPUT = ROOT / "build" / "rui.vsix"

OURS = ("rui_common", "rui_lsp", "rui_inspector")
"""The packages of this project that the server is made of."""

BEGINNING = ("rui_lsp.main", "rui_lsp.features", "rui_lsp.diagnostics", "rui_lsp.commands")
"""Where the server begins, and the packages whose modules it imports by a name that it computes."""

LICENSES = "licenses"
"""The folder of the licences of other people's packages, beside them."""

NOTICE = """\
The packages in this folder are those of the names and versions that editors/bundled-requirements.txt of the RUI toolkit
lists, changed in this way: comments and docstrings are taken out, as are modules that the server never imports.
"""

DATA_OF = "rui_inspector"
"""The package whose files that are no modules are read when the server runs: templates, and what pages link to."""

STATIC = ("package.json", "language-configuration.json", "syntaxes", "media", "README.md", "CHANGELOG.md")


def build(output: Path = OUTPUT) -> Path:
    """Build the extension.

    Returns:
        Where it is.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=output.parent) as temporary:
        folder = Path(temporary)
        bundle_extension(folder)
        bundle_server(folder / "bundled")
        write_package(folder, output)
    return output


def bundle_extension(folder: Path) -> None:
    """The TypeScript as one file, and all that is shown as it is."""
    if not (EXTENSION / "node_modules").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=EXTENSION, check=True)
    subprocess.run(["npm", "run", "--silent", "check"], cwd=EXTENSION, check=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=EXTENSION, check=True)
    for name in STATIC:
        source = EXTENSION / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.exists():
            shutil.copy(source, folder / name)
    (folder / "dist").mkdir()
    for name in ("extension.js", "web.js"):
        shutil.copy(EXTENSION / "dist" / name, folder / "dist")


def bundle_server(folder: Path) -> None:
    """The server, what it imports, and the vocabulary to read."""
    libs = folder / "libs"
    libs.mkdir(parents=True)
    shutil.copy(EXTENSION / "bundled" / "rui_server.py", folder)
    shutil.copy(ROOT / "docs" / "vocabulary.md", folder)
    requirements = ROOT / "editors" / "bundled-requirements.txt"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([*command, "--no-deps", "--target", str(libs), "-r", str(requirements)], check=True)
    shutil.copy(EXTENSION / "bundled" / "typing_extensions.py", libs)
    for name in OURS:
        shutil.copytree(ROOT / name, libs / name)
    keep_licenses(libs)
    leave_out(libs)


def leave_out(libs: Path) -> None:
    """Take out what is neither a module that the server may import nor data that it reads."""
    named = (
        f"{package}.{path.stem}" for package in BEGINNING for path in libs.glob(f"{package.replace('.', '/')}/*.py")
    )
    needed = reachable(libs, [*BEGINNING, *named])
    for path in sorted(libs.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path in needed:
            path.write_text(bare(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
        elif not is_data(path.relative_to(libs)):
            path.unlink()


def is_data(path: Path) -> bool:
    """Whether a file is one to read, by its path in the folder of packages."""
    return path.parts[0] == LICENSES or (path.parts[0] == DATA_OF and path.suffix in {".html", ".css", ".js", ".svg"})


def keep_licenses(libs: Path) -> None:
    """The licences of packages, of whose records nothing else stays, under the package's name, and what was changed."""
    (libs / LICENSES).mkdir()
    (libs / LICENSES / "NOTICE").write_text(NOTICE)
    for path in libs.glob("*.dist-info/**/LICENSE*"):
        if path.is_file():
            package = path.relative_to(libs).parts[0].partition("-")[0]
            shutil.copy(path, libs / LICENSES / f"{package}-{path.name}")


def files(folder: Path) -> dict[str, bytes]:
    """Every file of the extension by its name in the package."""
    return {
        f"extension/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write_package(folder: Path, output: Path) -> None:
    """The files as an Open Packaging Conventions archive, which is what a .vsix is."""
    content = files(folder)
    described = {"extension.vsixmanifest": manifest(content), "[Content_Types].xml": content_types(content)}
    written = {name: text.encode() for name, text in described.items()}
    output.write_bytes(archive(written | content))


def content_types(content: dict[str, bytes]) -> str:
    """The media type of every sort of file in the package."""
    known = {".json": "application/json", ".js": "application/javascript", ".css": "text/css", ".md": "text/markdown",
             ".svg": "image/svg+xml", ".png": "image/png", ".py": "text/x-python", ".html": "text/html",
             ".vsixmanifest": "text/xml", ".txt": "text/plain"}  # fmt: skip
    suffixes = {Path(name).suffix for name in content} | {".vsixmanifest"}
    types = {suffix: known.get(suffix, "application/octet-stream") for suffix in sorted(suffixes - {""})}
    defaults = "".join(
        f"<Default Extension={quoteattr(suffix)} ContentType={quoteattr(kind)}/>" for suffix, kind in types.items()
    )
    plain = "".join(
        f'<Override PartName="/{escape(name)}" ContentType="text/plain"/>' for name in content if not Path(name).suffix
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{defaults}{plain}</Types>\n'
    )


def manifest(content: dict[str, bytes]) -> str:
    """What a workbench reads of the extension before it unpacks it."""
    about = json.loads(content["extension/package.json"])
    properties = {
        "Microsoft.VisualStudio.Code.Engine": about["engines"]["vscode"],
        "Microsoft.VisualStudio.Code.ExtensionKind": ",".join(about["extensionKind"]),
        "Microsoft.VisualStudio.Code.ExecutesCode": "true",
    }
    told = "".join(f"<Property Id={quoteattr(name)} Value={quoteattr(value)}/>" for name, value in properties.items())
    assets = {"Microsoft.VisualStudio.Code.Manifest": "package.json",
              "Microsoft.VisualStudio.Services.Content.Details": "README.md",
              "Microsoft.VisualStudio.Services.Icons.Default": about.get("icon")}  # fmt: skip
    listed = "".join(
        f'<Asset Type="{kind}" Path="extension/{path}" Addressable="true"/>'
        for kind, path in assets.items()
        if f"extension/{path}" in content
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
        f'<Metadata><Identity Language="en-US" Id={quoteattr(about["name"])} Version={quoteattr(about["version"])} '
        f"Publisher={quoteattr(about['publisher'])}/>"
        f"<DisplayName>{escape(about.get('displayName', about['name']))}</DisplayName>"
        f'<Description xml:space="preserve">{escape(about["description"])}</Description>'
        f"<Tags>{escape(','.join(about.get('keywords', ())))}</Tags>"
        f"<Categories>{escape(','.join(about.get('categories', ())))}</Categories>"
        f"<Properties>{told}</Properties></Metadata>"
        '<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>'
        f"<Assets>{listed}</Assets></PackageManifest>\n"
    )


if __name__ == "__main__":
    built = build(*map(Path, sys.argv[1:2]))
    print(f"{built}: {built.stat().st_size:,} bytes")
