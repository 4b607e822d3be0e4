"""`rui.toml` on the command line: what is excluded, what warnings count as, and what is ignored."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rui_api.config.options import OPTIONS
from rui_cli.formats import FORMATS
from rui_common.problems.lints import WARNINGS
from rui_common.vocabulary.rules import MESSAGES, RULES
from tests.inputs import since
from tests.rui_cli.running import FAULTY, VALID, rui
from tests.rui_openapi.shop import SHOP, table
from tests.support.small import DOCUMENT

DOUBTFUL = DOCUMENT.replace("BLOCK", '{"id": "note", "type": "Text", "content": "<b>x</b>"}').replace(
    '"meta": {}', '"meta": {"title": "TODO"}'
)
MARKUP_OFF = '[rules]\nMARKUP = "off"\n'
IN_NODE, IN_META = "MARKUP pages[0].children[0].children[0].content", "PLACEHOLDER meta.title"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a document that has two warnings."""
    (tmp_path / "apps" / "deep").mkdir(parents=True)
    (tmp_path / "apps" / "a.rui.json").write_text(DOUBTFUL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*arguments: str, stdin: str = "") -> list[str]:
    """The codes and paths of a check."""
    ran = rui("check", "--format", "json", *arguments, stdin=stdin)
    return [f"{item['code']} {item['path']}" for item in json.loads(ran.out)]


IGNORED = {
    '"a.rui.json" = ["MARKUP"]': [IN_META],
    '"apps/a.rui.json" = ["MARKUP", "PLACEHOLDER"]': [],
    '"apps/*" = ["MARKUP at note"]': [IN_META],
    '"**/a.rui.json" = ["PLACEHOLDER at meta.title"]': [IN_NODE],
    '"*" = ["PLACEHOLDER at meta", "PLACEHOLDER at note"]': [IN_NODE],
    '"*.json" = ["PLACEHOLDER at"]': None,
    '"*.json" = ["PLACEHOLDER at "]': None,
    '"*.json" = ["MARKUP at main", "MARKUP at pages[0]", "MARKUP at other"]': [IN_META, IN_NODE],
    '"b.rui.json" = ["MARKUP"]\n"./a.rui.json" = ["MARKUP"]': [IN_META, IN_NODE],
}


@pytest.mark.parametrize("entries", IGNORED)
def test_what_an_entry_ignores(entries: str, folder: Path) -> None:
    (folder / "rui.toml").write_text(f"[per-file-ignores]\n{entries}\n")
    expected = IGNORED[entries]
    if expected is None:
        assert rui("check").code == 2
    else:
        assert found() == expected
        assert found("apps/a.rui.json") == expected
        assert found("--stdin-filename", "apps/a.rui.json", "-", stdin=DOUBTFUL) == expected


RULES_OF = {
    'MARKUP = "off"': ([IN_META], 0),
    'MARKUP = "error"': ([IN_META, IN_NODE], 1),
    'MARKUP = "warning"': ([IN_META, IN_NODE], 0),
    'MARKUP = "error"\n[per-file-ignores]\n"*" = ["MARKUP"]': ([IN_META], 0),
}


@pytest.mark.parametrize("rules", RULES_OF)
def test_what_a_warning_counts_as(rules: str, folder: Path) -> None:
    (folder / "rui.toml").write_text(f"[rules]\n{rules}\n")
    left, code = RULES_OF[rules]
    assert found() == left
    assert rui("check").code == code
    assert rui("check", "--error-on-warnings").code == bool(left)


@pytest.mark.parametrize("name", FORMATS)
def test_the_policy_holds_in_every_format(name: str, folder: Path) -> None:
    before = rui("check", "--format", name)
    (folder / "rui.toml").write_text('[rules]\nMARKUP = "error"\nPLACEHOLDER = "off"\n')
    after = rui("check", "--format", name)
    message = "is still a placeholder"
    assert message in before.out and message not in after.out.partition('"results"')[2 if name == "sarif" else 0]
    assert "MARKUP" in after.out
    assert (before.code, after.code) == (0, 1)


