"""The documentation pages over HTTP: every link leads to a page, and every page has an entity tag."""

import re
from html import unescape
from urllib.parse import urljoin

import pytest

from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS
from tests.rui_api.live import Service
from tests.rui_api.routes.test_home import check_page
from tests.rui_inspector.browser import DESK

PATHS = ["/docs", "/docs/vocabulary", "/docs/rules", "/docs/api"]
RULE_PATHS = [f"/docs/rules/{name}" for name in (*RULES, *WARNINGS, *MESSAGES)]


@pytest.mark.parametrize("path", [*PATHS, *RULE_PATHS])
def test_pages(service: Service, path: str) -> None:
    check_page(service.client.get(path), 200)


@pytest.mark.parametrize("word", ["R99", "r", "MISSING", "%3Cscript%3E", "R18%20", "%F0%9F%92%A9", "x" * 500])
def test_an_unknown_rule(service: Service, word: str) -> None:
    answer = service.client.get(f"/docs/rules/{word}")
    assert answer.status_code == 404
    assert "etag" not in answer.headers
    assert "There is no such rule" in answer.text
    assert "<script>" not in answer.text


def links_of(html: str) -> set[str]:
    return {unescape(link) for link in re.findall(r'(?:href|src|action)="([^"]*)"', html)}


def test_no_link_is_dead(service: Service) -> None:
    """All pages that can be reached from the front page and from a spec, with their anchors."""
    spec = service.store(DESK)["viewUrl"].removeprefix(service.url)
    pending = ["/", spec, f"{spec}/compare/{spec.rpartition('/')[2]}", "/docs/rules/R99", "/?example=wrong"]
    pages: dict[str, str] = {}
    anchors: dict[str, set[str]] = {}
    while pending:
        path = pending.pop()
        answer = service.client.get(path, follow_redirects=False)
        assert answer.status_code == 200 or path == "/docs/rules/R99", (path, answer.status_code)
        pages[path] = answer.text
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for link in links_of(answer.text):
            target, _, anchor = urljoin(path, link).partition("#")
            assert target.startswith("/"), (path, link)
            if target.endswith("/compare"):  # a form, which has a parameter
                continue
            if anchor:
                anchors.setdefault(target, set()).add(anchor)
            if target not in pages and target not in pending:
                pending.append(target)
    for path, names in anchors.items():
        ids = set(re.findall(r'id="([^"]*)"', pages[path]))
        assert names <= ids, (path, names - ids)
    assert {path for path in RULE_PATHS if path.rpartition("/")[2] in {*RULES, *WARNINGS}} <= pages.keys()
    assert {*PATHS, "/llms.txt"} <= pages.keys()
    assert "/api/docs" not in links_of(pages["/"]), "people get pages"


def test_the_faulty_example_of_a_rule_is_in_the_box(service: Service) -> None:
    for number, rule in RULES.items():
        html = service.client.get(f"/?example={number}").text
        assert rule.code in html
        assert f'href="/docs/rules/{number}"' in html
