"""`rui diff`: what changes in three formats, its exit codes, and git as its caller."""

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rui_common.describe import full_example, minimal_example
from rui_common.document_files import MAX_FILE_BYTES
from rui_common.hashing import content_hash
from rui_common.versions.replaced import version_hash
from rui_common.versions.sentences import plain
from rui_inspector.escape import escape_markdown
from tests.rui_cli.running import rui
from tests.rui_inspector.pages import HOSTILE, with_text_everywhere
from tests.rui_openapi.shop import SHOP, metric
from tests.support.examples import DESK

ROOT = Path(__file__).parents[3]


def later() -> dict[str, object]:
    document = copy.deepcopy(DESK)
    figures, latest = document["pages"][0]["children"]
    figures["children"][0]["label"] = "Open orders today"
    figures["children"][1]["binding"]["path"] = "/api/pickups"
    latest["children"][1]["content"] = "Orders are refreshed every ten minutes."
    document["pages"].pop()
    document["navigation"]["items"].pop()
    return document


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two versions of a document, ``old.rui.json`` and ``new.rui.json``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.rui.json").write_text(json.dumps(DESK))
    (tmp_path / "new.rui.json").write_text(json.dumps(later()))
    return tmp_path


SUMMARY = [
    "Page **Stock** is gone.",
    "Endpoint `/api/stock/low` is no longer read.",
    "**Next pick-up** reads `/api/pickups` instead of `/api/orders/summary`.",
    "**Open orders** is now called **Open orders today**.",
    "The text in section **Latest orders** says “every ten minutes.” instead of “every five minutes.”",
]


def test_text(folder: Path) -> None:
    expected = "\n".join(["Order desk old.rui.json → new.rui.json", *map(plain, SUMMARY), ""])
    arguments = ("diff", "old.rui.json", "new.rui.json")
    assert rui(*arguments) == (1, expected, "")
    coloured = rui(*arguments, is_terminal=True, environment={"TERM": "xterm"}).out
    assert "Page \x1b[1mStock\x1b[0m is gone." in coloured
    assert "\x1b[35m/api/pickups\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == expected


def test_markdown(folder: Path) -> None:
    ran = rui("diff", "--format", "markdown", "old.rui.json", "new.rui.json")
    lines = ["### Order desk", "", "`old.rui.json → new.rui.json`", "", *(f"- {line}" for line in SUMMARY)]
    assert (ran.code, ran.out) == (1, "\n".join([*lines, ""]))


def test_only_the_text_has_the_encoding_of_the_terminal(folder: Path) -> None:
    outs = {
        name: rui("diff", "old.rui.json", "new.rui.json", "--format", name, encoding="cp1252").out
        for name in ("text", "markdown")
    }
    assert {name: "“every ten minutes.”" in out for name, out in outs.items()} == {"text": False, "markdown": True}


def test_all_changes_follow_a_summary_that_lacks_some(folder: Path) -> None:
    document = later()
    document["meta"] |= {"title": "Desk", "owner": "A"}
    table = document["pages"][0]["children"][1]["children"][0]
    table["columns"].reverse()
    table["filter"]["options"].pop()
    document["pages"][0]["description"] = "x"
    document["pages"][0]["children"][0]["title"] = "Now"
    document["navigation"]["items"].append({"pageId": "today", "label": "Again"})
    (folder / "new.rui.json").write_text(json.dumps(document))
    text = rui("diff", "old.rui.json", "new.rui.json").out
    summary, *details = text.split("\n\n")
    assert summary.split("\n")[-2:] == ["And 5 more changes.", "Not visible to users: meta."]
    assert [part.split("\n")[0] for part in details] == ["App", "Page Today", "Page Stock", "Navigation"]
    assert details[-1] == "Navigation\n  Navigation item Again is new.\n"
    markdown = rui("diff", "old.rui.json", "new.rui.json", "--format", "markdown").out
    assert (
        "- Not visible to users: `meta`.\n\n<details><summary>All changes</summary>\n\n#### App\n\n- The app "
        in markdown
    )
    assert markdown.endswith("#### Navigation\n\n- Navigation item **Again** is new.\n\n</details>\n")


