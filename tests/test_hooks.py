"""What other people's repositories use: the pre-commit hooks, the GitHub Action, the entry of a schema catalogue."""

import json
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from rui_common.vocabulary import VERSION

ROOT = Path(__file__).parent.parent
FAULTY = (ROOT / "examples" / "first-draft.rui.json").read_text()
SOUND = (ROOT / "examples" / "order-desk.rui.json").read_text()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Somebody's repository with a document that is sound and one that is not, both staged."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "sound.rui.json").write_text(SOUND)
    (folder / "faulty.rui.json").write_text(FAULTY)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize(
    ("hook", "file", "code", "words"),
    [
        ("rui-check", "sound.rui.json", 0, "Passed"),
        ("rui-check", "faulty.rui.json", 1, "R10 INVALID_NAV_PAGE_ID"),
        ("rui-format", "faulty.rui.json", 1, "files were modified by this hook"),
    ],
)
def test_hooks_run_as_they_are_defined(repository: Path, hook: str, file: str, code: int, words: str) -> None:
    """By pre-commit itself, on the hooks' own entry and files; the toolkit is the one of this environment."""
    hooks = {one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    program = [sys.executable, "-m", "rui_cli"]
    entry = hooks[hook]["entry"].split()
    assert entry[0] == "rui"
    local = {**hooks[hook], "language": "system", "entry": " ".join([*program, *entry[1:]])}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (repository / ".pre-commit-config.yaml").write_text(json.dumps(config))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PRE_COMMIT_HOME": str(repository.parent / "cache")}
    command = [sys.executable, "-m", "pre_commit", "run", "--files", file, "sound.rui.json"]
    done = subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert words in done.stdout
    validated = [sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"]
    subprocess.run(validated, check=True, env=env)


def test_the_action_does_what_it_says(repository: Path, tmp_path: Path) -> None:
    """Its steps, in a shell, as a runner runs them: a fault becomes an annotation and the job fails."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    install, check = action["runs"]["steps"]
    inputs = {name: one["default"] for name, one in action["inputs"].items()} | {"python": sys.executable}

    def run(step: dict[str, object], files: str = ".") -> subprocess.CompletedProcess[str]:
        given = inputs | {"files": files}
        own = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
            for name, value in step["env"].items()
        }
        env = {**os.environ, **own, "RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ROOT)}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step["run"])]
        return subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True, check=False)

    installed = run(install)
    assert installed.returncode == 0, installed.stderr
    found = run(check)
    assert found.returncode == 1, found.stderr
    assert re.search(r"^::error file=faulty\.rui\.json,line=4,", found.stdout, re.MULTILINE)
    assert "sound.rui.json" not in found.stdout
    assert run(check, "sound.rui.json").returncode == 0


def test_the_catalogue_names_the_schema_that_we_have() -> None:
    [entry] = json.loads((ROOT / "editors" / "schema-catalog.json").read_text())["schemas"]
    assert fnmatch("a.rui.json", entry["fileMatch"][0])
    assert not fnmatch("a.json", entry["fileMatch"][0])
    assert entry["versions"] == {VERSION: entry["url"]}
    schema = json.loads((ROOT / "docs" / entry["url"].rpartition("/")[2]).read_text())
    Draft202012Validator.check_schema(schema)
    assert schema["$id"]
    assert Draft202012Validator(schema).is_valid(json.loads(SOUND))
    assert not Draft202012Validator(schema).is_valid(json.loads(FAULTY))
