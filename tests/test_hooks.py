"""Integrations for other repositories: pre-commit hooks, the hook of a coding agent, and the GitHub Action."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.rui_openapi.shop import metric
from tests.support.checkout import copy_checkout

ROOT = Path(__file__).parent.parent
FAULTY = (ROOT / "examples" / "first-draft.rui.json").read_text()
VALID_TEXT = (ROOT / "examples" / "order-desk.rui.json").read_text()
WARNED_TEXT = VALID_TEXT.replace('"data.open"', '"TODO"')


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with valid and invalid documents, all staged."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "valid.rui.json").write_text(VALID_TEXT)
    (folder / "faulty.rui.json").write_text(FAULTY)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    return folder


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the working tree of the toolkit and a tag, as users install it."""
    folder = tmp_path_factory.mktemp("toolkit")
    copy_checkout(folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", "All of it")
    git(folder, "tag", "v0")
    return folder


def fenced(language: str) -> list[str]:
    """Return the code blocks of a language in README.md."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


def git(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, env=os.environ | env, capture_output=True, text=True, check=not env)


def test_hooks_install_the_toolkit_in_another_repository(released: Path, repository: Path) -> None:
    """As in the README: after `pre-commit install`, `git commit` installs the toolkit and runs it."""
    validated = [sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"]
    subprocess.run(validated, check=True)
    [config] = [text for text in fenced("yaml") if "repos:" in text]
    config = re.sub(r"repo: .*", f"repo: {json.dumps(str(released))}", config)
    (repository / ".pre-commit-config.yaml").write_text(re.sub(r"rev: .*", "rev: v0", config))
    git(repository, "add", ".")
    home = str(repository.parent / "home of pre-commit")
    installed = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(installed, cwd=repository, env={**os.environ, "PRE_COMMIT_HOME": home}, check=True)
    refused = git(repository, "commit", "--message", "A draft", PRE_COMMIT_HOME=home, PYTHONPATH="")
    assert refused.returncode == 1, refused.stderr
    assert "R18 MISSING_BINDING" in refused.stderr and "faulty.rui.json" in refused.stderr
    assert "R10 INVALID_NAV_PAGE_ID" not in refused.stderr
    assert "files were modified by this hook" in refused.stderr
    (repository / "faulty.rui.json").rename(repository / "now valid, größer.rui.json")
    (repository / "now valid, größer.rui.json").write_text(VALID_TEXT)
    git(repository, "add", "--all")
    done = git(repository, "commit", "--message", "Fix", PRE_COMMIT_HOME=home, PYTHONPATH="")
    assert done.returncode == 0 and done.stderr.count("Passed") == 2, done.stderr


@pytest.mark.parametrize(("text", "code", "words"), [
    (FAULTY, 2, "R18 MISSING_BINDING"), (WARNED_TEXT, 2, "PLACEHOLDER"),
    (VALID_TEXT, 0, ""),
])  # fmt: skip
def test_the_hook_of_a_coding_agent(tmp_path: Path, text: str, code: int, words: str) -> None:
    """The agent reads standard error if the exit code is 2."""
    (tmp_path / "a.rui.json").write_text(text)
    folder = tmp_path / "in it"
    folder.mkdir()
    [settings] = [settings for settings in map(json.loads, fenced("json")) if "hooks" in settings]
    [rule] = settings["hooks"]["PostToolUse"]
    [hook] = rule["hooks"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "CLAUDE_PROJECT_DIR": str(tmp_path)}
    done = subprocess.run(
        ["sh", "-c", hook["command"]], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr


class Action:
    """Runs the steps of action.yml in a shell, like a runner."""

    def __init__(self, temp: Path) -> None:
        self.temp = temp
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        assert action["runs"]["using"] == "composite"
        self.install, self.check, self.summarize, self.draw, self.compare, self.audit, self.impact = action["runs"][
            "steps"
        ]
        self.defaults = {name: given["default"] for name, given in action["inputs"].items()}

    def run(self, step: dict[str, object], folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step in a checkout with the given inputs and the defaults of all others."""
        given = self.defaults | inputs
        variables = {
            name: re.sub(r"\$\{\{ (?:inputs\.([\w-]+)|github[^}]*) \}\}", lambda found: given.get(found[1], ""), value)
            for name, value in step["env"].items()
        }
        runner = {"RUNNER_TEMP": self.temp, "GITHUB_ACTION_PATH": ROOT, "GITHUB_STEP_SUMMARY": self.temp / "summary"}
        env = {**os.environ, **variables, **{name: str(path) for name, path in runner.items()}}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step["run"])]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Action:
    """The action in a checkout whose files have the names of modules that Python imports there."""
    action, folder = Action(tmp_path_factory.mktemp("runner temp")), tmp_path_factory.mktemp("checkout")
    for name in ("venv", "pip", "json", "types"):
        (folder / f"{name}.py").write_text("raise SystemExit('not this one')")
    done = action.run(action.install, folder, python=sys.executable)
    assert done.returncode == 0, done.stderr
    return action


