"""deploy/Dockerfile: what its instructions copy and set. Tests have no Docker."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from rui_api.config.loading import read_settings
from tests.rui_api.live import Service
from tests.support.ports import free_port

ROOT = Path(__file__).parent.parent.parent


def words_of(wanted: str) -> list[str]:
    """Return the arguments of all instructions named `wanted`."""
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Dockerfile").read_text(), flags=re.MULTILINE)
    instructions = (line.split(None, 1) for line in text.replace("\\\n", " ").splitlines() if line.strip())
    return [words for name, words in instructions if name == wanted]


def test_the_image_fits_the_project() -> None:
    """It has all packages of the wheel, is pinned, does not run as root, and its variables are settings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    sent = [line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"]
    copied = [name for words in words_of("COPY") if "--from" not in words for name in words.split()[:-1]]
    assert {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]} <= {*copied} == {*sent}
    assert all((ROOT / name).exists() for name in copied)
    assert all(re.fullmatch(r"python:3\.\d+-slim-\w+@sha256:\w{64}( AS \w+)?", base) for base in words_of("FROM"))
    user = words_of("USER")[0]
    assert user.isdecimal() and user != "0"
    assert f"useradd --uid {user} " in words_of("RUN")[-1]
    assert [*json.loads(words_of("ENTRYPOINT")[0]), *json.loads(words_of("CMD")[0])] == ["rui", "serve"]
    settings = read_settings([], dict(pair.split("=", 1) for pair in shlex.split(words_of("ENV")[0])))
    assert (settings.store, settings.host) == ("sqlite:///rui.db", "0.0.0.0")
    assert words_of("WORKDIR")[-1] == words_of("VOLUME")[0]
    assert str(settings.port) == words_of("EXPOSE")[0]


def test_the_extras_of_the_image_have_every_package_that_the_service_imports() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    [chosen] = re.findall(r"'\.\[(.*)\]'", " ".join(words_of("RUN")))
    declared = {re.split(r"[^\w-]", package)[0] for name in chosen.split(",") for package in extras[name]}
    sources = [path.read_text() for path in (ROOT / "rui_api").rglob("*.py")]
    imported = {name for text in sources for name in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)}
    packages = {
        name: {package.replace("_", "-") for package in found} for name, found in packages_distributions().items()
    }
    others = {name for name in imported - sys.stdlib_module_names if not name.startswith("rui_")}
    assert len(others) > 3
    assert not {name for name in others if declared.isdisjoint(packages[name])}


def test_the_health_check(service: Service) -> None:
    words = words_of("HEALTHCHECK")[0]
    command = json.loads(words[words.index("CMD") + 3 :])
    for port, is_healthy in ((service.port, True), (free_port(), False)):
        variables = {**os.environ, "RUI_PORT": str(port), "http_proxy": "http://127.0.0.1:1"}  # It must not use it.
        done = subprocess.run([sys.executable, *command[1:]], env=variables, capture_output=True, check=False)
        assert (done.returncode == 0) is is_healthy
