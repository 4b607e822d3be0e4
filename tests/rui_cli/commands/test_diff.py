"""`rui diff`: what differs in four formats, its exit codes, and git as its caller."""

from __future__ import annotations

import copy
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rui_cli.diff_formats import escape_markdown
from rui_common.describe import full_example, minimal_example
from rui_common.document_files import MAX_FILE_BYTES
from tests.rui_cli.running import rui
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import HOSTILE, with_text_everywhere

FORMATS = ["text", "markdown", "json"]
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


TEXT = """\
Order desk old.rui.json → new.rui.json
Endpoints: 1 added (GET /api/pickups), 1 removed (GET /api/stock/low), 1 changed (GET /api/orders/summary)
Pages: 1 removed (Stock), 1 changed (Today)
Blocks: 3 changed (Open orders today, Next pick-up, “Orders are refreshed every ten minutes.”)
Navigation: 1 change

Data
  + GET /api/pickups
      Today › At a glance › Next pick-up: {+data.nextPickup+}
  − GET /api/stock/low
      Stock › Running low › Table low-stock: [-data.items-]
  ~ GET /api/orders/summary
      Today › At a glance › Next pick-up: [-data.nextPickup-]

Screens
  − navigation › items › Stock: [-{"pageId": "stock", "label": "Stock"}-]
  ~ Today
    ~ Metric At a glance › Open orders today open-orders
        label: Open orders {+today+}
    ~ Metric At a glance › Next pick-up next-pickup
        binding › path: [-/api/orders/summary-] {+/api/pickups+}
    ~ Text Latest orders › “Orders are refreshed every ten minutes.” refresh-note
        content: Orders are refreshed every [-five-] {+ten+} minutes.
  − Stock
      Table low-stock
"""


def test_text(folder: Path) -> None:
    assert rui("diff", "old.rui.json", "new.rui.json") == (1, TEXT, "")


def test_colours_add_nothing_but_colours(folder: Path) -> None:
    arguments = ("diff", "old.rui.json", "new.rui.json")
    ran = rui(*arguments, is_terminal=True, environment={"TERM": "xterm"})
    assert "\x1b[31m[-five-]\x1b[0m" in ran.out
    assert re.sub(r"\x1b\[[\d;]*m", "", ran.out) == TEXT
    assert rui(*arguments, is_terminal=True, environment={"TERM": "xterm", "NO_COLOR": "1"}).out == TEXT
    assert rui(*arguments, "--color", "always").out == ran.out


def test_markdown(folder: Path) -> None:
    ran = rui("diff", "--format", "markdown", "old.rui.json", "new.rui.json")
    assert ran.code == 1
    for line in (
        "### Order desk",
        "`old.rui.json → new.rui.json`",
        "**Endpoints:** 1 added (GET /api/pickups), 1 removed (GET /api/stock/low), "
        "1 changed (GET /api/orders/summary) · **Pages:** 1 removed (Stock), 1 changed (Today) · "
        "**Blocks:** 3 changed (Open orders today, Next pick-up, “Orders are refreshed every ten minutes.”) · "
        "**Navigation:** 1 change",
        "#### Data",
        "- added: `GET /api/pickups`",
        "#### Screens",
        "- changed: **Today**",
        "    - content: Orders are refreshed every <del>five</del> <ins>ten</ins> minutes.",
    ):
        assert f"{line}\n" in ran.out


def test_json(folder: Path) -> None:
    ran = rui("diff", "old.rui.json", "new.rui.json", "--format", "json")
    assert ran.code == 1
    [line] = ran.out.splitlines()
    found = json.loads(line)
    assert found["before"] == {"file": "old.rui.json", "title": "Order desk", "errors": 0}
    assert found["same"] is False
    assert [(one["kind"], one["path"]) for one in found["endpoints"]] == [
        ("changed", "/api/orders/summary"), ("added", "/api/pickups"), ("removed", "/api/stock/low"),
    ]  # fmt: skip
    [use] = found["endpoints"][1]["uses"]
    assert (use["before"], use["id"], use["after"]) == ([], "next-pickup", ["data.nextPickup"])
    nodes = {(one["after"] or one["before"])["id"]: one for one in found["nodes"]}
    assert [(name, one["kinds"]) for name, one in nodes.items()] == [
        ("open-orders", ["changed"]), ("next-pickup", ["changed"]), ("refresh-note", ["changed"]),
        ("stock", ["removed"]),
    ]  # fmt: skip
    assert nodes["open-orders"]["properties"] == [
        {"name": "label", "before": "Open orders", "after": "Open orders today"}
    ]
    assert nodes["stock"]["before"]["place"] == "Stock"
    assert found["properties"] == [{"name": "navigation.items[stock]", "before": {"pageId": "stock", "label": "Stock"}}]


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
        ((os.devnull, "new.rui.json"), "+ GET /api/pickups"),
    ):
        ran = rui("diff", *arguments, stdin=text)
        assert ran.code == 1
        assert expected in ran.out