def test_the_action_annotates_errors_and_draws(action: Action, repository: Path) -> None:
    found = action.run(action.check, repository)
    assert found.returncode == 1, found.stderr
    assert re.search(r"^::error file=faulty\.rui\.json,line=4,", found.stdout, re.MULTILINE)
    assert "valid.rui.json" not in found.stdout
    drawn = action.run(action.draw, repository, files="*.rui.json", wireframes="drawn")
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert sorted(path.name for path in (repository / "drawn").iterdir()) == ["faulty.svg", "valid.svg"]
    [steps] = [yaml.safe_load(text)["jobs"]["rui"]["steps"] for text in fenced("yaml") if "steps:" in text]
    assert steps[-1]["with"].keys() <= action.defaults.keys()


def test_the_action_checks_the_given_files(action: Action, repository: Path) -> None:
    names = ("two words/its draft.rui.json", "valid.rui.json", "faulty.rui.json")
    (repository / "two words").mkdir()
    for name in names:
        (repository / name).write_text("{")
    for files, checked in (("v*.rui.json faulty.rui.json", names[1:]), ("two*/*\nfaulty.rui.json\n", names[::2])):
        found = action.run(action.check, repository, files=files)
        assert found.returncode == 1, found.stderr
        assert tuple(re.findall(r"^::error file=(.*?),line=1,", found.stdout, re.MULTILINE)) == checked
    missing = action.run(action.check, repository, files="drafts/*.rui.json")
    reported = "rui check: no *.rui.json fits drafts/*.rui.json"
    assert (missing.returncode, missing.stdout) == (2, f"::error::{reported}\n")


@pytest.mark.parametrize(("inputs", "code"), [({}, 0), ({"error-on-warnings": "true"}, 1)])
def test_the_action_fails_on_warnings_if_asked(
    action: Action, tmp_path: Path, inputs: dict[str, str], code: int
) -> None:
    (tmp_path / "warned.rui.json").write_text(WARNED_TEXT)
    found = action.run(action.check, tmp_path, **inputs)
    assert found.returncode == code, found.stderr
    assert "::warning file=warned.rui.json" in found.stdout


def test_the_action_reports_what_the_base_does_not_have(action: Action, repository: Path) -> None:
    """Warnings count the same; a revision that is not there, or is no revision, is an error."""
    (repository / "warned.rui.json").write_text(WARNED_TEXT)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "base")
    options = {"error-on-warnings": "true", "since": "HEAD^1"}
    (repository / "note.txt").write_text("x")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "edit")
    assert action.run(action.check, repository, **{**options, "since": ""}).returncode == 1
    found = action.run(action.check, repository, **options)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
    (repository / "sub").mkdir()
    git(repository, "mv", "faulty.rui.json", "sub/moved.rui.json")
    (repository / "new one.rui.json").write_text(WARNED_TEXT)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "move")
    found = action.run(action.check, repository, **options)
    assert (found.returncode, found.stderr) == (1, "")
    assert {*re.findall(r"^::\w+ file=(.*?),", found.stdout, re.MULTILINE)} == {"new one.rui.json"}
    assert action.run(action.check, repository, since="HEAD^1").returncode == 0
    for revision in ("none", "HEAD~9", "-x", "--all", "^HEAD"):
        found = action.run(action.check, repository, since=revision)
        assert (found.returncode, found.stdout.count("\n"), found.stderr.count("\n")) == (2, 1, 1)
        assert found.stdout.startswith(f"::error::rui check: --since {revision}: ")
    git(repository, "clone", "--quiet", "--depth", "1", f"file://{repository}", "clone")
    found = action.run(action.check, repository / "clone", since="HEAD^1")
    assert (found.returncode, "or fetch-depth of actions/checkout" in found.stdout) == (2, True)


