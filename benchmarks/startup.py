"""`rui check` of one 3 KB file as a whole process, against `python -c pass`: what a person or a hook waits for."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.sample import sample_text
from benchmarks.timing import print_ratios, side_by_side

SIZE = 3_000
SEED = 4  # whose document has nearly that size
ROUNDS = 30
LIMIT = 3.0


def run(*command: str | Path, code: int = 0) -> Callable[[], None]:
    """A function that runs a command and waits for its end."""
    # Everything may write its byte code, as it may on any machine where the tool is installed.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def once() -> None:
        done = subprocess.run(command, capture_output=True, check=False, env=environment)
        assert done.returncode == code, done

    return once


def main() -> bool:
    """Print the ratios; whether all keep their limits."""
    rui = Path(sys.executable).with_name("rui")
    with tempfile.TemporaryDirectory() as folder:
        valid, faulty = Path(folder) / "valid.rui.json", Path(folder) / "faulty.rui.json"
        text = sample_text(SIZE, seed=SEED)
        valid.write_text(text, encoding="utf-8")
        faulty.write_text(text.replace('"title"', '"titel"', 2).replace('"row"', '"column"'), encoding="utf-8")
        commands = {
            "python -c pass": run(sys.executable, "-c", "pass"),
            "rui check, valid": run(rui, "check", valid),
            "python -m rui_cli check, valid": run(sys.executable, "-m", "rui_cli", "check", valid),
            "rui check, faulty": run(rui, "check", faulty, code=1),
            "rui format --check": run(rui, "format", "--check", valid, code=1),
            "rui --help": run(rui, "--help"),
        }
        seconds = side_by_side(commands, ROUNDS)
    title = f"Starting up: one file of {len(text.encode()):,} bytes, whole processes"
    must = ("rui check, valid", "python -m rui_cli check, valid", "rui check, faulty")
    return print_ratios(title, seconds, "python -c pass", dict.fromkeys(must, LIMIT))


if __name__ == "__main__":
    main()
