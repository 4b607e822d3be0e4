"""`rui impact`: two descriptions, documents of files and stores, formats, exit codes and bad arguments."""

import asyncio
import json
from pathlib import Path

import pytest

from rui_api.routes.specs import new_spec
from rui_api.store.availability import StoreOptions
from rui_api.store.factory import opened_store
from tests.rui_cli.running import rui
from tests.rui_openapi.shop import SHOP, metric, table

RENAMED = SHOP.replace("/summary:", "/summaries:")
SENTENCE = "/summary is gone: Label on page Home of a reads it."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two descriptions and two documents."""
    (tmp_path / "old.yaml").write_text(SHOP)
    (tmp_path / "new.yaml").write_text(RENAMED)
    (tmp_path / "a.rui.json").write_text(metric("/summary", "data.open"))
    (tmp_path / "b.rui.json").write_text(table("/orders", "items"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_documents_of_the_current_folder_are_compared() -> None:
    ran = rui("impact", "old.yaml", "new.yaml")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith(f"1 of 2 documents breaks.\n\n{SENTENCE}\n")
    assert 'Did you mean "/summaries"?' in ran.out


def test_named_documents_alone(folder: Path) -> None:
    assert rui("impact", "old.yaml", "new.yaml", "b.rui.json") == (
        0,
        "Nothing breaks: 1 document reads 1 operation.\n\n1 removed operation is read by no document.\n",
        "",
    )
    ran = rui("impact", "old.yaml", "new.yaml", "-", "--stdin-filename", "c.rui.json",
              stdin=(folder / "a.rui.json").read_bytes())  # fmt: skip
    assert ran.code == 1
    assert "on page Home of c reads it" in ran.out


def test_markdown_and_json() -> None:
    assert "- `/summary` is gone: **Label** on page **Home** of a reads it." in (
        rui("impact", "old.yaml", "new.yaml", "--format", "markdown").out
    )
    found = json.loads(rui("impact", "old.yaml", "new.yaml", "--format", "json").out)
    assert found["breaks"] == [{
        "sentence": SENTENCE,
        "code": "UNKNOWN_PATH",
        "places": [{
            "document": "a",
            "path": "pages[0].children[0].children[0].binding.path",
            "message": 'The API has no GET operation at "/summary".',
            "hint": 'Use a path of the OpenAPI description. Did you mean "/summaries"?',
        }],
    }]  # fmt: skip
    assert {key: found[key] for key in ("documents", "broken", "removed", "unread")} == {
        "documents": 2, "broken": 1, "removed": ["/summary"], "unread": [],
    }  # fmt: skip


@pytest.mark.parametrize(("arguments", "error"), [
    ((), "rui impact: name two OpenAPI descriptions, the old one and the new one; see rui impact --help\n"),
    (("old.yaml",), "rui impact: name two OpenAPI descriptions, the old one and the new one; see rui impact --help\n"),
    (("old.yaml", "no.yaml"), "rui impact: cannot read no.yaml: no such file or directory\n"),
    (("a.rui.json", "old.yaml"),
     "rui impact: a.rui.json is a document: name the two OpenAPI descriptions first; see rui impact --help\n"),
    (("-", "old.yaml"), "rui impact: a description is no standard input: name a file; see rui impact --help\n"),
])  # fmt: skip
def test_bad_arguments(arguments: tuple[str, ...], error: str) -> None:
    assert rui("impact", *arguments) == (2, "", error)


def test_a_document_that_cannot_be_read_is_named_and_the_others_go_on() -> None:
    ran = rui("impact", "old.yaml", "new.yaml", "a.rui.json", "no.rui.json")
    assert (ran.code, ran.err) == (2, "rui impact: cannot read no.rui.json: no such file or directory\n")
    assert SENTENCE in ran.out


def test_a_broken_document_is_compared_as_far_as_it_can_be_read(folder: Path) -> None:
    (folder / "a.rui.json").write_text(metric("/summary", "data.open").replace('"Label"', '"Lab"el"'))
    assert rui("impact", "old.yaml", "new.yaml", "a.rui.json").code == 1


def test_a_reference_that_leads_nowhere_is_said(folder: Path) -> None:
    """What it refers to is not compared: without the note, nothing would seem to break."""
    (folder / "new.yaml").write_text(SHOP.replace("#/components/schemas/Summary", "parts.yaml#/Summary"))
    ran = rui("impact", "old.yaml", "new.yaml", "a.rui.json")
    assert (ran.code, ran.out) == (0, "Nothing breaks: 1 document reads 1 operation.\n")
    assert ran.err == "rui impact: note: cannot read parts.yaml: no such file or directory\n"


def test_paths_that_have_moved_have_no_hint_each(folder: Path) -> None:
    (folder / "a.rui.json").write_text(metric("/v1/summary", "data.open"))
    (folder / "new.yaml").write_text(SHOP.replace("shop.example/v1", "shop.example/v2"))
    ran = rui("impact", "old.yaml", "new.yaml", "a.rui.json")
    assert ran.out == (
        "1 of 1 document breaks.\n\n6 paths that began with /v1 begin with /v2 now: "
        "Label on page Home of a reads one.\n"
    )
    assert json.loads(rui("check", "--openapi", "new.yaml", "--format", "json", "a.rui.json").out)[0]["hint"].endswith(
        'Did you mean "/v2/summary"?'
    )


def stored(folder: Path, *texts: str) -> str:
    """Return the URL of a store with documents."""
    url = f"sqlite:///{folder}/rui.db"

    async def store() -> list[str]:
        async with opened_store(url, StoreOptions()) as opened:
            specs = [new_spec(text.encode(), "sha256:" + "0" * 64) for text in texts]
            for spec in specs:
                await opened.store(spec)
            return [spec.spec_id for spec in specs]

    folder_ids = asyncio.run(store())
    assert len(folder_ids) == len(texts)
    return url


def test_stored_documents_that_no_other_one_replaces(folder: Path) -> None:
    url = stored(folder, metric("/summary", "data.open"))
    [line] = rui("store", "list", "--store", url).out.splitlines()
    spec_id = line.split()[0]
    ran = rui("impact", "old.yaml", "new.yaml", "--store", url)
    assert (ran.code, ran.err) == (1, "")
    assert f"Label on page Home of ({spec_id}) reads it" in ran.out
    value = json.loads(table("/orders", "items"))
    value["meta"] = {"title": "Shop", "replaces": spec_id}
    stored(folder, json.dumps(value))
    ran = rui("impact", "old.yaml", "new.yaml", "--store", url)
    assert ran.out.startswith("Nothing breaks: 1 document reads 1 operation.")


@pytest.mark.parametrize(("pattern", "count"), [
    ("/summary", 1), ("/sum*", 1), ("*", 2), ("/orders", 1), ("/order", 0), ("/orders?*", 1),
])  # fmt: skip
def test_the_list_of_a_store_by_endpoint(folder: Path, pattern: str, count: int) -> None:
    url = stored(folder, metric("/summary", "data.open"), table("/orders?page=1", "items"))
    assert len(rui("store", "list", "--store", url, "--endpoint", pattern).out.splitlines()) == count


def test_a_store_that_is_not_there(folder: Path) -> None:
    ran = rui("impact", "old.yaml", "new.yaml", "--store", f"sqlite:///{folder}/no.db")
    assert ran.code == 2
    assert ran.err.startswith("rui impact: ")
    assert ran.err.count("\n") == 1
