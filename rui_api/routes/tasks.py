"""Tasks of the playground process that belong to a request."""

from __future__ import annotations

import asyncio
from ipaddress import IPv6Address, ip_network

from litestar.types import Receive, Scope

from rui_api.playground.tasks import EditorTask, Task
from rui_api.playground.worker import PlaygroundWorker
from rui_api.routes.html import AnyRequest

IPV6_PREFIX = 64
"""Bits of an IPv6 address that name a client: the rest is its own to choose."""


class TaskCancelledError(Exception):
    """The client has left, or a newer request of its tab has superseded the task."""


async def run_task(request: AnyRequest, task: Task, *, tab: str = "") -> bytes:
    """Return the answer of the playground process to a task. The task is cancelled when the client leaves.

    Args:
        request: the request, whose body was read.
        task: the task.
        tab: a name of the client's tab, or ``""``.

    Raises:
        TaskCancelledError: the client has disconnected, or a newer task of its tab waits.
        OverloadedError: too many tasks wait.
        TaskFailedError: the task failed.
        TaskTimeoutError: the task took too long.
    """
    worker: PlaygroundWorker = request.app.state.playground
    client = client_of(request.scope)
    if isinstance(task, EditorTask):
        work = worker.start(task, client, tab)
    else:
        work = asyncio.create_task(worker.run(task, client))
    gone = asyncio.create_task(_disconnected(request.receive))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        work.cancel()  # no effect on a task that is done
    await asyncio.wait({work})
    if work.cancelled():
        raise TaskCancelledError
    return work.result()


def client_of(scope: Scope) -> str:
    """Return the address of the client that shares the playground process fairly; the network of an IPv6 address."""
    address = scope["client"][0] if scope["client"] else ""
    try:
        is_ipv6 = IPv6Address(address).ipv4_mapped is None
    except ValueError:
        return address
    return str(ip_network((address, IPV6_PREFIX), strict=False)) if is_ipv6 else address


async def _disconnected(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