def test_an_entry_of_rules_comes_before_strict(folder: Path) -> None:
    (folder / "openapi.yaml").write_text(SHOP)
    (folder / "apps" / "a.rui.json").write_text(table("/orders", "itms", "id"))
    api = '[api]\nopenapi = "openapi.yaml"\nstrict = true\n'
    for rules, code in {"": 1, '[rules]\nUNKNOWN_VALUE_PATH = "warning"\n': 0}.items():
        (folder / "rui.toml").write_text(rules + api)
        ran = rui("check")
        assert (ran.code, "UNKNOWN_VALUE_PATH" in ran.out, ran.err) == (code, True, "")
    (folder / "rui.toml").write_text(f'{api}[per-file-ignores]\n"*" = ["UNKNOWN_VALUE_PATH at stack"]\n')
    assert "UNKNOWN_VALUE_PATH at stack" in rui("check").err


EXCLUDED = {
    '"fixtures"': {"apps/a.rui.json", "apps/deep/c.rui.json"},
    '"deep", "a.rui.json"': {"fixtures/x/b.rui.json"},
    '"fixtures/", "/apps/deep"': {"apps/a.rui.json"},
    '"fixtures/**", "apps/*/c.*"': {"apps/a.rui.json"},
    '"**/x/*"': {"apps/a.rui.json", "apps/deep/c.rui.json"},
    '"x/b.rui.json", "./fixtures/x"': {"apps/a.rui.json", "apps/deep/c.rui.json"},
    '"[ad]*"': {"fixtures/x/b.rui.json"},
    "": {"apps/a.rui.json", "apps/deep/c.rui.json", "fixtures/x/b.rui.json"},
}


@pytest.mark.parametrize("globs", EXCLUDED)
def test_what_is_excluded(globs: str, folder: Path) -> None:
    (folder / "fixtures" / "x").mkdir(parents=True)
    names = EXCLUDED[""]
    for name in names:
        (folder / name).write_text(FAULTY)
    (folder / "rui.toml").write_text(f"exclude = [{globs}]\n")
    left = EXCLUDED[globs]
    for arguments in ([], ["**/*.rui.json"], [*names]):
        listed = json.loads(rui("check", "--format", "json", *arguments).out)
        assert {item["file"] for item in listed} == left
        changed = rui("format", "--check", *arguments).out.splitlines()
        assert {*changed} == left
    assert len(json.loads(rui("check", "--format", "json", "--no-exclude", *names).out)) == 3 * 2
    assert len(rui("format", "--check", "--no-exclude").out.splitlines()) == 3


def test_what_is_named_and_excluded_is_one_line(folder: Path) -> None:
    (folder / "rui.toml").write_text('exclude = ["apps"]\n')
    (folder / "apps" / "b.rui.json").write_text(FAULTY)
    note = "excluded by rui.toml; --no-exclude includes what is excluded\n"
    assert rui("check", "apps/b.rui.json").err == f"rui check: note: apps/b.rui.json is {note}"
    ran = rui("check", "apps/b.rui.json", "apps/a.rui.json")
    assert (ran.code, ran.err) == (0, f"rui check: note: 2 files are {note}")
    ran = rui("check", "--fix", "apps")
    nothing = "that rui.toml does not exclude; see --no-exclude\n"
    assert (ran.code, ran.err) == (0, f"rui check: note: no *.rui.json in apps {nothing}")
    ran = rui("check", "apps/*.json")
    assert (ran.code, ran.err) == (0, f"rui check: note: no *.rui.json fits apps/*.json {nothing}")
    assert rui("check", "apps/none.rui.json").code == 2
    assert rui("check", "--stdin-filename", "apps/b.rui.json", "-", stdin=FAULTY).code == 1
    assert rui("wireframe", "--format", "markdown", "apps").out == ""
    assert rui("wireframe", "--format", "markdown", "apps/b.rui.json").out


