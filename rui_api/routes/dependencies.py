"""What handlers get from Litestar by the name of a parameter (see `rui_api.app`), and the tasks of a request."""

import asyncio
from collections.abc import Callable
from ipaddress import IPv6Address, ip_network
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar import HttpMethod, Request
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from rui_api.config.options import Settings
from rui_api.http.requests import base_url_of, disconnected
from rui_api.http.responses import REVALIDATE
from rui_api.playground.worker import PlaygroundWorker, Result
from rui_api.store.base import Store
from rui_api.work_thread import WorkThread

# Litestar evaluates the annotations of handlers, so these names exist at run time.
GET = [HttpMethod.GET, HttpMethod.HEAD]
"""Methods of everything that can be read."""

AnyRequest = Request[Any, Any, Any]


class Site(NamedTuple):
    """The URL by which clients reach the service, and the Cache-Control of responses with an entity tag."""

    base_url: str
    cache_control: str

    @property
    def base_path(self) -> str:
        """The path of the base URL. Like the URL, it has no slash at the end."""
        return urlsplit(self.base_url).path


def site_of(request: AnyRequest, settings: Settings) -> Site:
    """Return how the client of a request reaches the service, and how caches may keep responses.

    Without a configured base URL, responses contain the Host of the request, which may be forged. With a list of
    origins, the CORS headers depend on the Origin, and some caches ignore Vary. So both are not shared.
    """
    age = settings.cache_max_age
    cache_control = REVALIDATE
    if age and settings.base_url and "*" in settings.allow_origins:
        shared = f"public, max-age={age}, s-maxage={age}, stale-while-revalidate={age}"
        cache_control = f"{shared}, stale-if-error=86400"
    return Site(base_url_of(request.scope, settings.base_url), cache_control)


class Services(NamedTuple):
    """What the requests of a process share."""

    store: Store
    work_thread: WorkThread
    playground: PlaygroundWorker


SiteDependency = NamedDependency[SkipValidation[Site]]
ServicesDependency = NamedDependency[SkipValidation[Services]]


class TaskCancelledError(Exception):
    """The client has left."""


async def run_task(request: AnyRequest, services: Services, task: Callable[[], Result]) -> Result:
    """Return the answer to a task of a request whose body was read. The task is cancelled when the client leaves.

    Raises:
        TaskCancelledError: the client has left.
        ServiceError: see `PlaygroundWorker.run`.
    """
    address = request.scope["client"]
    work = asyncio.create_task(services.playground.run(task, client_of(address[0] if address else "")))
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
