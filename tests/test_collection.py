"""How pytest collects the tests: each package alone, and packages together."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

SURFACES = ("rui_api", "rui_cli", "rui_inspector", "rui_lsp", "rui_openapi", "litestar", "uvicorn", "pygls")


def test_tests_of_the_core_import_no_surface() -> None:
    code = "import pytest, sys; pytest.main(sys.argv[1:]); print(*sys.modules)"
    options = ["--collect-only", "--quiet", "-p", "no:cacheprovider"]
    command = [sys.executable, "-c", code, *options, "tests/rui_common"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    modules = {*done.stdout.splitlines()[-1].split()}
    assert "rui_common.client" in modules
    assert modules & {*SURFACES} == set()


# A fixture of its own package, and one of another package.
PAIRS = [("tests/rui_api/store/test_copy.py", "tests/rui_cli/commands/test_publish.py"),
         ("tests/rui_api/commands/test_store.py", "tests/rui_common/test_redact.py"),
         ("tests/rui_inspector/test_browser_spec.py", "tests/rui_api/store/test_url.py"),
         ("tests/rui_lsp/commands/test_commands.py", "tests/rui_api/test_workers.py"),
         ("tests/bad_input", "tests/rui_api/routes/test_specs.py"),
         ("tests/rui_api/http/test_cors.py", "tests/rui_cli/formats", "tests/rui_api/routes/test_specs.py"),
         ("tests/test_eval.py", "tests/editors/test_neovim.py")]  # fmt: skip


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
