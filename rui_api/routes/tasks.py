"""Tasks of a request that run in another process."""

import asyncio
from collections.abc import Callable
from ipaddress import IPv6Address, ip_network

from rui_api.http.requests import HttpRequest, disconnected
from rui_api.work_process import Result, WorkProcess

MAX_EXTRA_SECONDS = 2.0  # maximum duration of a task whose result a response can be without
MAX_EXTRA_WAIT_SECONDS = 1.0  # how long such a task waits for its turn


class TaskCancelledError(Exception):
    """The client has left."""


async def run_task(
    request: HttpRequest,
    process: WorkProcess,
    task: Callable[[], Result],
    *,
    max_seconds: float | None = None,
    max_wait_seconds: float | None = None,
) -> Result:
    """Return the answer to a task of a request whose body was read. The task is cancelled when the client leaves.

    The limits are those of `WorkProcess.run`.

    Raises:
        TaskCancelledError: the client has left.
        ServiceError: see `WorkProcess.run`.
    """
    address = request.scope["client"]
    client = client_of(address[0] if address else "")
    work = asyncio.create_task(process.run(task, client, max_seconds=max_seconds, max_wait_seconds=max_wait_seconds))
    gone = asyncio.create_task(disconnected(request.receive))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise TaskCancelledError
        return work.result()
    finally:
        gone.cancel()
        work.cancel()  # no effect on a task that is done


async def run_extra_task(request: HttpRequest, process: WorkProcess, task: Callable[[], Result]) -> Result:
    """Return the answer to a task whose result a response can be without, as `run_task` does, if there is time for it.

    Raises:
        TaskCancelledError: the client has left.
        ServiceError: there is no time for it.
    """
    return await run_task(
        request, process, task, max_seconds=MAX_EXTRA_SECONDS, max_wait_seconds=MAX_EXTRA_WAIT_SECONDS
    )


def client_of(address: str) -> str:
    """Return whom an address belongs to: a network for IPv6, as a client chooses its last 64 bits."""
    try:
        if IPv6Address(address).ipv4_mapped is None:
            return str(ip_network((address, 64), strict=False))
    except ValueError:  # it is another address, or the text of a proxy
        pass
    return address