def test_json(folder: Path) -> None:
    ran = rui("diff", "old.rui.json", "new.rui.json", "--format", "json")
    assert (ran.code, ran.out.count("\n")) == (1, 1)
    found = json.loads(ran.out)
    assert found["before"] == {"file": "old.rui.json", "title": "Order desk", "errors": 0}
    assert found["same"] is False
    assert found["summary"] == [*map(plain, SUMMARY)]
    assert found["changes"][0] == {
        "kind": "removed", "area": "pages", "sentence": "Page Stock is gone.", "before": "pages[1]", "after": None,
    }  # fmt: skip
    metric = "pages[0].children[0].children[1].binding.path"
    in_data = [change for change in found["changes"] if change["area"] == "data"]
    assert [(change["kind"], change["before"], change["after"]) for change in in_data] == [
        ("removed", "pages[1].children[0].children[0].binding.path", None), ("changed", metric, metric),
    ]  # fmt: skip


def test_the_same_document(folder: Path) -> None:
    for name, expected in (("text", ""), ("markdown", "the same"), ("json", '"same": true')):
        ran = rui("diff", "old.rui.json", "old.rui.json", "--format", name)
        assert (ran.code, ran.err) == (0, "")
        assert expected in ran.out
        assert bool(ran.out) is bool(expected)
    (folder / "new.rui.json").write_text(json.dumps(dict(reversed(DESK.items())), indent=7))
    ran = rui("diff", "old.rui.json", "new.rui.json")
    assert ran.code == 0
    assert ran.out.endswith("The content is the same; only the layout of the text differs.\n")


def test_standard_input_and_absent_documents(folder: Path) -> None:
    text = (folder / "old.rui.json").read_text()
    for arguments, expected in (
        (("-", "new.rui.json"), "<stdin> → new.rui.json"),
        (("/dev/null", "new.rui.json"), "The document is new."),
        (("new.rui.json", "/dev/null"), "The document is removed."),
        ((os.devnull, "new.rui.json"), "endpoint /api/pickups"),
    ):
        ran = rui("diff", *arguments, stdin=text)
        assert ran.code == 1
        assert expected in ran.out


def test_an_invalid_document_is_compared_as_far_as_it_can_be_read(folder: Path) -> None:
    (folder / "new.rui.json").write_text(json.dumps(later()).replace('"version": "0.1"', '"version": 1'))
    ran = rui("diff", "old.rui.json", "new.rui.json")
    assert ran.code == 1
    assert "new.rui.json, the new version, has 1 error; it is compared as far as it can be read.\n" in ran.out
    assert "The change adds 1 error: new.rui.json:1:" in ran.out
    assert "Page Stock is gone.\n" in ran.out
    back = rui("diff", "new.rui.json", "old.rui.json").out
    assert "new.rui.json, the old version, has 1 error; it is compared as far as it can be read.\n" in back
    assert "The change repairs 1 error: new.rui.json:1:" in back
    same = rui("diff", "new.rui.json", "new.rui.json").out
    assert "The change" not in same


def test_a_document_with_a_syntax_error_is_not_compared(folder: Path) -> None:
    text = json.dumps(later(), indent=1)
    (folder / "new.rui.json").write_text(text.replace('"label": "Next pick-up",', '"label": "Next pick-up"'))
    line = text[: text.index('"label": "Next pick-up"')].count("\n") + 1
    ran = rui("diff", "old.rui.json", "new.rui.json")
    assert (ran.code, ran.out) == (2, "")
    assert re.match(rf"rui diff: new\.rui\.json:({line}|{line + 1}):\d+: ", ran.err)


def test_errors(folder: Path) -> None:
    for arguments, expected in (
        ((), "name two documents, or revisions of git; see rui diff --help"),
        (("a",), "a is no file, and no revision of git"),
        (("a", "b", "c"), "name two documents, or revisions of git; see rui diff --help"),
        (("-", "-"), "only one of the documents can come from standard input; see rui diff --help"),
        (("none", "new.rui.json"), "cannot read none: no such file or directory"),
    ):
        assert rui("diff", *arguments) == (2, "", f"rui diff: {expected}\n")


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_hostile_text_is_inert(folder: Path, text: str) -> None:
    (folder / "new.rui.json").write_text(json.dumps(with_text_everywhere(text)))
    arguments = ("diff", "old.rui.json", "new.rui.json", "--format")
    shown, markdown = rui(*arguments, "text"), rui(*arguments, "markdown")
    assert shown.code == markdown.code == 1 + (text == "\ud800")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", shown.out + markdown.out)
    assert not re.search(r"<(?!/?(?:details|summary|code)>)", re.sub(r"`[^`\n]*`", "", markdown.out))


