"""The class of the requests that Litestar gives to handlers, and the tasks of a request."""

import asyncio
from collections.abc import Callable
from ipaddress import IPv6Address, ip_network
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar import HttpMethod, Request

from rui_api.config.options import Settings
from rui_api.http.requests import base_url_of, disconnected
from rui_api.http.responses import REVALIDATE
from rui_api.playground.worker import PlaygroundWorker, Result
from rui_api.store.base import Store
from rui_api.work_thread import WorkThread

GET = [HttpMethod.GET, HttpMethod.HEAD]  # methods of everything that can be read


class Services(NamedTuple):
    """What the requests of a process share."""

    settings: Settings
    store: Store
    work_thread: WorkThread
    playground: PlaygroundWorker


class ServiceRequest(Request[Any, Any, Any]):
    """A request of the service. Dependencies of Litestar would take longer: it resolves two of them in tasks."""

    @property
    def services(self) -> Services:
        """What the requests of a process share."""
        return self.app.state.services  # type: ignore[no-any-return]

    @property
    def service_url(self) -> str:
        """The URL by which its client reaches the service, without a slash at the end."""
        return base_url_of(self.scope, self.services.settings.base_url)

    @property
    def service_path(self) -> str:
        """The path of that URL."""
        return urlsplit(self.service_url).path

    @property
    def cache_control(self) -> str:
        """Cache-Control of responses with an entity tag.

        Without a configured base URL, responses contain the Host of the request, which may be forged. With a list of
        origins, the CORS headers depend on the Origin, and some caches ignore Vary. So both are not shared.
        """
        settings = self.services.settings
        age = settings.cache_max_age
        if age and settings.base_url and "*" in settings.allow_origins:
            shared = f"public, max-age={age}, s-maxage={age}, stale-while-revalidate={age}"
            return f"{shared}, stale-if-error=86400"
        return REVALIDATE


class TaskCancelledError(Exception):
    """The client has left."""


async def run_task(request: ServiceRequest, task: Callable[[], Result]) -> Result:
    """Return the answer to a task of a request whose body was read. The task is cancelled when the client leaves.

    Raises:
        TaskCancelledError: the client has left.
        ServiceError: see `PlaygroundWorker.run`.
    """
    address = request.scope["client"]
    work = asyncio.create_task(request.services.playground.run(task, client_of(address[0] if address else "")))
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
