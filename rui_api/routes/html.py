"""Helpers of all pages: URLs, assets, and error pages."""

from collections.abc import Mapping
from hashlib import sha256

from litestar import Response, route
from litestar.params import FromPath

from rui_api.contract.endpoints import HTML
from rui_api.contract.errors import NOT_FOUND
from rui_api.http.errors import ServiceError
from rui_api.http.requests import GET, HttpRequest
from rui_api.http.responses import IMMUTABLE, NO_STORE, PAGE_HEADERS, REVALIDATE, conditional
from rui_api.routes.dependencies import Site
from rui_inspector.html import pages as render

DOCS = "/docs"  # path of the documentation for people
ASSETS = render.load_assets(render.SITE_ASSETS)  # the files that pages load, by name
FINGERPRINT = sha256(b"".join(asset.content for asset in ASSETS.values())).hexdigest()[:16]
"""Changes with any of these files: a module loads others from its own folder."""
ASSET_FOLDER = "/assets/"
"""Path of the folder that has a folder named `FINGERPRINT` with the assets. Caches may keep what is in it."""


@route(ASSET_FOLDER + "{fingerprint:str}/{name:str}", http_method=GET)
async def get_asset(request: HttpRequest, fingerprint: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Send a stylesheet, script or icon of the pages.

    Litestar's static files would be sent again to a client that has them. During an upgrade, a page of another version
    may ask for its own fingerprint. It gets the file of this version, which no cache may keep under that URL.
    """
    asset = ASSETS.get(name)
    if asset is None:
        raise ServiceError(NOT_FOUND)
    cache_control = IMMUTABLE if fingerprint == FINGERPRINT else REVALIDATE
    return conditional(request, asset.content, cache_control, asset.media_type)


def host_of(site: Site) -> render.PageHost:
    """Return the URLs that pages link to.

    They have no host: a page may be loaded by another name than the configured one, and its policy is 'self'.
    """
    folder = f"{site.path}{ASSET_FOLDER}{FINGERPRINT}/"
    return render.PageHost(
        stylesheet=f"{folder}inspector.css",
        script=f"{folder}inspector.js",
        icon=f"{folder}inspector.svg",
        assets=folder,
        home=f"{site.path}/",
        docs=site.path + DOCS,
    )


def page(content: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """Return a page without an entity tag. Caches keep no errors."""
    caching = NO_STORE
    if status == 200:
        caching = {"cache-control": REVALIDATE}
    return Response(
        content.encode("utf-8", "replace"),
        status_code=status,
        media_type=HTML.partition(";")[0],  # Litestar adds the charset
        headers={**caching, **PAGE_HEADERS, **(headers or {})},
    )


def page_response(request: HttpRequest, site: Site, content: str) -> Response[bytes]:
    """Return a page with an entity tag, or 304 if the client has it."""
    return conditional(request, content.encode("utf-8", "replace"), site.cache_control, HTML, PAGE_HEADERS)


def error_page(site: Site, error: ServiceError) -> Response[bytes]:
    """Render an error response as a page; status and headers stay."""
    content = render.error_page(error.title, error.cause, host_of(site), status=error.status)
    return page(content, status=error.status, headers=error.headers)