BAD_POLICIES: dict[str, str | Callable[[Path], object]] = {
    "no TOML": "[rules",
    "no rule": '[rules]\nMARKUPS = "off"\n',
    "an error of the contract": '[rules]\nMISSING_BINDING = "off"\n',
    "a cycle": lambda path: path.symlink_to(path.name),
    "a folder": Path.mkdir,
    "a link to nothing": lambda path: path.symlink_to("gone.toml"),
}


@pytest.mark.parametrize("kind", BAD_POLICIES)
def test_a_bad_policy_is_one_line_in_the_action_and_silences_nothing(
    kind: str, action: Action, repository: Path
) -> None:
    git(repository, "commit", "--quiet", "--message", "base")
    (repository / "valid.rui.json").write_text(WARNED_TEXT)
    policy = BAD_POLICIES[kind]
    if callable(policy):
        policy(repository / "rui.toml")
    else:
        (repository / "rui.toml").write_text(policy)
    found = action.run(action.check, repository, since="HEAD")
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)
    warning, error = found.stdout.splitlines()
    assert warning.startswith("::warning file=valid.rui.json,")
    assert error.startswith(("::error::rui check: cannot use rui.toml: ", "::error::rui check: cannot read rui.toml: "))
    for step in (action.summarize, action.draw, action.compare):
        done = action.run(step, repository, wireframes="drawn", compare="HEAD")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) in {(2, "", 1), (0, "", 1), (0, "", 0)}, step[
            "name"
        ]
        assert "rui.toml: " in done.stderr or not done.stderr


def test_the_action_names_edits_that_merges_have_lost(action: Action, repository: Path) -> None:
    git(repository, "commit", "--quiet", "--message", "base")
    branch = git(repository, "branch", "--show-current").stdout.strip()
    git(repository, "checkout", "--quiet", "-b", "theirs")
    (repository / "valid.rui.json").write_text(VALID_TEXT.replace("five minutes", "ten minutes"))
    git(repository, "commit", "--quiet", "--all", "--message", "theirs")
    git(repository, "checkout", "--quiet", branch)
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "ours")
    git(repository, "merge", "--quiet", "--strategy", "ours", "--no-edit", "theirs")
    found = action.run(action.audit, repository)
    assert (found.returncode, found.stderr) == (1, "")
    assert "ten minutes" in (action.temp / "summary").read_text()