def test_an_invalid_document_is_compared_as_far_as_it_can_be_read(folder: Path) -> None:
    (folder / "new.rui.json").write_text(json.dumps(later()).replace('"version": "0.1"', '"version": 1'))
    ran = rui("diff", "old.rui.json", "new.rui.json")
    assert ran.code == 1
    assert "new.rui.json has 1 error; it is compared as far as it can be read.\n" in ran.out
    assert "Pages: 1 removed (Stock), 1 changed (Today)\n" in ran.out


def test_a_document_with_a_syntax_error_is_not_compared(folder: Path) -> None:
    text = json.dumps(later(), indent=1)
    (folder / "new.rui.json").write_text(text.replace('"label": "Next pick-up",', '"label": "Next pick-up"'))
    line = text[: text.index('"label": "Next pick-up"')].count("\n") + 1
    ran = rui("diff", "old.rui.json", "new.rui.json")
    assert (ran.code, ran.out) == (2, "")
    assert re.match(rf"rui diff: new\.rui\.json:({line}|{line + 1}):\d+: ", ran.err)


def test_errors(folder: Path) -> None:
    for arguments, expected in (
        ((), "name two documents; see rui diff --help"),
        (("a", "b", "c"), "name two documents; see rui diff --help"),
        (("-", "-"), "only one of the documents can come from standard input; see rui diff --help"),
        (("none", "new.rui.json"), "cannot read none: no such file or directory"),
    ):
        assert rui("diff", *arguments) == (2, "", f"rui diff: {expected}\n")


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_hostile_text_is_inert(folder: Path, text: str, format_name: str) -> None:
    for name, document in (("old", full_example()), ("new", with_text_everywhere(text))):
        (folder / f"{name}.rui.json").write_text(json.dumps(document))
    ran = rui("diff", "old.rui.json", "new.rui.json", "--format", format_name)
    assert ran.code == 1 + (text == "\ud800")
    if format_name != "json":
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", ran.out)
    if format_name == "markdown":
        assert not re.search(r"<(?!/?(?:ins|del|code)>)", re.sub(r"`[^`\n]*`", "", ran.out))


@pytest.mark.parametrize(("text", "expected"), [
    ("@octo-org closes #12, GH-3", "@\u200bocto-org closes \\#\u200b12, GH-\u200b3"),
    ("![x](https://x.example/y)", "!\\[x\\](https://\u200bx.example/y)"),
    ("<img src=x> & *b* _c_ `d`", "&lt;img src=x&gt; &amp; \\*b\\* \\_c\\_ \\`d\\`"),
    ("- item", "\\- item"), ("1. item", "1\\. item"), ("a - b. c", "a - b. c"), (":smile:", "\\:smile:"),
    ("a\nb", "a↵b"), ("a\x1bb", "a\\\\u001bb"),
])  # fmt: skip
def test_markdown_shows_texts_as_they_are(text: str, expected: str) -> None:
    assert escape_markdown(text) == expected


def test_it_needs_no_other_package() -> None:
    script = "import sys\nimport rui_cli.commands.diff\nprint(*sorted({'jinja2', 'markupsafe'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []


# With git -------------------------------------------------------------------------------------------------------------

