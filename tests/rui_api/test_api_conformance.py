"""The running service conforms to its OpenAPI document: schemathesis sends requests, many of which it refuses."""

import os
import subprocess
import sys
from pathlib import Path

from tests.rui_api.live import Service

HERE = Path(__file__).parent
PHASES = ("examples", "coverage", "fuzzing", "stateful")
EXAMPLES = "1"
"""Generated for each operation and phase, besides the examples of the document and what its schemas call for."""


def test_conformance(service: Service, tmp_path: Path) -> None:
    """All checks of schemathesis and of `conformance_checks` pass."""
    hooks = {"SCHEMATHESIS_HOOKS": "tests.rui_api.conformance_checks", "PYTHONPATH": str(HERE.parents[1])}
    command = [
        sys.executable, "-W", "error", "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"),
        "run", f"{service.url}/api/openapi.json", "--checks", "all", "--max-examples", EXAMPLES, "--seed", "1",
        "--phases", ",".join(PHASES), "--warnings", "off", "--no-color",
    ]  # fmt: skip
    done = subprocess.run(
        command, env={**os.environ, **hooks}, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for phase in PHASES:
        assert f"✅ {phase.capitalize()}" in done.stdout, done.stdout
    assert "Errors:" not in done.stdout
