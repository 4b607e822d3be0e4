"""deploy/Dockerfile: contents of the image, and a running service from it."""

import re
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

from rui_api.config.loading import read_settings
from rui_api.config.options import OPTIONS
from rui_common.client import Client
from rui_common.describe import minimal_example
from tests.rui_api import image


def test_the_image_has_all_that_the_wheel_has() -> None:
    project = tomllib.loads((image.ROOT / "pyproject.toml").read_text())
    assert {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]} <= {*image.copied()}
    assert {*image.copied()} == {*image.sent()}
    assert all((image.ROOT / name).exists() for name in image.copied())


def test_the_image_is_pinned_and_not_root() -> None:
    assert all(re.fullmatch(r"python:3\.\d+-slim-\w+@sha256:\w{64}( AS \w+)?", base) for base in image.words_of("FROM"))
    user = image.words_of("USER")[0]
    assert user.isdecimal() and user != "0"
    assert f"useradd --uid {user} " in image.words_of("RUN")[-1]
    assert image.command() == ["rui", "serve"]


def test_the_variables_of_the_image_are_settings() -> None:
    ours = {name: value for name, value in image.environment().items() if name.startswith("RUI_")}
    assert {*ours} <= {option.variable for option in OPTIONS}
    assert read_settings([], ours).store == "sqlite:///rui.db"
    assert image.words_of("WORKDIR")[-1] == image.words_of("VOLUME")[0]
    assert ours["RUI_PORT"] == image.words_of("EXPOSE")[0]


def exit_code(child: subprocess.Popen[str]) -> int:
    child.communicate(timeout=20)
    return child.returncode


def test_what_is_built_serves(tmp_path: Path) -> None:
    """A build in an empty folder with packages of the registry starts, is healthy, stores, and stops."""
    built = image.build(tmp_path)
    check = [sys.executable, "-m", "pip", "--python", str(built.prefix / "bin" / "python"), "check"]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0
    assert not [*built.prefix.glob("lib/*/site-packages/pip")]
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    proxy = {"http_proxy": "http://127.0.0.1:1", "RUI_PORT": port}  # The health check must not use the proxy.
    with built.start(image.command(), RUI_HOST="127.0.0.1", RUI_PORT=port) as child:
        try:
            assert child.stdout.readline().startswith(f"RUI service on http://127.0.0.1:{port}, ")
            assert exit_code(built.start(image.health_check(), **proxy)) == 0
            client = Client(f"http://127.0.0.1:{port}")
            assert client.fetch(client.store(minimal_example()).spec_id).normalized_rui == minimal_example()
            child.send_signal(signal.SIGTERM)
            assert child.wait(20) == 0
            assert exit_code(built.start(image.health_check(), **proxy)) == 1
        finally:
            child.kill()
