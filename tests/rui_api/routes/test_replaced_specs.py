"""The page of a spec that replaces another one opens with what changed since."""

import copy
import json
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.commands.store import main as store_command
from rui_api.config.options import Settings
from tests.rui_api.live import UUID, Service, running
from tests.rui_api.routes.test_home import check_page
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import HOSTILE, check


def replacing(spec_id: object, text: str = json.dumps(DESK)) -> dict[str, object]:
    document = json.loads(text)
    document["meta"]["replaces"] = spec_id
    return document


LATER = json.dumps(DESK).replace("every five minutes", "every ten minutes")


def test_the_page_opens_with_the_changes(service: Service) -> None:
    old = service.store(DESK)["specId"]
    new = service.store(replacing(old, LATER))["specId"]
    page = service.client.get(f"/specs/{new}")
    comparison = f"/specs/{old}/compare/{new}"
    html = check_page(
        page, 200, "What changed since", f'href="/specs/{old}"', "<del>five</del> <ins>ten</ins>",
        f'href="{comparison}"',
    )  # fmt: skip
    check(page.text)
    assert html.index("What changed since") < html.index('id="SCREENS"')
    assert service.client.get(comparison).status_code == 200


@pytest.mark.parametrize(("value", "words"), [
    (UUID, "there is no such spec here"), ("x", "this is no id of a spec"), ("", "this is no id of a spec"),
    (5, "this is no id of a spec"), ({"id": UUID}, "this is no id of a spec"),
    *[(text, "this is no id of a spec") for text in HOSTILE if text != "\ud800"],
])  # fmt: skip
def test_what_cannot_be_compared_is_named(service: Service, value: object, words: str) -> None:
    page = service.client.get(f"/specs/{service.store(replacing(value))['specId']}")
    assert "What changed since" not in check_page(page, 200, "Replaces <code", words)
    check(page.text)


def test_a_document_without_it_has_no_such_section(service: Service) -> None:
    document = copy.deepcopy(DESK)
    document["meta"]["note"] = '"replaces"'
    assert "Replaces <code" not in service.client.get(f"/specs/{service.store(document)['specId']}").text


def test_a_deleted_spec_is_named(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'rui.db'}"
    with running(create_app(Settings(store=store))) as service:
        old = service.store(DESK)["specId"]
        new = service.store(replacing(old, LATER))["specId"]
        before = service.client.get(f"/specs/{new}")
        assert store_command(["delete", old, "--reason", "a complaint", "--store", store]) == 0
        after = service.client.get(f"/specs/{new}", headers={"If-None-Match": before.headers["etag"]})
    assert "What changed since" in before.text
    assert "the operator of this service deleted this spec" in check_page(after, 200)
