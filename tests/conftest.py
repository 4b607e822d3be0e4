"""Shared by all tests: the settings of hypothesis, and the groups of pytest-xdist. It imports no surface.

Hypothesis generates the same examples in every run, without deadline, because machines may be busy. With the
environment variable ``RUI_NIGHTLY=20``, it generates new ones in every run, 20 times as many: a nightly run finds what
is rare. It prints a failing example, which becomes an ``@example`` of its test. So do the tests with seeds
(tests/support/nightly.py).
"""

import gc
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.nightly import NIGHTLY

settings.register_profile(
    "rui",
    derandomize=True,
    deadline=None,
    max_examples=100,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", settings.get_profile("rui"), derandomize=False, max_examples=100 * NIGHTLY or 1, print_blob=True
)
settings.load_profile("nightly" if NIGHTLY else "rui")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell starts background programs with SIGINT ignored, which they inherit; tests send SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Collect the paths of a package one after another: else pytest loses its fixtures.

    Twelve thousand tests live until the end, so the garbage collector does not look at them.
    """
    config.args.sort()
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


SHARED = ("running_workbench", "running_neovim", "postgres")
"""Fixtures that are started once in a run: of the processes of pytest-xdist, one runs all tests that use them.

These tests take longest, so they come first: a long group that begins last leaves the other processes without work.
"""
HERE = Path(__file__).parent
"""The folder of the tests of the whole project, which take longer than those of a package and come next.

The files with a browser follow, which wait for it: else the last of them runs alone.
"""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests for pytest-xdist: those of a shared fixture, and those of a file. Shared fixtures come first."""
    groups = {item: _shared_by(item) for item in items}
    for item, shared in groups.items():
        item.add_marker(pytest.mark.xdist_group(shared or item.nodeid.partition("::")[0]))
    items.sort(key=lambda item: _rank(item, groups[item]))


def _rank(item: pytest.Item, shared: str) -> tuple[int, bool, bool]:
    """Return when a test runs: those with the smallest rank come first."""
    has_browser = "browser" in getattr(item, "fixturenames", ())
    return (*SHARED, "").index(shared), item.path.parent != HERE, not has_browser


def _shared_by(item: pytest.Item) -> str:
    """Return the shared fixture that a test uses, by name or as the value of a parameter; "" if it uses none."""
    used = [*getattr(item, "fixturenames", ())]
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        used += item.callspec.params.values()
    return next((name for name in SHARED if name in used), "")
