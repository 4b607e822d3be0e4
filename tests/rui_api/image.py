"""deploy/Dockerfile, read: what it says, and the same done in a folder, for there need be no Docker to test it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PREFIX = "/opt/rui"
"""Where the image has the program."""


def instructions() -> list[tuple[str, str]]:
    """Each with its words, comments left out."""
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def words_of(wanted: str) -> list[str]:
    """What stands behind every instruction of that name."""
    return [words for name, words in instructions() if name == wanted]


def copied() -> list[str]:
    """The files and folders of the repository that go into the build."""
    return [name for words in words_of("COPY") if "--from" not in words for name in words.split()[:-1]]


def sent() -> list[str]:
    """Those that .dockerignore lets Docker see."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    return [line.removeprefix("!") for line in lines if line.startswith("!")]


def environment() -> dict[str, str]:
    """The variables of the image, with ours in them where it refers to its own."""
    pairs = (pair.split("=", 1) for pair in shlex.split(words_of("ENV")[0]))
    return {name: value.replace("$PATH", os.environ["PATH"]) for name, value in pairs}


def health_check() -> list[str]:
    """The command that asks the service how it is."""
    words = words_of("HEALTHCHECK")[0]
    return json.loads(words[words.index("CMD") + 3 :])


def command() -> list[str]:
    """What a container runs."""
    return [*json.loads(words_of("ENTRYPOINT")[0]), *json.loads(words_of("CMD")[0])]


@dataclass
class Container:
    """What was built, in a folder.

    Args:
        prefix: where the program is.
        environment: the variables that it has, and no others.
        folder: its working directory.
    """

    prefix: Path
    environment: Mapping[str, str]
    folder: Path

    def start(self, words: list[str], **variables: str) -> subprocess.Popen[str]:
        """A program of the image, by its name."""
        program = shutil.which(words[0], path=self.environment["PATH"])
        assert program and program.startswith(str(self.prefix)), f"{words[0]} is not in the image"
        return subprocess.Popen(
            [program, *words[1:]], cwd=self.folder, env={**self.environment, **variables}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


def build(folder: Path) -> Container:
    """Copy what the Dockerfile copies, and nothing else, and run what it runs, only with another prefix."""
    sources, prefix, data = folder / "src", folder / "opt", folder / "data"
    sources.mkdir()
    data.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, sources)
    before = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for line in words_of("RUN")[:2]:
        done = subprocess.run(
            line.replace(PREFIX, str(prefix)), shell=True, cwd=sources, env=before, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if "Failed to establish a new connection" in done.stderr:
            assert os.environ.get("CI") != "true", done.stderr
            pytest.skip("missing: the packages of the image, for there is no registry")
        assert done.returncode == 0, done.stdout + done.stderr
    variables = {name: value.replace(PREFIX, str(prefix)) for name, value in environment().items()}
    return Container(prefix, variables | {"RUI_STORE": f"sqlite:///{data}/rui.db"}, data)
