"""Builds the VS Code extension: one .vsix for every system that contains the server and its dependencies.

    python -m editors.build_vsix [OUTPUT.vsix]

The .vsix contains only the Python modules that the server can import, without comments and docstrings
(`editors.strip_docstrings`), byte code and compiled extension modules. With the same zlib, the same sources give the
same bytes: files are sorted by name and have a fixed time. Node.js and npm bundle the TypeScript. Packages come from
the registries that pip and npm are configured for.
"""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from modulefinder import ModuleFinder
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from editors.strip_docstrings import strip_docstrings

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = ROOT / "editors" / "vscode"
OUTPUT = ROOT / "build" / "rui.vsix"

OWN_PACKAGES = ("rui_common", "rui_lsp", "rui_inspector", "rui_openapi")
"""The packages of this project that the server uses."""

MAIN_MODULE = "rui_lsp.main"

NOT_RUN = ("jinja2.ext", "jinja2.sandbox")
"""Modules that the packages import for type checking only."""

LICENSES = "licenses"
"""The folder of the licences of third-party packages, inside the folder of packages."""

NOTICE = """\
The packages in this folder are those that editors/bundled-requirements.txt of the RUI toolkit lists, with these
changes: comments and docstrings are removed, and so are modules that the server never imports.
"""

DATA_PACKAGE = "rui_inspector"
"""The package whose data files (templates and static files) are read at run time."""

UNUSED_FOLDERS = {"docs", "playground"}
"""The folders of data files that only the service uses."""

UNUSED_FILES = {
    "copy.js", "inspector.js", "notes.js", "compare.css", "docs.css", "changes.html", "compare.html", "docs.html",
    "editor.html", "error.html", "front.html", "playground.html", "social.html", "spec.html",
}  # fmt: skip
"""Further data files that only the service uses."""

PICTURE = re.compile(r"\((?:\.\./)+docs/images/([\w-]+\.png)\)")
"""The address of a picture in a Markdown file."""

STATIC = ("package.json", "language-configuration.json", "syntaxes", "media", "README.md", "CHANGELOG.md")


def build(output: Path = OUTPUT) -> Path:
    """Build the extension and return the path of the .vsix."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=output.parent) as temporary:
        folder = Path(temporary)
        bundle_extension(folder)
        bundle_server(folder / "bundled")
        write_package(folder, output)
    return output


def install_packages() -> None:
    """Install the Node packages, unless those of the lock file are there. npm writes its copy of that file last."""
    npm = find_npm()
    installed = EXTENSION / "node_modules" / ".package-lock.json"
    lock = EXTENSION / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=EXTENSION, check=True)


def find_npm() -> str:
    """Return the path of npm, or end with one line."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is needed for the extension: install Node.js 18 or newer; on Debian and Ubuntu, apt install npm")
    return npm


def bundle_extension(folder: Path) -> None:
    """Bundle the TypeScript, and copy the static files."""
    install_packages()
    subprocess.run([find_npm(), "run", "--silent", "check"], cwd=EXTENSION, check=True)
    subprocess.run([find_npm(), "run", "--silent", "build"], cwd=EXTENSION, check=True)
    for name in STATIC:
        source = EXTENSION / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.exists():
            shutil.copy(source, folder / name)
    (folder / "dist").mkdir()
    shutil.copy(EXTENSION / "dist" / "extension.js", folder / "dist")
    bundle_pictures(folder)


def bundle_pictures(folder: Path) -> None:
    """Copy the pictures of the walkthrough into the package.

    The page of the extension, README.md, has none in the package: VS Code shows only pictures of the network there.
    """
    readme = folder / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines(keepends=True)
    readme.write_text("".join(line for line in lines if not PICTURE.search(line)), encoding="utf-8")
    pictures = folder / "media" / "pictures"
    pictures.mkdir()
    for page in (folder / "media" / "walkthrough").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name in PICTURE.findall(text):
            shutil.copy(ROOT / "docs" / "images" / name, pictures)
        page.write_text(PICTURE.sub(r"(../pictures/\1)", text), encoding="utf-8")


def bundle_server(folder: Path) -> None:
    """Copy the server, its dependencies and the page of the vocabulary."""
    libs = folder / "libs"
    libs.mkdir(parents=True)
    shutil.copy(EXTENSION / "bundled" / "rui_server.py", folder)
    shutil.copy(ROOT / "docs" / "vocabulary.md", folder)
    requirements = ROOT / "editors" / "bundled-requirements.txt"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([*command, "--no-deps", "--target", str(libs), "-r", str(requirements)], check=True)
    shutil.copy(EXTENSION / "bundled" / "typing_extensions.py", libs)
    for name in OWN_PACKAGES:
        shutil.copytree(ROOT / name, libs / name)
    copy_licenses(libs)
    remove_unused_files(libs)


