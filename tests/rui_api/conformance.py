"""schemathesis against the running service: requests that its OpenAPI document allows, and many that it does not."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PHASES = ("examples", "coverage", "fuzzing", "stateful")


def conformance(
    url: str, examples: int, *, phases: tuple[str, ...] = PHASES, seed: int = 1
) -> subprocess.CompletedProcess:
    """Run all checks of schemathesis, and ours.

    Args:
        url: of the service.
        examples: how many requests to make up for each operation; for each phase.
        phases: which of them to run.
        seed: where chance begins.

    Returns:
        The process: its exit code is 0 if nothing failed, its output says what did.
    """
    environment = {
        **os.environ, "SCHEMATHESIS_HOOKS": "tests.rui_api.conformance_checks", "PYTHONPATH": str(HERE.parents[1]),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"),
             "run", f"{url}/api/openapi.json", "--checks", "all", "--max-examples", str(examples), "--seed", str(seed),
             "--phases", ",".join(phases), "--warnings", "off", "--no-color"],
            env=environment, cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