RUI = shlex.join([sys.executable, "-m", "rui_cli"])


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a commit, and changes of the working tree: changed, added, removed, renamed, of other sorts."""
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
    (tmp_path / "new.rui.json").write_text(json.dumps(minimal_example()))
    (tmp_path / "old name.rui.json").rename(tmp_path / "größer.rui.json")
    text = json.dumps(DESK, indent=1).replace("five", "ten")
    (tmp_path / "größer.rui.json").write_text(text)
    (tmp_path / "notes.txt").write_text("two\n")
    git(tmp_path, "add", ".")
    return tmp_path


def git(folder: Path, *arguments: str, **variables: str) -> str:
    identity = ["-c", "user.name=Author", "-c", "user.email=author@example.com"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **variables}
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def external_diff(folder: Path, *arguments: str) -> str:
    return git(folder, "diff", *arguments, GIT_EXTERNAL_DIFF=f"{RUI} diff --")


def check_changes(out: str) -> None:
    """Assert that a comparison of the whole repository names what happened to each document."""
    assert "content: Orders are refreshed every [-five-] {+ten+} minutes." in out
    assert "The document is new." in out
    assert "The document is removed." in out
    assert "+ GET /api/pickups" in out
    assert "same.rui.json" not in out


def test_git_diff_with_an_attribute(repository: Path) -> None:
    git(repository, "config", "diff.rui.command", f"{RUI} diff")
    (repository / ".git" / "info" / "attributes").write_text("*.rui.json diff=rui\n")
    out = git(repository, "diff", "--cached", "-M")
    check_changes(out)
    assert "Order desk old name.rui.json → größer.rui.json\n" in out
    assert "-one\n+two\n" in out
    git(repository, "commit", "--quiet", "--message", "Second")
    check_changes(git(repository, "show", "--ext-diff"))
    check_changes(git(repository, "log", "-1", "-p", "--ext-diff"))


def test_git_difftool(repository: Path) -> None:
    git(repository, "config", "difftool.rui.cmd", f'{RUI} diff "$LOCAL" "$REMOTE"')
    for tool in (["--tool", "rui"], ["--extcmd", f"{RUI} diff"]):
        check_changes(git(repository, "difftool", "--no-prompt", *tool, "--cached", "--", "*.rui.json"))


def documented(start: str) -> str:
    """Return the command of `docs/comparing.md` that starts with a text, with this interpreter."""
    [line] = [line for line in (ROOT / "docs" / "comparing.md").read_text().splitlines() if line.startswith(start)]
    return line.split("'")[1].replace("rui diff", f"{RUI} diff")


def test_git_with_a_file_that_is_named_like_an_option(repository: Path) -> None:
    name = "--format=html.rui.json"
    (repository / name).write_text(json.dumps(DESK))
    git(repository, "add", "--", name)
    git(repository, "config", "diff.rui.command", documented("git config diff.rui.command"))
    git(repository, "config", "difftool.rui.cmd", documented("git config difftool.rui.cmd"))
    (repository / ".git" / "info" / "attributes").write_text("*.rui.json diff=rui\n")
    for arguments in (["diff"], ["difftool", "--no-prompt", "--tool", "rui"]):
        out = git(repository, *arguments, "--cached", "--", name)
        assert f"Order desk {name}\nThe document is new." in out


def test_git_gets_the_unified_diff_of_other_files(repository: Path) -> None:
    assert "--- notes.txt\n+++ notes.txt\n@@ -1 +1 @@\n-one\n+two\n" in external_diff(repository, "--cached")
    (repository / "same.rui.json").write_text(json.dumps(DESK, indent=1) + "}")
    assert "+++ same.rui.json\n@@ -1 +1," in external_diff(repository)
    (repository / "same.rui.json").write_text(json.dumps(DESK))
    (repository / "notes.txt").write_bytes(b"\0")
    assert external_diff(repository) == "Binary files notes.txt differ\n"
    (repository / "notes.txt").write_bytes(b" " * (MAX_FILE_BYTES + 1))
    assert external_diff(repository) == f"cannot read notes.txt: it has more than {MAX_FILE_BYTES:,} bytes\n"


def test_git_merge_conflict(repository: Path) -> None:
    git(repository, "commit", "--quiet", "--message", "Second")
    git(repository, "branch", "other")
    for branch, word in (("", "seven"), ("other", "nine")):
        if branch:
            git(repository, "checkout", "--quiet", branch)
        text = (repository / "a.rui.json").read_text()
        (repository / "a.rui.json").write_text(text.replace("ten minutes", f"{word} minutes"))
        git(repository, "commit", "--quiet", "--all", "--message", word)
    environment = os.environ | {"GIT_MERGE_AUTOEDIT": "no"}
    merge = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "merge", "--quiet", "@{-1}"]
    done = subprocess.run(merge, cwd=repository, env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    out = external_diff(repository, "--cached")
    assert "a.rui.json has merge conflicts\n" in out


def test_colours_in_the_pager_of_git(folder: Path) -> None:
    arguments = ["app.rui.json", "old.rui.json", "0" * 40, "100644", "new.rui.json", "1" * 40, "100644"]
    for environment, is_coloured in (({"GIT_PAGER_IN_USE": "true"}, True), ({}, False)):
        ran = rui("diff", *arguments, environment=environment)
        assert ran.code == 0
        assert ("\x1b[" in ran.out) is is_coloured
    environment = {"GIT_PAGER_IN_USE": "true", "NO_COLOR": "1"}
    assert "\x1b[" not in rui("diff", *arguments, environment=environment).out
