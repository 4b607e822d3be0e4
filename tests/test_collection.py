"""How pytest collects the tests of packages together."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# A fixture of its own package, and one of another package.
PAIRS = [("tests/rui_api/commands/test_store.py", "tests/rui_common/test_redact.py"),
         ("tests/rui_inspector/test_browser_spec.py", "tests/rui_cli/commands/test_publish.py"),
         ("tests/rui_lsp/commands/test_commands.py", "tests/bad_input/test_finding.py")]  # fmt: skip


PLAN = """
import json, pytest, sys
for paths in json.loads(sys.argv[1]):
    if code := pytest.main(["--setup-plan", "--quiet", "-p", "no:cacheprovider", *paths]):
        sys.exit(f"{paths} ends with {code!r}")
"""
"""Plans the tests of some paths together, in one process: each would import the same modules again."""


def test_paths_of_two_packages_find_their_fixtures() -> None:
    """pytest plans the fixtures of both packages in one run, whichever comes first."""
    both_orders = [order for pair in PAIRS for order in (pair, pair[::-1])]
    command = [sys.executable, "-c", PLAN, json.dumps(both_orders)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr + done.stdout[-2_000:]
