"""Tasks of a request that run in the playground process."""

import asyncio
from collections.abc import Callable
from ipaddress import IPv6Address, ip_network

from rui_api.http.requests import HttpRequest, disconnected
from rui_api.playground.worker import PlaygroundWorker, Result


class TaskCancelledError(Exception):
    """The client has left."""


async def run_task(request: HttpRequest, playground: PlaygroundWorker, task: Callable[[], Result]) -> Result:
    """Return the answer to a task of a request whose body was read. The task is cancelled when the client leaves.

    Raises:
        TaskCancelledError: the client has left.
        ServiceError: see `PlaygroundWorker.run`.
    """
    address = request.scope["client"]
    work = asyncio.create_task(playground.run(task, client_of(address[0] if address else "")))
    gone = asyncio.create_task(disconnected(request.receive))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise TaskCancelledError
        return work.result()
    finally:
        gone.cancel()
        work.cancel()  # no effect on a task that is done


def client_of(address: str) -> str:
    """Return whom an address belongs to: a network for IPv6, as a client chooses its last 64 bits."""
    try:
        if IPv6Address(address).ipv4_mapped is None:
            return str(ip_network((address, 64), strict=False))
    except ValueError:  # it is another address, or the text of a proxy
        pass
    return address
