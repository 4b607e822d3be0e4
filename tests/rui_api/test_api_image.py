"""deploy/Dockerfile: what its instructions copy and set. Tests have no Docker."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from rui_api.config.loading import read_settings
from tests.rui_api.live import Service, at_socket
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


def health(**variables: str) -> tuple[int, str]:
    """Run the health check with these settings, beside the variables of the image. It must not use the proxy."""
    words = words_of("HEALTHCHECK")[0]
    command = json.loads(words[words.index("CMD") + 3 :])
    image = dict(pair.split("=", 1) for pair in shlex.split(words_of("ENV")[0]) if pair.startswith("RUI_"))
    done = subprocess.run(
        [sys.executable, *command[1:]], capture_output=True, text=True, check=False,
        env={**os.environ, **image, **variables, "http_proxy": "http://127.0.0.1:1"},
    )  # fmt: skip
    return done.returncode, done.stderr


def test_the_health_check_asks_where_the_settings_say(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "service.toml"
    file.write_text(f"port = {service.port}")
    assert health(RUI_PORT=str(service.port)) == (0, "")
    assert health(RUI_HOST="127.0.0.1", RUI_PORT=str(service.port)) == (0, "")
    assert health(RUI_CONFIG=str(file)) == (0, "")
    assert health(RUI_CONFIG=str(file), RUI_PORT=str(free_port()))[0] == 1


def test_the_health_check_of_a_unix_socket(tmp_path: Path) -> None:
    path = tmp_path / "rui.sock"
    file = tmp_path / "service.toml"
    file.write_text(f'unix-socket = "{path}"')
    assert health(RUI_UNIX_SOCKET=str(path)) == (1, "health: [Errno 2] No such file or directory\n")
    with at_socket(path, "--store", f"sqlite:///{tmp_path}/rui.db") as (_, client):
        client.get("/api/health")  # it has started
        assert health(RUI_UNIX_SOCKET=str(path)) == (0, "")
        assert health(RUI_CONFIG=str(file)) == (0, "")


@pytest.mark.parametrize(("variables", "line"), [
    ({"RUI_PORT": "x"}, "health: RUI_PORT: a number from 0 to 65535 is needed, not 'x'\n"),
    ({"RUI_CONFIG": "/none.toml"}, "health: /none.toml: No such file or directory\n"),
    ({"RUI_PORT": "8000", "RUI_UNIX_SOCKET": "/a"},
     "health: RUI_UNIX_SOCKET and RUI_PORT: only one of them can be given\n"),
])  # fmt: skip
def test_a_health_check_without_usable_settings_is_one_line(variables: dict[str, str], line: str) -> None:
    assert health(**variables) == (1, line)


def test_a_service_that_answers_nothing_is_not_healthy(tmp_path: Path) -> None:
    path = tmp_path / "rui.sock"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        silent.listen()
        assert health(RUI_UNIX_SOCKET=str(path)) == (1, "health: timed out\n")
