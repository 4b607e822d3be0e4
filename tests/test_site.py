"""The documentation as a site: it is built in strict mode, no link is dead, and every rule has an address."""

import json
import re
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from docs.site_hooks import OTHER_SOURCES
from rui_common.version import DOCUMENTATION_URL
from rui_common.vocabulary.queries import rule_url
from rui_common.vocabulary.rules import RULES, WARNINGS

ROOT = Path(__file__).parents[1]
BASE_PATH = urlsplit(DOCUMENTATION_URL).path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def file_of(site: Path, page: Path, path: str) -> Path:
    """Return the file that a link leads to."""
    target = page
    if path.startswith("/"):
        assert path.startswith(BASE_PATH)
        target = site / path.removeprefix(BASE_PATH).lstrip("/")
    elif path:
        target = page.parent / path
    target = target.resolve()
    if target.is_dir():
        target /= "index.html"
    return target


@cache
def anchors_of(page: Path) -> set[str]:
    return {unescape(name) for name in re.findall(r'\b(?:id|name)="([^"]+)"', page.read_text())}


def is_dead(link: str, page: Path, site: Path) -> bool:
    url = urlsplit(unescape(link))
    if url.scheme or url.netloc:
        return False
    target = file_of(site, page, unquote(url.path))
    if target.exists() and url.fragment and target.suffix == ".html":
        return unquote(url.fragment) not in anchors_of(target)
    return not target.exists()


def test_no_link_is_dead_and_nothing_is_loaded_from_other_sites(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text()
        links = set(re.findall(r'(?:href|src)="([^"]*)"', text))
        assert [link for link in links if is_dead(link, page, site)] == [], page
        loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]*)"', text)
        assert [url for url in loaded if not url.startswith(DOCUMENTATION_URL)] == [], page


def test_every_rule_has_the_address_that_diagnostics_link_to(site: Path) -> None:
    titles = {number: f"{number} {rule.code}" for number, rule in RULES.items()}
    for name, title in (titles | {name: name for name in WARNINGS}).items():
        path = urlsplit(rule_url(DOCUMENTATION_URL, name)).path
        assert f">{title}<" in file_of(site, site, path).read_text()


def test_every_page_is_in_the_navigation(site: Path) -> None:
    index = (site / "index.html").read_text()
    for source in [*(ROOT / "docs").glob("*.md"), *map(Path, OTHER_SOURCES.values())]:
        name = source.stem
        if name != "index":
            assert f'href="{name}/"' in index, name


def test_the_address_is_declared_once(site: Path) -> None:
    assert f"<{DOCUMENTATION_URL}>" in (ROOT / "README.md").read_text()
    assert "site_url" not in (ROOT / "mkdocs.yml").read_text()
    assert f"<loc>{DOCUMENTATION_URL}/rules/R18/</loc>" in (site / "sitemap.xml").read_text()
    catalog = json.loads((ROOT / "editors" / "schema-catalog.json").read_text())
    for schema in catalog["schemas"]:
        assert schema["url"].startswith(f"{DOCUMENTATION_URL}/")
        assert file_of(site, site, urlsplit(schema["url"]).path).exists()


def test_read_the_docs_builds_the_same_site() -> None:
    settings = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text())
    assert (ROOT / settings["mkdocs"]["configuration"]).exists()
    assert settings["mkdocs"]["fail_on_warning"]
    assert any("--group docs" in command for command in settings["build"]["jobs"]["install"])