SEARCHING = {  # a command that searches folders: what it prints of a document, and whether it leaves out what is named
    ("check", "--format", "concise"): True,
    ("format", "--check"): True,
    ("wireframe", "--format", "markdown"): False,
    ("openapi",): False,
    ("impact", "--format", "json", "old.json", "new.json"): False,
    ("diff", "--format", "json", "HEAD", "--"): False,
}


@pytest.mark.parametrize("command", SEARCHING)
def test_every_command_that_searches_folders_knows_what_is_excluded(command: tuple[str, ...], folder: Path) -> None:
    """A document outside reads /kept, one in an excluded folder /left-out; the folder has a `rui.toml` of its own."""
    (folder / "apps" / "a.rui.json").unlink()
    for name, path in {"kept": "/kept", "fixtures/left-out": "/left-out"}.items():
        file = folder / f"{name}.rui.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(table(path, "itms", "id"))
    (folder / "fixtures" / "rui.toml").write_text("exclude = []\n")
    (folder / "rui.toml").write_text('exclude = ["fixtures"]\n')
    parameter = {"name": "path", "in": "path", "required": True, "schema": {"type": "string"}}
    operation = {"parameters": [parameter], "responses": {"200": {"description": "x"}}}
    paths = {"/{path}": {"get": operation}}
    description = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths}
    (folder / "old.json").write_text(json.dumps(description))
    (folder / "new.json").write_text(json.dumps(description | {"paths": {}}))
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "one"]):
        subprocess.run([*since.GIT, *arguments], check=True)
    for file in folder.glob("**/*.rui.json"):
        file.write_text(file.read_text().replace('"label": "', '"label": "New ').replace('"direction"', '"directions"'))

    def seen(*names: str) -> set[str]:
        ran = rui(*command, *names)
        assert "Traceback" not in ran.err
        return {word for word in ("kept", "left-out") if word in ran.out}

    both = {"kept", "left-out"}
    assert seen() == {"kept"}
    assert seen(".") == {"kept"}
    assert seen("fixtures") == set()
    assert seen("kept.rui.json", "fixtures/left-out.rui.json") == (both - {"left-out"} if SEARCHING[command] else both)
    assert "see --no-exclude\n" in rui(*command, "fixtures").err
    options = command[:-1] if command[-1] == "--" else command
    assert {word for word in both if word in rui(*options, "--no-exclude").out} == both
    if command[-1] != "--":
        assert seen("**/*.rui.json") == {"kept"}


