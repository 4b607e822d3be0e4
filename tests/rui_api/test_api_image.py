"""deploy/Dockerfile: what its instructions copy and set, and a service that is built by them in a folder.

Tests have no Docker.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rui_api.config.loading import read_settings
from rui_common.client import Client
from rui_common.describe import minimal_example

ROOT = Path(__file__).parent.parent.parent
PREFIX = "/opt/rui"
"""Where the image has the program."""


def words_of(wanted: str) -> list[str]:
    """Return the arguments of all instructions named `wanted`."""
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Dockerfile").read_text(), flags=re.MULTILINE)
    instructions = (line.split(None, 1) for line in text.replace("\\\n", " ").splitlines() if line.strip())
    return [words for name, words in instructions if name == wanted]


def copied() -> list[str]:
    """Return the files and folders of the repository that the build copies."""
    return [name for words in words_of("COPY") if "--from" not in words for name in words.split()[:-1]]


def environment() -> dict[str, str]:
    """Return the variables of the image; `$PATH` in them is the PATH of this process."""
    pairs = (pair.split("=", 1) for pair in shlex.split(words_of("ENV")[0]))
    return {name: value.replace("$PATH", os.environ["PATH"]) for name, value in pairs}


def command() -> list[str]:
    """Return the command line of a container."""
    return [*json.loads(words_of("ENTRYPOINT")[0]), *json.loads(words_of("CMD")[0])]


def test_the_image_fits_the_project() -> None:
    """It has all packages of the wheel, is pinned, does not run as root, and its variables are settings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    sent = [line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"]
    assert {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]} <= {*copied()} == {*sent}
    assert all((ROOT / name).exists() for name in copied())
    assert all(re.fullmatch(r"python:3\.\d+-slim-\w+@sha256:\w{64}( AS \w+)?", base) for base in words_of("FROM"))
    user = words_of("USER")[0]
    assert user.isdecimal() and user != "0"
    assert f"useradd --uid {user} " in words_of("RUN")[-1]
    assert command() == ["rui", "serve"]
    settings = read_settings([], environment())
    assert (settings.store, settings.host) == ("sqlite:///rui.db", "0.0.0.0")
    assert words_of("WORKDIR")[-1] == words_of("VOLUME")[0]
    assert str(settings.port) == words_of("EXPOSE")[0]


def build(folder: Path) -> dict[str, str]:
    """Copy the files that the Dockerfile copies, run its commands with another prefix; return the variables."""
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    before = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for line in words_of("RUN")[:2]:
        here = line.replace(PREFIX, f"{folder}/opt")
        done = subprocess.run(here, shell=True, cwd=folder, env=before, capture_output=True, text=True, check=False)
        if "Failed to establish a new connection" in done.stderr:
            assert os.environ.get("CI") != "true", done.stderr
            pytest.skip("missing: the packages of the image, for there is no registry")
        assert done.returncode == 0, done.stdout + done.stderr
    return {name: value.replace(PREFIX, f"{folder}/opt") for name, value in environment().items()}


def test_a_service_that_is_built(tmp_path: Path) -> None:
    """It starts, is healthy, stores, and stops."""
    variables = build(tmp_path)
    words = words_of("HEALTHCHECK")[0]
    health_check = json.loads(words[words.index("CMD") + 3 :])
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    variables |= {"RUI_HOST": "127.0.0.1", "RUI_PORT": port, "RUI_STORE": f"sqlite:///{tmp_path}/rui.db"}
    variables["http_proxy"] = "http://127.0.0.1:1"  # The health check must not use it.

    def is_healthy() -> bool:
        program = shutil.which(health_check[0], path=variables["PATH"])
        return subprocess.run([program, *health_check[1:]], env=variables, timeout=20, check=False).returncode == 0

    program = shutil.which("rui", path=variables["PATH"])
    assert program and program.startswith(str(tmp_path))
    with subprocess.Popen([program, *command()[1:]], env=variables, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline().startswith(f"RUI service on http://127.0.0.1:{port}, ")
            assert is_healthy()
            client = Client(f"http://127.0.0.1:{port}")
            assert client.fetch(client.store(minimal_example()).spec_id).normalized_rui == minimal_example()
            child.send_signal(signal.SIGTERM)
            assert child.wait(20) == 0
            assert not is_healthy()
        finally:
            child.kill()