@pytest.mark.parametrize(("text", "expected"), [
    ("@octo-org closes #12, GH-3", "@\u200bocto-org closes \\#\u200b12, GH-\u200b3"),
    ("![x](https://x.example/y)", "!\\[x\\](https://\u200bx.example/y)"),
    ("<img src=x> & *b* _c_ `d`", "&lt;img src=x&gt; &amp; \\*b\\* \\_c\\_ \\`d\\`"),
    ("- item", "\\- item"), ("1. item", "1\\. item"), ("a - b. c", "a - b. c"), (":smile:", "\\:smile:"),
    ("a\nb", "a↵b"), ("a\x1bb", "a\\\\u001bb"),
])  # fmt: skip
def test_markdown_shows_texts_as_they_are(text: str, expected: str) -> None:
    assert escape_markdown(text) == expected


# With git -------------------------------------------------------------------------------------------------------------

LIKE_AN_OPTION = "--format=html.rui.json"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Author", "-c", "user.email=author@example.com"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def documented(start: str) -> str:
    """Return the command of `docs/comparing.md` that starts with a text."""
    return (ROOT / "docs" / "comparing.md").read_text().split(f"\n{start} '")[1].split("'")[0]


def test_git_with_the_documented_configuration(tmp_path: Path) -> None:
    """Documents are changed, added, removed and renamed, and another file is changed."""
    git(tmp_path, "init", "--quiet")
    for name in ("a.rui.json", "same.rui.json"):
        (tmp_path / name).write_text(json.dumps(DESK))
    (tmp_path / "gone.rui.json").write_text(json.dumps(full_example(), indent=3))
    (tmp_path / "old name.rui.json").write_text(json.dumps(DESK, indent=1))
    (tmp_path / "notes.txt").write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    (tmp_path / "a.rui.json").write_text(json.dumps(later()))
    (tmp_path / "gone.rui.json").unlink()
    (tmp_path / LIKE_AN_OPTION).write_text(json.dumps(minimal_example()))
    (tmp_path / "old name.rui.json").rename(tmp_path / "größer.rui.json")
    (tmp_path / "größer.rui.json").write_text(json.dumps(DESK, indent=1).replace("five", "ten"))
    (tmp_path / "notes.txt").write_text("two\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "config", "diff.rui.command", documented("git config diff.rui.command"))
    git(tmp_path, "config", "difftool.rui.cmd", documented("git config difftool.rui.cmd"))
    (tmp_path / ".git" / "info" / "attributes").write_text("*.rui.json diff=rui\n")
    with_driver = git(tmp_path, "diff", "--cached", "-M")
    with_tool = git(tmp_path, "difftool", "--no-prompt", "--tool", "rui", "--cached", "--", "*.rui.json")
    for out in (with_driver, with_tool):
        assert f"{LIKE_AN_OPTION}\nThe document is new." in out
        assert "The document is removed." in out
        assert "Next pick-up reads /api/pickups instead of /api/orders/summary." in out
        assert "says “every ten minutes.” instead of “every five minutes.”" in out
        assert "same.rui.json" not in out
    assert "Order desk old name.rui.json → größer.rui.json\n" in with_driver
    assert "-one\n+two\n" in with_driver


def test_a_pager_that_is_left_is_no_error_of_the_diff_driver(folder: Path) -> None:
    """git would say `fatal: external diff died`."""
    (folder / "old").write_text(json.dumps(DESK))
    (folder / "new").write_text(json.dumps(later()))
    for name in ("a.rui.json", "notes.txt"):
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "-m", "rui_cli", "diff", name, "old", "0" * 40, "100644", "new", "1" * 40, "100644"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=writer, stderr=subprocess.PIPE, check=False
        )  # fmt: skip
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("name", "new", "expected"), [
    ("notes.txt", b"two\n", "--- notes.txt\n+++ notes.txt\n@@ -1 +1 @@\n-one\n+two\n"),
    ("a.rui.json", b"{", "--- a.rui.json\n+++ a.rui.json\n@@ -1 +1 @@\n-one\n+{\n"),
    ("notes.txt", b"\x7f", "--- notes.txt\n+++ notes.txt\n@@ -1 +1 @@\n-one\n+\\u007f\n"),
    ("notes.txt", b"\0", "Binary files notes.txt differ\n"),
    ("notes.txt", b" " * (MAX_FILE_BYTES + 1), f"cannot read new: it has more than {MAX_FILE_BYTES:,} bytes\n"),
], ids=["text", "a document", "a control character", "binary", "too large"])  # fmt: skip
def test_git_gets_the_unified_diff_of_other_files(folder: Path, name: str, new: bytes, expected: str) -> None:
    (folder / "old").write_bytes(b"one\n")
    (folder / "new").write_bytes(new)
    assert rui("diff", name, "old", "0" * 40, "100644", "new", "1" * 40, "100644") == (0, expected, "")


