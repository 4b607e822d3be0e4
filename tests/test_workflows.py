"""The GitHub workflows run commands that exist in this repository."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def commands(path: Path) -> str:
    """All shell commands of a workflow."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    return "\n".join(step["run"] for job in jobs for step in job["steps"] if "run" in step)


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
