"""What Litestar injects into handlers: the services of the process, and the service as a client addresses it."""

from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation
from litestar.types import Scope

from rui_api.config.options import Settings
from rui_api.http.requests import base_url_of
from rui_api.http.responses import REVALIDATE
from rui_api.store.base import Store
from rui_api.work_process import WorkProcess
from rui_api.work_thread import WorkThread

Type = TypeVar("Type")

Injected = NamedDependency[SkipValidation[Type]]
"""The type of an argument of a handler that Litestar injects by its name."""


class Services(NamedTuple):
    """What the requests of a process share."""

    settings: Settings
    store: Store
    work_thread: WorkThread
    playground: WorkProcess  # the process of the pages for people
    fixes: WorkProcess  # the process of the fixes for agents


class Site(NamedTuple):
    """The service as the client of a request addresses it."""

    url: str  # without a slash at the end
    cache_control: str  # Cache-Control of responses with an entity tag

    @property
    def path(self) -> str:
        """The path of its URL."""
        return urlsplit(self.url).path


def site_of(scope: Scope, settings: Settings) -> Site:
    """Return the site of a request.

    Without a configured base URL, responses contain the Host of the request, which may be forged. With a list of
    origins, the CORS headers depend on the Origin, and some caches ignore Vary. So both are not shared.
    """
    cache_control = REVALIDATE
    age = settings.cache_max_age
    if age and settings.base_url and "*" in settings.allow_origins:
        shared = f"public, max-age={age}, s-maxage={age}, stale-while-revalidate={age}"
        cache_control = f"{shared}, stale-if-error=86400"
    return Site(base_url_of(scope, settings.base_url), cache_control)


def dependencies_of(services: Services) -> dict[str, Provide]:
    """Return the dependencies by their names. One needs the other: Litestar would resolve them in tasks otherwise."""

    def get_services() -> Services:
        return services

    def get_site(scope: Scope, services: Injected[Services]) -> Site:
        return site_of(scope, services.settings)

    return {
        "services": Provide(get_services, sync_to_thread=False),
        "site": Provide(get_site, sync_to_thread=False),
    }