@pytest.mark.parametrize("suffix", [".txt", ".rui.json"])
def test_git_gets_a_line_about_names_and_modes(folder: Path, suffix: str) -> None:
    (folder / "old").write_text(json.dumps(DESK))
    versions = ["old", "0" * 40, "100644", "old", "0" * 40]
    ran = rui("diff", f"a{suffix}", *versions, "100755", f"b{suffix}", "similarity index 100%")
    assert ran.code == 0
    assert f"b{suffix} has the content of a{suffix}.\n" in ran.out
    assert f"The mode of b{suffix} is 100755 instead of 100644.\n" in ran.out
    assert rui("diff", f"a{suffix}", *versions, "100644") == (0, "", "")


def test_git_gets_a_line_about_a_merge_conflict() -> None:
    environment = {"GIT_DIFF_PATH_COUNTER": "1"}
    ran = rui("diff", "a.rui.json", environment=environment)
    assert ran == (0, "a.rui.json has merge conflicts\n", "")
    assert rui("diff", os.devnull, os.devnull, environment=environment) == rui("diff", os.devnull, os.devnull)


# With an OpenAPI description ------------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a description and two versions, of which the second requests three other endpoints."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "openapi.yaml").write_text(SHOP)
    old = json.loads(metric("/gone", "x"))
    blocks = [json.loads(metric(path, "x"))["pages"][0]["children"][0]["children"][0]
              for path in ("/gone", "/summary", "/sumary", "/a`|<b>", "/sumary")]  # fmt: skip
    new = copy.deepcopy(old)
    new["pages"][0]["children"][0]["children"] = [{**block, "id": f"b-{index}"} for index, block in enumerate(blocks)]
    (tmp_path / "old.rui.json").write_text(json.dumps(old))
    (tmp_path / "new.rui.json").write_text(json.dumps(new))
    return tmp_path


def test_new_endpoints_that_the_description_lacks_are_marked(shop: Path) -> None:
    files = ("old.rui.json", "new.rui.json")
    note = "The new endpoint {} is not in the API description."
    ran = rui("diff", *files, "--openapi", "openapi.yaml")
    assert (ran.code, ran.err) == (1, "")
    marked = [line for line in ran.out.splitlines() if "description" in line]
    assert marked == [note.format("/sumary"), note.format("/a`|<b>")]
    ran = rui("diff", *files, "--openapi", "openapi.yaml", "--format", "markdown")
    assert f"\n> {note.format('/sumary')}\n" in ran.out
    assert f"> {note.format(escape_markdown('/a`|<b>'))}" in ran.out
    ran = rui("diff", *files, "--openapi", "openapi.yaml", "--format", "json")
    assert json.loads(ran.out)["unknownEndpoints"] == ["/sumary", "/a`|<b>"]
    ran = rui("diff", "/dev/null", files[1], "--openapi", "openapi.yaml", "--format", "json")
    assert json.loads(ran.out)["unknownEndpoints"] == ["/gone", "/sumary", "/a`|<b>"]
    assert rui("diff", files[1], "/dev/null", "--openapi", "openapi.yaml").code == 1
    (shop / "rui.toml").write_text('[api]\nopenapi = "openapi.yaml"\n')
    assert "description" not in rui("diff", *files).out
    assert "description" not in rui("diff", *files[::-1], "--openapi", "openapi.yaml").out
    assert rui("diff", files[1], files[1], "--openapi", "openapi.yaml") == (0, "", "")
    ran = rui("diff", "a", files[0], "0", "0", files[1], "0", "0", "--openapi", "openapi.yaml")
    assert ran.code == 0 and "is not in the API description" not in ran.out  # "a" is no document
    ran = rui("diff", files[1], files[0], "0", "0", files[1], "0", "0", "--openapi", "openapi.yaml")
    assert (ran.code, ran.out.count("is not in the API description")) == (0, 2)


