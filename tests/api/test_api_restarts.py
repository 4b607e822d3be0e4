"""Stopping finishes what has begun: no client that tries again when it is refused ever sees a failure."""

import sys
from pathlib import Path

import pytest

from tests.api.restarts import restart

ROUNDS = 6


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a service cease to listen without resets")
def test_restarts_under_load(tmp_path: Path) -> None:
    loads, _ = restart(ROUNDS, f"sqlite:///{tmp_path}/rui.db", clients=6, seconds=0.2)
    for load in loads:
        assert load.failures == []
        assert load.answers.keys() == {200, 201}
