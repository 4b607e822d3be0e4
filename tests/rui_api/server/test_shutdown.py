"""A stopping service finishes open requests: clients that retry refused connections see no failure."""

import asyncio
import socket
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from rui_api.server.shutdown import HANDSHAKE_SECONDS, drain, stop_accepting
from tests.rui_api.restarts import restart

ROUNDS = 6
NEWCOMERS = 10

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux lets a service cease to listen without resets"
)


def test_restarts_under_load(tmp_path: Path) -> None:
    loads, _ = restart(ROUNDS, f"sqlite:///{tmp_path}/rui.db", clients=6, seconds=0.2)
    for load in loads:
        assert load.failures == []
        assert load.answers.keys() == {200, 201}


@pytest.mark.parametrize("in_a_loop", [True, False])
def test_who_has_connected_is_waited_for(in_a_loop: bool) -> None:
    """This also holds on a busy machine where accepting takes longer than connecting."""
    accepted: list[socket.socket] = []

    def accept() -> None:
        for _ in range(NEWCOMERS):
            time.sleep(HANDSHAKE_SECONDS / 2)
            accepted.append(listener.accept()[0])

    with ExitStack() as opened, socket.create_server(("127.0.0.1", 0), backlog=NEWCOMERS) as listener:
        for _ in range(NEWCOMERS):
            opened.enter_context(socket.create_connection(listener.getsockname(), timeout=10))
        thread = threading.Thread(target=accept)
        thread.start()
        asyncio.run(stop_accepting([listener])) if in_a_loop else drain(listener)
        nobody_waits = len(accepted) >= NEWCOMERS - 1  # The last connection may be accepted but not yet recorded.
        thread.join()
        for connection in accepted:
            connection.close()
        assert nobody_waits
        with pytest.raises(TimeoutError):
            socket.create_connection(listener.getsockname(), timeout=0.2)