def test_a_description_that_cannot_be_read_is_one_line(shop: Path) -> None:
    ran = rui("diff", "old.rui.json", "new.rui.json", "--openapi", "none.yaml")
    assert (ran.code, ran.err) == (2, "rui diff: cannot read none.yaml: no such file or directory\n")
    assert "/sumary" in ran.out


def test_standard_input_has_the_name_that_is_given(shop: Path) -> None:
    name = "apps/old.rui.json"
    ran = rui("diff", "-", "new.rui.json", "--stdin-filename", name, stdin=(shop / "old.rui.json").read_text())
    assert (ran.code, f"{name} → new.rui.json" in ran.out) == (1, True)
    ran = rui("diff", "-", "new.rui.json", "--stdin-filename", name, stdin="{")
    assert (ran.code, ran.err.startswith(f"rui diff: {name}:1:2: ")) == (2, True)


# Notes of a reviewer --------------------------------------------------------------------------------------------------

NOTES = """Change the RUI as these notes say, and nothing else. Keep the ids.

1. **Open orders** `pages[0].children[0].children[0]`
   - Note: Name the day.

2. **Stock** `pages[1]`
   - Note: Remove it.
"""
UNTOUCHED = "\n3. **Columns** `pages[0].children[1].children[0].columns`\n   - Note: Fewer.\n"
ANSWERS = [
    "Note 1, **Open orders**: followed. **Open orders** is now called **Open orders today**.",
    "Note 2, **Stock**: gone. Page **Stock** is gone. Endpoint `/api/stock/low` is no longer read.",
    "Without a note: **Next pick-up** reads `/api/pickups` instead of `/api/orders/summary`. The text in section "
    "**Latest orders** says “every ten minutes.” instead of “every five minutes.”",
]


def test_notes(folder: Path) -> None:
    (folder / "notes.md").write_text(NOTES)
    arguments = ("diff", "--notes", "notes.md", "old.rui.json", "new.rui.json")
    ran = rui(*arguments)
    assert (ran.code, ran.out.splitlines()[1:]) == (0, [plain(line) for line in ANSWERS])
    ran = rui(*arguments, "--format", "markdown")
    assert (ran.code, ran.out.splitlines()[4:]) == (0, [f"- {line}" for line in ANSWERS])
    notes = json.loads(rui(*arguments, "--format", "json").out)["notes"]
    assert [(note["number"], note["name"], note["outcome"]) for note in notes] == [
        (1, "Open orders", "followed"), (2, "Stock", "gone"),
    ]  # fmt: skip


def test_an_untouched_note_fails(folder: Path) -> None:
    (folder / "notes.md").write_text(NOTES + UNTOUCHED)
    ran = rui("diff", "--notes", "notes.md", "old.rui.json", "new.rui.json")
    assert ran.code == 1
    assert "Note 3, Columns: untouched.\n" in ran.out
    ran = rui("diff", "--notes", "notes.md", "old.rui.json", "old.rui.json")
    assert (ran.code, ran.out.count("untouched")) == (1, 3)


HASH = "- Content hash: `x`\n"


