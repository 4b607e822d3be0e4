"""Hooks of MkDocs (mkdocs.yml): pages from outside of docs/, and a page for each rule.

A link to a file of the repository that is not on the site becomes plain text.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from rui_common.describe.rule_pages import pages_of
from rui_common.version import DOCUMENTATION_URL

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
FOLDER = "docs"
OTHER_SOURCES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "editors/README.md": "editors.md",
    "eval/README.md": "eval.md",
    "benchmarks/README.md": "benchmarks.md",
    "tests/cases/README.md": "cases.md",
}
"""Source in the repository → page of the site, for pages that are not in docs/."""

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the address of the site, which is declared once for links of editors and of the site."""
    config.site_url = os.environ.get("READTHEDOCS_CANONICAL_URL") or f"{DOCUMENTATION_URL}/"
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for source, uri in OTHER_SOURCES.items():
        files.append(File.generated(config, uri, content=(ROOT / source).read_text(encoding="utf-8")))
    for rule in pages_of():
        files.append(File.generated(config, f"rules/{rule.number}.md", content=rule.markdown()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Rewrite the links of a page from files of the repository to pages of the site."""
    sources = {uri: source for source, uri in OTHER_SOURCES.items()}
    source = sources.get(page.file.src_uri, f"{FOLDER}/{page.file.src_uri}")
    parts = _FENCE.split(markdown)
    parts[::2] = [_LINK.sub(lambda link: _rewritten(link, source, page, files), part) for part in parts[::2]]
    return "".join(parts)


def _rewritten(link: re.Match[str], source: str, page: Page, files: Files) -> str:
    mark, text, target = link.groups()
    path, hash_, anchor = target.partition("#")
    if not path or "://" in path or path.startswith("mailto:"):
        return link[0]
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    uri = OTHER_SOURCES.get(wanted, wanted.removeprefix(f"{FOLDER}/"))
    if files.get_file_from_path(uri) is None:
        return text
    relative = posixpath.relpath(uri, posixpath.dirname(page.file.src_uri) or ".")
    return f"{mark}[{text}]({relative}{hash_}{anchor})"
