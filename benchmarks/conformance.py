"""Check with schemathesis that the service conforms to its OpenAPI document: `python -m benchmarks conformance`.

The benchmark runs all phases (examples, coverage, fuzzing, stateful) with all checks from several seeds. Options set
the length: `--examples 50 --seeds 7,8,9`. There is no peer: the number of failures must be 0.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Sequence

from rui_api.app import create_app
from rui_api.config.options import Settings
from tests.rui_api.conformance import conformance
from tests.rui_api.live import running

EXAMPLES = 5
SEEDS = "1,2"


def main(options: Sequence[str] = ()) -> bool:
    """Run schemathesis from each seed and print its results; return whether there are no failures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks conformance")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="requests made up for each operation and phase")
    parser.add_argument("--seeds", default=SEEDS, help="where chance begins, with commas between them")
    given = parser.parse_args(list(options))
    kept = True
    print("\nschemathesis, all phases and checks")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(create_app(Settings(store=f"sqlite:///{folder}/rui.db"))) as service,
    ):
        for seed in map(int, given.seeds.split(",")):
            done = conformance(service.url, given.examples, seed=seed)
            cases = re.search(r"(\d+) generated", done.stdout)
            verdict = "ok" if done.returncode == 0 else f"MISSED\n{done.stdout}{done.stderr}"
            print(f"  seed {seed}: {cases[1] if cases else 'no'} requests, {verdict}", flush=True)
            kept = kept and done.returncode == 0
    return kept
