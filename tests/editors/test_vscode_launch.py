"""The program of the server is never one of the workspace: a name is searched on the PATH alone. Runs in Node.js."""

import json
import subprocess
from pathlib import Path

import pytest

from editors.build_vsix import EXTENSION, install_packages
from tests.editors import tools

LAUNCH = Path(__file__).parent / "launch.mjs"
PYTHON = "#!/bin/sh\necho 3.12.1\n"
"""Answers like a Python, and like any other program."""


class Places:
    """A workspace, which is the working directory, and a folder of the PATH; both contain every program."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.workspace, self.programs, self._server = folder / "workspace", folder / "programs", server
        for place in (self.workspace, self.workspace / "bin", self.programs):
            place.mkdir()
            for name in ("python3", "py.exe", "python3.exe", "rui"):
                (place / name).write_text(PYTHON)
                (place / name).chmod(0o755)
        (self.programs / "old").write_text("#!/bin/sh\necho 3.9.2\n")
        (self.programs / "old").chmod(0o755)

    def launch(self, path: str, *, platform: str = "linux", excluded: str = "", **settings: object) -> dict[str, str]:
        """Return what src/server.ts would start."""
        node = tools.on_path("node")
        done = subprocess.run(
            [node, LAUNCH, self._server, json.dumps(settings), json.dumps([excluded] if excluded else []), platform],
            cwd=self.workspace, env={"PATH": path}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    with tools.or_skip():
        tools.on_path("npm")
    with tools.one_at_a_time("extension"):
        install_packages()
    folder = tmp_path_factory.mktemp("launch")
    output = folder / "server.cjs"
    options = ["--bundle", "--platform=node", "--log-level=error", f"--outfile={output}"]
    subprocess.run(["npx", "esbuild", "src/server.ts", *options], cwd=EXTENSION, check=True)
    return Places(folder, output)


@pytest.mark.parametrize(("platform", "name"), [("linux", "python3"), ("win32", "py.exe")])
@pytest.mark.parametrize("path", ["", ".", "bin", "./bin"])
def test_relative_folders_of_the_path_are_not_searched(places: Places, platform: str, name: str, path: str) -> None:
    launch = places.launch(f"{path}:{places.programs}", platform=platform)
    assert launch["command"] == str(places.programs / name)
    assert "did not find it" in places.launch(path, platform=platform)["error"]


def test_folders_of_an_untrusted_workspace_are_not_searched(places: Places) -> None:
    path = f"{places.workspace}:{places.workspace / 'bin'}:{places.programs}"
    assert places.launch(path)["command"] == str(places.workspace / "python3")
    assert places.launch(path, excluded=str(places.workspace))["command"] == str(places.programs / "python3")


REFUSED = [
    ({"interpreter": "./python3"}, "rui.interpreter: ./python3 cannot be used: it is not an absolute path"),
    ({"command": ["bin/rui", "lsp"]}, "rui.server.command: bin/rui is neither an absolute path nor a program"),
    ({"command": ["no-such-rui"]}, "rui.server.command: no-such-rui is neither an absolute path nor a program"),
    ({"interpreter": "/bin/true"}, "rui.interpreter: /bin/true cannot be used: it did not print a Python version"),
    (
        {"interpreter": "old"},
        "rui.interpreter: old cannot be used: it is Python 3.9.2. Python 3.11 or newer is",
    ),
    ({"command": ["/no/such/rui", "lsp"]}, "rui.server.command: the file /no/such/rui does not exist."),
]
ACCEPTED = [
    ({"command": ["rui", "lsp"]}, "rui", ["lsp"]),
    ({"interpreter": "python3"}, "python3", ["-I", "-S", "/extension/bundled/rui_server.py"]),
]


def test_settings_are_refused_or_name_an_absolute_program(places: Places) -> None:
    for settings, words in REFUSED:
        assert words in places.launch(str(places.programs), **settings)["error"]
    for settings, name, arguments in ACCEPTED:
        launch = places.launch(str(places.programs), **settings)
        assert (launch["command"], launch["args"]) == (str(places.programs / name), arguments)
