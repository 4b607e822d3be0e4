"""Cache-Control of responses (RFC 9111; docs/decisions.md, section 6).

Without a configured base URL, responses contain the Host of the request: a shared cache would pass a forged one on to
others. So only a service with a base URL lets others keep its responses.
"""

from __future__ import annotations

REVALIDATE = "no-cache"
"""A cache may keep the response, and asks the service before each use."""

NO_STORE = {"cache-control": "no-store"}
"""Headers of errors and of the state of the service. Caches may keep 404 and 410 unless a response forbids it."""

STALE_IF_ERROR = 86_400
"""Seconds that a cache may use an old response while the service fails."""

IMMUTABLE = "public, max-age=31536000, immutable"
"""For a URL that has the hash of its content."""


def cache_control(base_url: str, max_age: int) -> str:
    """Return the Cache-Control of responses with an entity tag.

    Args:
        base_url: the configured base URL, or ``""``.
        max_age: seconds that caches may use a response without asking, as `--cache-max-age` gives it.
    """
    if not base_url or not max_age:
        return REVALIDATE
    return (
        f"public, max-age={max_age}, s-maxage={max_age}, stale-while-revalidate={max_age}, "
        f"stale-if-error={STALE_IF_ERROR}"
    )


def asset_cache_control(base_url: str, *, is_current: bool) -> str:
    """Return the Cache-Control of a static file.

    Args:
        base_url: the configured base URL, or ``""``.
        is_current: whether the URL has the hash of the content.
    """
    return IMMUTABLE if base_url and is_current else REVALIDATE
