"""The image and the description of a spec for links on other sites."""

import copy
import re
from html import unescape

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from tests.rui_api.live import Service, check_described, running
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import HOSTILE

UUID = "4be0643f-1d98-473b-97cd-ca98a65347dd"


def properties(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">', html)
    assert len(dict(found)) == len(found)
    return {name: unescape(content) for name, content in found}


def test_the_page_describes_its_card(service: Service) -> None:
    url = service.store(DESK)["viewUrl"]
    described = properties(service.client.get(f"{url}?q=orders").text)
    assert described["og:title"] == "Order desk"
    assert described["og:description"] == DESK["meta"]["description"]
    assert described["og:url"] == url
    assert described["og:image"] == f"{url}/card.png"
    assert described["og:image:type"] == "image/png"
    assert (described["og:image:width"], described["og:image:height"]) == ("1200", "630")
    assert described["og:image:alt"] == "Wireframe of Order desk: 2 pages, 5 blocks, 3 endpoints"
    assert described["twitter:card"] == "summary_large_image"


def test_the_card(service: Service) -> None:
    url = f"{service.store(DESK)['viewUrl']}/card.png"
    answer = service.client.get(url)
    check_described(answer)
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    again = service.client.get(url, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = service.client.head(url)
    assert (head.status_code, head.headers["content-length"]) == (200, str(len(answer.content)))
    same = service.client.get(f"{service.store(DESK)['viewUrl']}/card.png")
    assert same.headers["etag"] == answer.headers["etag"]
    other = copy.deepcopy(DESK)
    other["pages"].pop()
    other["navigation"]["items"].pop()
    changed = service.client.get(f"{service.store(other)['viewUrl']}/card.png")
    assert changed.headers["etag"] != answer.headers["etag"]


@pytest.mark.parametrize(("spec", "status"), [("x", 400), (UUID, 404), (UUID + "x", 400)])
def test_no_card_without_a_spec(service: Service, spec: str, status: int) -> None:
    answer = service.client.get(f"/specs/{spec}/card.png")
    assert answer.status_code == status
    check_described(answer)


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip() and text != "\ud800"])
def test_hostile_titles_are_escaped(service: Service, text: str) -> None:
    document = copy.deepcopy(DESK)
    document["meta"] = {"title": text, "description": text}
    html = service.client.get(service.store(document)["viewUrl"]).text
    head = html.partition("</head>")[0]
    assert head.count("<script") == 1
    assert "onerror=alert" not in re.sub(r'content="[^"]*"|<title>[^<]*</title>', "", head)
    described = properties(head)
    if text.isprintable() and len(text) < 300:
        assert described["og:title"] == text


@pytest.mark.parametrize("host", ["evil.example", 'x"><script>', "a b", "", "evil.example:99999"])
def test_a_configured_address_has_precedence_over_the_host(tmp_path, host: str) -> None:
    settings = Settings(store=f"sqlite:///{tmp_path}/rui.db", base_url="https://rui.example.org/tools")
    with running(create_app(settings)) as service:
        spec_id = service.store(DESK)["specId"]
        headers = {"Host": host, "X-Forwarded-Host": "forwarded.example", "X-Forwarded-Proto": "ftp"}
        answer = service.client.get(f"/specs/{spec_id}", headers=headers)
        if answer.status_code == 200:
            described = properties(answer.text)
            assert described["og:image"] == f"https://rui.example.org/tools/specs/{spec_id}/card.png"
        assert "forwarded.example" not in answer.text
        assert "<script>" not in answer.text


def test_forwarded_headers_of_strangers_are_ignored(service: Service) -> None:
    url = service.store(DESK)["viewUrl"]
    html = service.client.get(url, headers={"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}).text
    assert properties(html)["og:url"] == url
    assert "evil.example" not in html


def test_pages_without_a_card(service: Service) -> None:
    for path in ("/", "/docs", "/specs/x"):
        described = properties(service.client.get(path).text)
        assert described["twitter:card"] == "summary"
        assert "og:image" not in described