def test_the_action_says_what_a_change_of_the_api_breaks(action: Action, repository: Path) -> None:
    (repository / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": {"/orders": {"get": {}}}}))
    (repository / "valid.rui.json").write_text(metric("/orders", "open"))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "base")
    (repository / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": {"/sales": {"get": {}}}}))
    summary = action.temp / "summary"
    inputs = {"files": "valid.rui.json", "openapi": "openapi.json", "compare": "HEAD"}
    for _ in range(2):
        summary.write_text("")
        found = action.run(action.impact, repository, **inputs)
        assert (found.returncode, found.stderr) == (1, "")
        assert found.stdout == "::error::openapi.json: 1 of 1 document breaks.\n"
        assert "`/orders` is gone" in summary.read_text()
    for missing in ("openapi", "compare"):
        assert action.run(action.impact, repository, **{**inputs, missing: ""}).returncode == 1
    git(repository, "commit", "--quiet", "--all", "--message", "changed")
    assert action.run(action.impact, repository, **inputs).returncode == 0


def test_the_action_lists_what_the_description_states(action: Action, repository: Path) -> None:
    summary = action.temp / "summary"
    summary.write_text("Before\n")
    done = action.run(action.summarize, repository)
    assert (done.returncode, done.stdout, done.stderr, summary.read_text()) == (0, "", "", "Before\n")
    body = {"schema": {"properties": {"open": {"type": "integer", "example": 17}}}}
    get = {"summary": "Orders", "responses": {"200": {"content": {"application/json": body}}}}
    (repository / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": {"/orders": {"get": get}}}))
    text = metric("/orders", "open")
    (repository / "valid.rui.json").write_text(text)
    (repository / "faulty.rui.json").write_text(metric("/orders", "opn"))
    by_toml = "[api]\nopenapi = 'openapi.json'\n"
    for inputs in ({"openapi": "openapi.json"}, {}):
        summary.write_text("Before\n")
        done = action.run(action.summarize, repository, **inputs)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        found = summary.read_text()
        assert found.startswith("Before\n") and found.count("1 of 1 binding is in the description") == 1
        assert "GET /orders: Orders<br>17 (a number · example)" in found
        assert '❌ **Not in the API:** The response of GET /orders has no "opn".' in found
        drawn = action.run(action.draw, repository, files="valid.rui.json", wireframes="drawn", **inputs)
        assert (drawn.returncode, drawn.stderr) == (0, "")
        assert ">17</text>" in (repository / "drawn" / "valid.svg").read_text()
        (repository / "rui.toml").write_text(by_toml)


def test_the_action_compares_with_a_revision(action: Action, repository: Path) -> None:
    git(repository, "commit", "--quiet", "--message", "First")
    (repository / "valid.rui.json").write_text(VALID_TEXT.replace("five minutes", "ten minutes"))
    (repository / "faulty.rui.json").unlink()
    (repository / "it's new.rui.json").write_text(VALID_TEXT.replace("Order desk", "@team"))
    (repository / "notes.txt").write_text("x")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "Second")
    summary = action.temp / "summary"
    summary.write_text("Before\n")
    done = action.run(action.compare, repository, compare="HEAD^1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = summary.read_text()
    assert text.startswith("Before\n")
    assert "says “every ten minutes.” instead of “every five minutes.”" in text
    assert "### @\u200bteam\n\n`it's new.rui.json`\n\n> The document is new." in text
    assert "> The document is removed." in text
    assert "notes.txt" not in text
    (repository / "an api.json").write_text('{"openapi": "3.1.0", "paths": {}}')
    (repository / "new.rui.json").write_text(metric("/orders", "open"))
    git(repository, "add", ".")
    summary.write_text("")
    done = action.run(action.compare, repository, compare="HEAD", openapi="an api.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "> The new endpoint /orders is not in the API description." in summary.read_text()
    (repository / "notes.md").write_text("1. **Order desk** `meta`\n   - Note: Another title\n")
    summary.write_text("")
    done = action.run(action.compare, repository, compare="HEAD^1", notes="notes.md")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "- Note 1, **Order desk**: untouched." in summary.read_text()
    for notes, line in (
        ("- Content hash: `x`\n\n1. `meta`\n   - Note: x\n",
         "> The notes in `notes.md` are about none of the documents that changed."),
        ("Nothing to say", "> The notes are not answered: notes.md: it contains no notes: "),
        (None, "> There is no file `notes.md` with notes."),
    ):  # fmt: skip
        (repository / "notes.md").unlink()
        if notes is not None:
            (repository / "notes.md").write_text(notes)
        summary.write_text("")
        done = action.run(action.compare, repository, compare="HEAD^1", notes="notes.md")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert line in summary.read_text()
        assert "says “every ten minutes.” instead of “every five minutes.”" in summary.read_text()
    (repository / "valid.rui.json").write_text("{")
    summary.write_text("")
    done = action.run(action.compare, repository, compare="HEAD^1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "`valid.rui.json` is not compared:\n\n> valid.rui.json\\:1\\:2: " in summary.read_text()
    done = action.run(action.compare, repository, compare="none")
    reported = "There is no revision none to compare with; actions/checkout fetches it with fetch-depth."
    assert (done.returncode, done.stdout) == (1, f"::error::{reported}\n")


def test_the_action_names_the_python_that_it_needs(action: Action, tmp_path: Path) -> None:
    (tmp_path / "old-python").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "old-python").chmod(0o755)
    found = action.run(action.install, tmp_path, python=str(tmp_path / "old-python"))
    assert found.returncode == 1
    assert found.stdout == "::error::Python 3.11 or newer is needed; actions/setup-python installs it.\n"
