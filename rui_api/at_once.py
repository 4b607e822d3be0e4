"""POST /api/validate answered where its last byte arrives: no task, no coroutine, no messages.

Validating waits for nothing, and a task with all the coroutines in it costs as much as validating a small RUI. So the
protocol asks here first. Only requests are taken that nothing is odd about; with all others nothing has happened yet,
and they go the way of ASGI, where the same is answered.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from rui_api.address import names_a_host
from rui_api.body import PLAINLY_JSON
from rui_api.routes.specs import VALIDATE, judged
from rui_api.watch.observer import Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.types import HTTPScope

    from rui_api.headers import CommonHeaders
    from rui_api.replies import Reply
    from rui_api.watch.observer import Observer

    Say = Callable[[int, bytes, bytes], bool]


class AtOnce:
    """Answers whole requests.

    Args:
        common: the headers that every answer has.
        observer: who sees the requests that go the way of ASGI; it keeps what is to be known of these as well.
    """

    def __init__(self, common: CommonHeaders, observer: Observer) -> None:
        self._common = common
        self._observer = observer

    def __call__(self, scope: HTTPScope, body: bytes, say: Say) -> bool:
        """Answer a request, if it is one of those.

        Args:
            scope: the request, as ASGI has it.
            body: all of it, and no longer than it may be.
            say: see `rui_api.cycle.Cycle.answer`.
        """
        if scope["path"] != VALIDATE or scope["method"] != "POST" or not body or not _is_plain(scope):
            return False
        begun = perf_counter()
        try:
            reply = judged(body)
        except Exception:
            return False
        seen = Seen(self._observer.ids.of(scope["headers"]))
        seen.received = len(body)
        if not say_all(scope, reply, say, self._common, seen):
            return False
        self._observer.keep(scope, seen, perf_counter() - begun)
        return True


def say_all(scope: HTTPScope, reply: Reply, say: Say, common: CommonHeaders, seen: Seen) -> bool:
    """Give the protocol a whole answer, with what is otherwise added on the way; whether it took it."""
    lines = b"%b%bx-request-id: %b\r\n" % (reply.lines, common.lines_of(scope["headers"]), seen.request_id)
    if not say(reply.status, lines, reply.content):
        return False
    seen.status, seen.sent, seen.codes = reply.status, len(reply.content), reply.codes
    return True


def _is_plain(scope: HTTPScope) -> bool:
    """Whether there is one Host, which is one, one Content-Type, JSON, and no coding."""
    hosts = types = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += names_a_host(value) or 2
        elif name == b"content-type":
            types += 1 if value in PLAINLY_JSON else 2
        elif name == b"content-encoding":
            return False
    return hosts == types == 1 and not scope.get("root_path")
