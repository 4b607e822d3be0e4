"""Parse deploy/Dockerfile and run its build in a folder, because tests have no Docker."""

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
    """Return name and arguments of each instruction, without comments."""
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def words_of(wanted: str) -> list[str]:
    """Return the arguments of all instructions named `wanted`."""
    return [words for name, words in instructions() if name == wanted]


def copied() -> list[str]:
    """Return the files and folders of the repository that the build copies."""
    return [name for words in words_of("COPY") if "--from" not in words for name in words.split()[:-1]]


def sent() -> list[str]:
    """Return the entries of the build context that .dockerignore admits."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    return [line.removeprefix("!") for line in lines if line.startswith("!")]


def environment() -> dict[str, str]:
    """Return the variables of the image; `$PATH` in them is the PATH of this process."""
    pairs = (pair.split("=", 1) for pair in shlex.split(words_of("ENV")[0]))
    return {name: value.replace("$PATH", os.environ["PATH"]) for name, value in pairs}


def health_check() -> list[str]:
    """Return the command that checks the health of the service."""
    words = words_of("HEALTHCHECK")[0]
    return json.loads(words[words.index("CMD") + 3 :])


def command() -> list[str]:
    """Return the command line of a container."""
    return [*json.loads(words_of("ENTRYPOINT")[0]), *json.loads(words_of("CMD")[0])]


@dataclass
class Container:
    """The result of a build, in a folder.

    Args:
        prefix: folder of the installed program.
        environment: the complete environment of its processes.
        folder: its working directory.
    """

    prefix: Path
    environment: Mapping[str, str]
    folder: Path

    def start(self, words: list[str], **variables: str) -> subprocess.Popen[str]:
        """Start a program of the image by name."""
        program = shutil.which(words[0], path=self.environment["PATH"])
        assert program and program.startswith(str(self.prefix)), f"{words[0]} is not in the image"
        return subprocess.Popen(
            [program, *words[1:]], cwd=self.folder, env={**self.environment, **variables}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


def build(folder: Path) -> Container:
    """Copy the files that the Dockerfile copies, and run its commands with another prefix."""
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