def remove_unused_files(libs: Path) -> None:
    """Remove modules that the server cannot import, and files that it does not read. Strip the remaining modules."""
    needed = imported_files(libs)
    for path in sorted(libs.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path in needed and path.suffix == ".py":
            path.write_text(strip_docstrings(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
        elif not is_data(path.relative_to(libs)):
            path.unlink()


def imported_files(libs: Path) -> set[Path]:
    """Return the files of all modules that the server can import, those of the standard library included.

    Without the standard library, `modulefinder` also loses the modules of packages that have a name of it.
    """
    finder = ModuleFinder([str(libs), *map(sysconfig.get_path, ("stdlib", "platstdlib"))], excludes=NOT_RUN)
    finder.import_hook(MAIN_MODULE)
    return {Path(module.__file__) for module in finder.modules.values() if module.__file__ is not None}


def is_data(path: Path) -> bool:
    """Return whether a file is data, by its path relative to the folder of packages."""
    if path.parts[0] == LICENSES:
        return True
    if not UNUSED_FOLDERS.isdisjoint(path.parts) or path.name in UNUSED_FILES:
        return False
    return path.parts[0] == DATA_PACKAGE and path.suffix in {".html", ".css", ".js", ".svg"}


def copy_licenses(libs: Path) -> None:
    """Copy the packages' licences out of their metadata, which is removed, and add the notice of changes."""
    (libs / LICENSES).mkdir()
    (libs / LICENSES / "NOTICE").write_text(NOTICE)
    for path in libs.glob("*.dist-info/**/LICENSE*"):
        if path.is_file():
            package = path.relative_to(libs).parts[0].partition("-")[0]
            shutil.copy(path, libs / LICENSES / f"{package}-{path.name}")


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of the extension by their names in the package."""
    return {
        f"extension/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write_package(folder: Path, output: Path) -> None:
    """Write a .vsix, which is an Open Packaging Conventions archive."""
    content = files(folder)
    metadata = {
        "extension.vsixmanifest": manifest(content).encode(),
        "[Content_Types].xml": content_types(content).encode(),
    }
    with ZipFile(output, "w") as archive:
        for name, data in (metadata | content).items():
            info = ZipInfo(name)  # of 1 January 1980
            info.external_attr = 0o100644 << 16  # a file that everyone can read
            archive.writestr(info, data, ZIP_DEFLATED, compresslevel=9)


def content_types(content: dict[str, bytes]) -> str:
    """Return ``[Content_Types].xml``: the media type of every file name suffix."""
    known = {".json": "application/json", ".js": "application/javascript", ".css": "text/css", ".md": "text/markdown",
             ".svg": "image/svg+xml", ".png": "image/png", ".py": "text/x-python", ".html": "text/html",
             ".vsixmanifest": "text/xml", ".txt": "text/plain"}  # fmt: skip
    suffixes = {Path(name).suffix for name in content} | {".vsixmanifest"}
    types = {suffix: known.get(suffix, "application/octet-stream") for suffix in sorted(suffixes - {""})}
    defaults = "".join(
        f"<Default Extension={quoteattr(suffix)} ContentType={quoteattr(kind)}/>" for suffix, kind in types.items()
    )
    overrides = "".join(
        f'<Override PartName="/{escape(name)}" ContentType="text/plain"/>' for name in content if not Path(name).suffix
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{defaults}{overrides}</Types>\n'
    )


def manifest(content: dict[str, bytes]) -> str:
    """Return ``extension.vsixmanifest``, derived from the extension's ``package.json``."""
    package = json.loads(content["extension/package.json"])
    properties = {
        "Microsoft.VisualStudio.Code.Engine": package["engines"]["vscode"],
        "Microsoft.VisualStudio.Code.ExtensionKind": ",".join(package["extensionKind"]),
        "Microsoft.VisualStudio.Code.ExecutesCode": "true",
    }
    property_elements = "".join(
        f"<Property Id={quoteattr(name)} Value={quoteattr(value)}/>" for name, value in properties.items()
    )
    assets = {"Microsoft.VisualStudio.Code.Manifest": "package.json",
              "Microsoft.VisualStudio.Services.Content.Details": "README.md",
              "Microsoft.VisualStudio.Services.Icons.Default": package.get("icon")}  # fmt: skip
    asset_elements = "".join(
        f'<Asset Type="{kind}" Path="extension/{path}" Addressable="true"/>'
        for kind, path in assets.items()
        if f"extension/{path}" in content
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
        f'<Metadata><Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} '
        f"Publisher={quoteattr(package['publisher'])}/>"
        f"<DisplayName>{escape(package.get('displayName', package['name']))}</DisplayName>"
        f'<Description xml:space="preserve">{escape(package["description"])}</Description>'
        f"<Tags>{escape(','.join(package.get('keywords', ())))}</Tags>"
        f"<Categories>{escape(','.join(package.get('categories', ())))}</Categories>"
        f"<Properties>{property_elements}</Properties></Metadata>"
        '<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>'
        f"<Assets>{asset_elements}</Assets></PackageManifest>\n"
    )


if __name__ == "__main__":
    vsix = build(*map(Path, sys.argv[1:2]))
    print(f"{vsix}: {vsix.stat().st_size:,} bytes")