@pytest.mark.parametrize(("glob", "listed"), [("fixtures", {"."}), ("fixtures/**", {"."}), ("x", {".", "fixtures"})])
def test_an_excluded_folder_is_not_searched(
    glob: str, listed: set[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fixtures", "fixtures/x", "fixtures/x/y"):
        (folder / name).mkdir()
        (folder / name / "a.rui.json").write_text(FAULTY)
    (folder / "rui.toml").write_text(f'exclude = ["{glob}"]\n')
    seen = set()
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: seen.add(os.path.normpath(path)) or scandir(path))
    rui("check")
    assert {name for name in seen if name not in ("apps", "apps/deep")} == listed


def test_a_folder_above_has_its_own_policy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a path is spelled, and whatever was checked before."""
    (folder / "b.rui.json").write_text(FAULTY)
    (folder / "apps" / "deep" / "c.rui.json").write_text(FAULTY)
    (folder / "apps" / "rui.toml").write_text('exclude = ["*"]\n')
    monkeypatch.chdir(folder / "apps")
    for names, left in {
        ("a.rui.json", "../b.rui.json"): {"../b.rui.json"},
        ("a.rui.json", "deep/../../b.rui.json", "deep/c.rui.json"): {"deep/../../b.rui.json"},
        ("deep", ".."): {"../b.rui.json"},
        (".", str(folder)): {str(folder / "b.rui.json")},
    }.items():
        listed = json.loads(rui("check", "--format", "json", *names).out)
        assert {item["file"] for item in listed} == left, names
    (folder / "rui.toml").write_text('exclude = ["apps"]\n')
    (folder / "apps" / "rui.toml").unlink()
    assert rui("check", "--format", "json").out == "[]\n"
    assert rui("check", "--format", "json", "../b.rui.json", "a.rui.json").out.count('"file"') == 2


def test_a_bad_rui_toml_above_excludes_nothing(folder: Path) -> None:
    (folder / "rui.toml").write_text('exclude = ["apps"]\n[rules]\nMARKUPS = "off"\n')
    (folder / "apps" / "rui.toml").write_text('[rules]\nMARKUP = "off"\n')
    for arguments in ([], ["apps"], ["apps/a.rui.json"]):
        ran = rui("check", "--format", "json", *arguments)
        assert (ran.code, ran.err.count("\n"), len(json.loads(ran.out))) == (2, 1, 1)


def test_entries_that_fit_nothing_are_named(folder: Path) -> None:
    (folder / "apps" / "rui.toml").write_text(
        '[per-file-ignores]\n"a.rui.json" = ["MARKUP at gone", "MARKUP at note"]\n"b.*" = ["MARKUP"]\n'
    )
    about_entry = '"a.rui.json": MARKUP at gone'
    note = "rui check: note: nothing fits these entries of apps/rui.toml: "
    assert rui("check").err == f'{note}{about_entry}, "b.*"\n'
    assert rui("check", "apps").err == f'{note}{about_entry}, "b.*"\n'
    assert rui("check", "apps/a.rui.json").err == f"{note}{about_entry}\n"
    (folder / "apps" / "c.rui.json").write_text(VALID)
    assert rui("check", "apps/c.rui.json").err == ""
    (folder / "apps" / "a.rui.json").write_text(DOUBTFUL + "}")
    assert rui("check", "apps/a.rui.json").err == ""
    many = ", ".join(f'"MARKUP at n{number}"' for number in range(10_000))
    (folder / "apps" / "rui.toml").write_text(f'[per-file-ignores]\n"a.rui.json" = [{many}]\n')
    (folder / "apps" / "a.rui.json").write_text(DOUBTFUL)
    assert rui("check").err.endswith("MARKUP at n4 and 9,995 others\n")


def _cycle(path: Path) -> None:
    path.symlink_to(path.name)


BAD: dict[str, tuple[str | bytes | Callable[[Path], object], str]] = {
    "no TOML": ("[rules", "cannot read rui.toml: it is not TOML: "),
    "no rule": ('[rules]\nMARKUPS = "off"', "cannot use rui.toml: [rules] `MARKUPS` is unknown (did you mean"),
    "no rule at all": (
        '[per-file-ignores]\na = ["x\\ny"]',
        "cannot use rui.toml: [per-file-ignores] `x\\ny`",
    ),
    "an error": ('[rules]\nORPHAN_PAGE = "off"', "cannot use rui.toml: [rules] ORPHAN_PAGE is an error of the"),
    "a number": ('[rules]\nR7b = "warning"', "cannot use rui.toml: [rules] R7b is an error of the contract"),
    "an error in a file": (
        '[per-file-ignores]\na = ["R1 at b"]',
        "cannot use rui.toml: [per-file-ignores] R1 is",
    ),
    "no level": (
        '[rules]\nMARKUP = "of"',
        "cannot use rui.toml: rules.MARKUP is none of error, warning, off: `of`",
    ),
    "no text": ("[rules]\nMARKUP = 1", "cannot use rui.toml: rules.MARKUP is none of error, warning, off: 1"),
    "no table": ("rules = 1", "cannot use rui.toml: `rules` is no table; write [rules]"),
    "no table of files": ("per-file-ignores = []", "cannot use rui.toml: `per-file-ignores` is no table; write [per-"),
    "no list": ('[per-file-ignores]\n"a.b" = "x"', 'cannot use rui.toml: per-file-ignores."a.b" is no list of codes'),
    "no globs": ("exclude = [1]", "cannot use rui.toml: `exclude` is no list of globs"),
    "another key": ("exclud = []", "cannot use rui.toml: `exclud` is unknown (did you mean exclude?)"),
    "the service's": (
        'store = "rui.db"',
        "cannot use rui.toml: `store` is unknown; it may have exclude, rules,",
    ),
    "a cycle": (_cycle, "cannot read rui.toml: "),
    "a folder": (Path.mkdir, "cannot read rui.toml: it is a folder"),
    "large": ("#" * 2_000_000, "cannot read rui.toml: it has more than 1,000,000 bytes"),
    "Latin-1": ("# für".encode("latin-1"), "cannot read rui.toml: it is not UTF-8"),
    "UTF-16": (MARKUP_OFF.encode("utf-16"), "cannot read rui.toml: it is not UTF-8"),
    "a pipe": (os.mkfifo, "cannot read rui.toml: it is a pipe"),
    "a link to nothing": (lambda path: path.symlink_to("gone"), "cannot read rui.toml: no such file or directory"),
    "a table twice": ("[rules]\n[rules]", "cannot read rui.toml: it is not TOML: "),
    "many levels": (f"a{2_000 * '.a'} = 1", "cannot use rui.toml: `a` is unknown"),
    "a date": ("exclude = 1979-05-27", "cannot use rui.toml: `exclude` is no list of globs"),
    "no list of tables": (
        "[rules]\n[api]\noverrides = 1",
        "cannot use rui.toml: `api.overrides` is no array of tables",
    ),
    "no flag": ('[api]\nstrict = "yes"', "cannot use rui.toml: `strict` is neither true nor false"),
    "a long number": (f"a = {'1' * 5_000}", "cannot read rui.toml: it is not TOML: "),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_policy_is_one_line_and_silences_nothing(kind: str, folder: Path) -> None:
    content, message = BAD[kind]
    path = folder / "rui.toml"
    if callable(content):
        content(path)
    else:
        path.write_bytes(content if isinstance(content, bytes) else f"{content}\n".encode())
    for arguments in (["check", "--format", "concise"], ["check", "--format", "concise", "apps/a.rui.json"]):
        ran = rui(*arguments)
        assert (ran.code, ran.out.count("\n"), ran.err.count("\n")) == (2, 2, 1)
        assert ran.err.startswith(f"rui check: {message}")
    assert rui("format", "--check").code == 2


def test_every_warning_and_no_error_can_be_set(folder: Path) -> None:
    for code in (*WARNINGS, *MESSAGES, *RULES):
        (folder / "rui.toml").write_text(f'[rules]\n{code} = "off"\n')
        assert rui("check").code == (0 if code in WARNINGS else 2)


def test_the_settings_of_the_service_are_another_file(folder: Path) -> None:
    for option in OPTIONS:
        (folder / "rui.toml").write_text(f"{option.key} = 1\n")
        ran = rui("check")
        assert (ran.code, ran.err.count("\n"), "service.toml" in ran.err) == (2, 1, True), ran.err
    assert rui("check", Path(__file__).parents[3] / "deploy").code == 0


def test_ten_thousand_entries_are_fast(folder: Path) -> None:
    lines = [f'"apps/{number}*.json" = ["MARKUP at n{number}"]' for number in range(5_000)]
    lines += [f'"apps/{number}.json" = ["MARKUP at n{number}"]' for number in range(5_000)]
    (folder / "rui.toml").write_text("[per-file-ignores]\n" + "\n".join(lines))
    start = time.process_time()
    assert found("apps/a.rui.json") == [IN_META, IN_NODE]
    assert time.process_time() - start < 3