@pytest.mark.parametrize(("notes", "message"), [
    ("", "notes.md: it contains no notes: copy them from the page of a spec"),
    ("1. `pages[9]`\n   - Note: x\n", "notes.md: note 1 is about pages[9], and the old version has no pages[9]"),
    (f"{HASH}1. `pages[0]`\n   - Note: x\n",
     "notes.md: the notes are about another document: its content hash is x, "),
])  # fmt: skip
def test_notes_that_cannot_be_answered(folder: Path, notes: str, message: str) -> None:
    (folder / "notes.md").write_text(notes)
    ran = rui("diff", "--notes", "notes.md", "old.rui.json", "new.rui.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"rui diff: {message}")
    assert rui("diff", "--notes", "absent.md", "old.rui.json", "new.rui.json").code == 2


def test_the_first_error_of_an_old_version_that_the_notes_are_not_about(folder: Path) -> None:
    (folder / "notes.md").write_text(f"{HASH}{NOTES}")
    (folder / "old.rui.json").write_text(json.dumps(DESK | {"version": "9"}))
    ran = rui("diff", "--notes", "notes.md", "old.rui.json", "new.rui.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith('; that is not valid: old.rui.json:1:13: RUI version must be "0.1".\n')


def test_a_stored_spec_as_the_old_version(folder: Path) -> None:
    """What a service returns of a spec, which was stored with `--replaces`; the author has the files."""
    stored = DESK | {"meta": {**DESK["meta"], "replaces": "0b2e7f0e-97a4-4a6b-8a6e-0dbb9c9f3a11"}}
    response = {"specId": "x", "contentHash": content_hash(stored), "normalizedRui": stored}
    (folder / "spec.json").write_text(json.dumps(response))
    (folder / "notes.md").write_text(f"- Content hash: `{version_hash(stored)}`\n\n{NOTES}")
    for old in ("spec.json", "old.rui.json"):
        ran = rui("diff", "--notes", "notes.md", old, "new.rui.json")
        assert (ran.code, ran.out.splitlines()[1:]) == (0, [plain(line) for line in ANSWERS])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_notes_from_standard_input(folder: Path, encoding: str) -> None:
    ran = rui("diff", "--notes", "-", "old.rui.json", "new.rui.json", stdin=NOTES.encode(encoding))
    assert (ran.code, ran.out.splitlines()[1:]) == (0, [plain(line) for line in ANSWERS])
    assert rui("diff", "--notes", "-", "-", "new.rui.json", stdin=NOTES).code == 2


def test_some_notes_are_about_another_document(folder: Path) -> None:
    (folder / "notes.md").write_text(f"{NOTES}\n\n{HASH}\n3. `pages[0]`\n   - Note: x\n")
    ran = rui("diff", "--notes", "notes.md", "old.rui.json", "new.rui.json")
    assert ran.code == 0
    assert "1 note of the text is about another document.\n" in ran.out


def test_git_calls_with_notes_about_one_document(folder: Path) -> None:
    (folder / "notes.md").write_text(NOTES)
    arguments = ("a.rui.json", "old.rui.json", "0", "100644", "new.rui.json", "2", "100644")
    options = ("--notes", "notes.md", "--answered", "answered")
    ran = rui("diff", *options, *arguments)
    assert (ran.code, ran.out.splitlines()[1:]) == (0, [plain(line) for line in ANSWERS])
    assert (folder / "answered").read_text() == "a.rui.json\n"
    for others in (f"{HASH}\n{NOTES}", "1. `pages[9]`\n", "1. `pages[0]`\n   - Id: `another`\n"):
        (folder / "notes.md").write_text(others)
        ran = rui("diff", *options, *arguments)
        assert (ran.code, ran.out.splitlines()[1:]) == (0, [plain(line) for line in SUMMARY])
    assert (folder / "answered").read_text() == "a.rui.json\n"
    (folder / "notes.md").write_text("")
    ran = rui("diff", *options, *arguments)
    assert (ran.code, [plain(line) for line in SUMMARY]) == (0, ran.out.splitlines()[2:])
    assert ran.out.splitlines()[1].startswith("The notes are not answered: notes.md: it contains no notes: ")
    assert rui("diff", "--notes", "absent.md", *arguments).code == 2


def test_git_calls_with_notes_about_a_document_that_is_no_json_now(folder: Path) -> None:
    (folder / "notes.md").write_text(NOTES)
    (folder / "new.rui.json").write_text("{")
    arguments = ("a.rui.json", "old.rui.json", "0", "100644", "new.rui.json", "2", "100644")
    for notes in ((), ("--notes", "notes.md", "--answered", "answered")):
        ran = rui("diff", "--format", "markdown", *notes, *arguments)
        lines = ran.out.splitlines()
        assert (ran.code, lines[:5]) == (0, ["### Order desk", "", "`a.rui.json` is not compared:", "", lines[4]])
        assert lines[4].startswith("> a.rui.json\\:1\\:2: ")
        assert ("> The notes are about this document; none of them is answered." in lines) is bool(notes)
        ran = rui("diff", "--format", "json", *notes, *arguments)
        assert (ran.code, ran.out, ran.err.startswith("rui diff: a.rui.json:1:2: ")) == (0, "", True)
    assert "a.rui.json" in (folder / "answered").read_text()
