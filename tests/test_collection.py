"""How pytest collects the tests: each package alone, and packages together."""

import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("paths", PAIRS, ids="+".join)
def test_paths_of_two_packages_find_their_fixtures(paths: tuple[str, ...]) -> None:
    """pytest plans the fixtures of both packages in one run, whichever comes first."""
    for order in (paths, paths[::-1]):
        command = [sys.executable, "-m", "pytest", "--setup-plan", "--quiet", "-p", "no:cacheprovider", *order]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout[-2_000:]
