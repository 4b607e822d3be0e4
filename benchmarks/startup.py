"""Time of `rui check` for one 3 KB file, as a process, compared with `python -c pass`."""

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
SEED = 4  # its sample is close to this size
ROUNDS = 30
LIMIT = 5.0


def run(*command: str | Path, code: int = 0) -> Callable[[], None]:
    """Return a function that runs a command to its end."""
    # Byte code may be written, as for an installed tool.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def once() -> None:
        process = subprocess.run(command, capture_output=True, check=False, env=environment)
        assert process.returncode == code, process

    return once


def main() -> bool:
    """Print the ratios; return whether all limits are met."""
    rui = Path(sys.executable).with_name("rui")
    with tempfile.TemporaryDirectory() as folder:
        valid = Path(folder) / "valid.rui.json"
        invalid = Path(folder) / "invalid.rui.json"
        text = sample_text(SIZE, seed=SEED)
        valid.write_text(text, encoding="utf-8")
        invalid.write_text(text.replace('"title"', '"titel"', 2).replace('"row"', '"column"'), encoding="utf-8")
        commands = {
            "python -c pass": run(sys.executable, "-c", "pass"),
            "rui check, valid": run(rui, "check", valid),
            "python -m rui_cli check, valid": run(sys.executable, "-m", "rui_cli", "check", valid),
            "rui check, invalid": run(rui, "check", invalid, code=1),
            "rui format --check": run(rui, "format", "--check", valid, code=1),
            "rui --help": run(rui, "--help"),
        }
        seconds = side_by_side(commands, ROUNDS)
    title = f"Start-up: one file of {len(text.encode()):,} bytes, whole processes"
    limited = ("rui check, valid", "python -m rui_cli check, valid", "rui check, invalid")
    return print_ratios(title, seconds, "python -c pass", dict.fromkeys(limited, LIMIT))


if __name__ == "__main__":
    main()
