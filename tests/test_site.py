"""The documentation as a site: it is built in strict mode, and every rule has an address."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rui_common.problems.lints import WARNINGS
from rui_common.version import DOCUMENTATION_URL, RUI_VERSION
from rui_common.vocabulary.queries import rule_url
from rui_common.vocabulary.rules import RULES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. In strict mode, a dead link and a page outside of the navigation are errors (mkdocs.yml)."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def file_of(site: Path, address: str) -> Path:
    """Return the file at an address of the site."""
    path = urlsplit(address).path
    assert address.startswith(f"{DOCUMENTATION_URL}/")
    file = site / path.removeprefix(urlsplit(DOCUMENTATION_URL).path).lstrip("/")
    return file / "index.html" if file.is_dir() else file


def test_nothing_is_loaded_from_other_sites(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(RULES), "the site has no page for each rule"
    for page in pages:
        loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text())
        assert [url for url in loaded if not url.startswith(DOCUMENTATION_URL)] == [], page


def test_every_rule_has_the_address_that_diagnostics_link_to(site: Path) -> None:
    titles = {number: f"{number} {rule.code}" for number, rule in RULES.items()}
    for name, title in (titles | {name: name for name in WARNINGS}).items():
        assert f">{title}<" in file_of(site, rule_url(DOCUMENTATION_URL, name)).read_text()


def test_the_address_is_declared_once(site: Path) -> None:
    assert "site_url" not in (ROOT / "mkdocs.yml").read_text()
    assert f"<loc>{DOCUMENTATION_URL}/rules/R18/</loc>" in (site / "sitemap.xml").read_text()
    catalog = json.loads((ROOT / "editors" / "schema-catalog.json").read_text())
    for schema in catalog["schemas"]:
        assert file_of(site, schema["url"]).exists()
        assert schema["fileMatch"] == ["*.rui.json"] and schema["versions"] == {RUI_VERSION: schema["url"]}
