"""Does the service do what its OpenAPI document says? `python -m benchmarks conformance`: schemathesis, at length.

All phases (examples, coverage, fuzzing, stateful) with all checks, from several seeds. There is no peer: the number of
failures has to be 0.
"""

from __future__ import annotations

import re
import tempfile

from rui_api.app import create_app
from rui_api.settings import Settings
from tests.api.conformance import conformance
from tests.api.live import running

EXAMPLES = 5
SEEDS = (1, 2)


def main() -> bool:
    """Run schemathesis from each seed, and print what it found."""
    kept = True
    print("\nschemathesis, all phases and checks")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(create_app(Settings(store=f"sqlite:///{folder}/rui.db"))) as service,
    ):
        for seed in SEEDS:
            done = conformance(service.url, EXAMPLES, seed=seed)
            cases = re.search(r"(\d+) generated", done.stdout)
            verdict = "ok" if done.returncode == 0 else f"MISSED\n{done.stdout}{done.stderr}"
            print(f"  seed {seed}: {cases[1] if cases else 'no'} requests, {verdict}", flush=True)
            kept = kept and done.returncode == 0
    return kept
