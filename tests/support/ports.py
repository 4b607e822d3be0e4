"""Ports for programs that cannot choose one themselves, and addresses at which nothing listens."""

import random
import socket

BELOW_EPHEMERAL = range(15_000, 32_000)
"""The system gives these ports to no connection and to no listener on port 0, so they stay free until they are used."""


def free_port() -> int:
    """Return a port of this machine without a listener; tests in other processes get another one."""
    while True:
        port = random.SystemRandom().choice(BELOW_EPHEMERAL)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
