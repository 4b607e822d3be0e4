"""Run schemathesis against the service: requests that its OpenAPI document allows, and many that it does not."""

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
    """Run all checks of schemathesis and of `conformance_checks`.

    Args:
        url: of the service.
        examples: number of generated requests for each operation and phase.
        phases: phases of schemathesis to run.
        seed: of the random generator.

    Returns:
        The process: its exit code is 0 if all checks pass, its output lists the failures.
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
