"""uvicorn's HTTP protocol, hardened: patience ends, sizes are bounded, and everything is answered within the contract.

uvicorn itself waits for ever for headers, bodies and readers, keeps any amount of them, begins to answer before a
request is whole, and has words of its own for what is no HTTP. Here a request reaches the application when it is whole,
so that slow clients cost a parser, their bytes, and nothing else; `rui_api.server.limits` says how long and how much.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rui_api.http.response_headers import CommonHeaders
from rui_api.observability.request_id import HEADER
from rui_api.server import protocol_errors as refusals
from rui_api.server.head_validation import judge, judge_host, plain_address, target_of, without_upgrade
from rui_api.server.limits import Limits, Pipeline, Shared, limits_of
from rui_api.server.protocol_errors import Refusal
from rui_api.server.request_cycle import Cycle, Outlet
from rui_api.server.timeouts import Deadlines, Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_api.config.options import Settings

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class HardenedProtocol(HttpToolsProtocol):
    """One connection. `protocol_for` makes the class that a server takes.

    Attributes:
        shared: what all connections of the server have together.
        common: the headers of its own answers.
        allowed_hosts: the hosts that it answers to; none means any.
    """

    shared: Shared
    common: CommonHeaders
    allowed_hosts: frozenset[bytes]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, if there is a place for one."""
        super().connection_made(transport)
        self.limits = self.shared.limits
        self._outlet = Outlet(transport, self._close)
        self._phase = Phase.BETWEEN
        self._deadlines = Deadlines(self.loop, self._time_is_up, transport.abort)
        self._running: Cycle | None = None
        self._behind = Pipeline(self.shared)
        self.client = plain_address(self.client)
        self._last_words, self._draining, self._ended, self._received, self._head_size = b"", False, False, 0, 0
        self._body: bytes | bytearray = b""
        self.url, self.headers, self._begun = b"", [], 0.0  # a refusal may come before there is a request
        self._in_pieces: object = None
        if self.shared.room_for(len(self.connections)):
            self._deadlines.expect(self.limits.headers_seconds)
        elif len(self.connections) > 2 * self.limits.connections:
            transport.abort()
        else:
            self._refuse(refusals.overloaded())

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to wait for."""
        self._deadlines.stop()
        self.shared.lingering -= self._phase is Phase.LINGERING
        self.shared.forget(self)
        if self._running is not None:
            self.shared.exit(self._running.size)
            self._running.disconnected = True
            self._running.message_event.set()
            self._running = None
        self._behind.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, as long as it is HTTP and not too much."""
        if self._phase is Phase.LINGERING or self._last_words:
            self._throw_away(len(data))
            return
        try:
            self._feed(data)
        except httptools.HttpParserError as error:
            self._refuse(refusals.of_parser(error))
            return
        if self._phase is not Phase.BETWEEN:
            self._partly_received(len(data))

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more; what is whole already is answered."""
        self._ended = True
        if self._phase in (Phase.HEAD, Phase.BODY):
            self._refuse(refusals.nonsense("The request ends before it is whole."))
        if self._running is None:
            self._hang_up()
        elif not self.cycle.response_started:
            self.cycle.keep_alive = False
        return True

    def _feed(self, data: bytes) -> None:
        while True:
            try:
                self.parser.feed_data(data)
                return
            except httptools.HttpParserUpgrade as upgrade:
                # No other protocol is spoken here: once more, as if the client had not asked for one. The parser has
                # passed over the body, if there is any, and would take that for the next request.
                data = without_upgrade(self._method, self.url, self.headers) + data[upgrade.args[0] :]
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)

    def _partly_received(self, size: int) -> None:
        """A request has begun and is not whole: from its first byte on its time runs, and its bytes count."""
        if self._received == 0:
            seconds = self.limits.headers_seconds if self._phase is Phase.HEAD else self.limits.body_seconds
            self._deadlines.expect(min(seconds, self.limits.grace_seconds) if self._draining else seconds)
            self.shared.wake(self)
            if self._in_pieces is not self.headers:  # each request has its own list of them
                self._in_pieces, self._begun = self.headers, self.loop.time()
        self._received += size
        if self._phase is Phase.HEAD and self._received > self.limits.head_bytes:
            self._refuse(refusals.nonsense(f"The head of a request has at most {self.limits.head_bytes} bytes."))
        elif self._phase is Phase.UNREAD:
            self._throw_away(0)
        elif self._received > self.limits.wire_bytes:
            self._refuse(refusals.nonsense("There is too much around what the body says."))
        else:
            self.shared.hold(self, self._received if self._phase is Phase.HEAD else len(self._body))

    def _throw_away(self, size: int) -> None:
        self._received += size
        if self._received > self.limits.wire_bytes:
            self.flow.pause_reading()

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._phase = Phase.HEAD
        self._received = self._head_size = self._announced = 0

    def on_url(self, url: bytes) -> None:
        """A piece of the address."""
        super().on_url(url)
        if len(self.url) > self.limits.target_bytes:
            raise refusals.nonsense(f"The address in the request line has at most {self.limits.target_bytes} bytes.")

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header line, or a line behind the body: those say nothing here."""
        self._head_size += len(name) + len(value) + 4
        if self._head_size > self.limits.head_bytes:
            raise refusals.nonsense(f"The head of a request has at most {self.limits.head_bytes} bytes.")
        if self._phase is not Phase.HEAD:
            return
        name = name.lower()
        if name == b"content-length":
            self._announced = int(value)
        elif name == b"transfer-encoding":
            self._announced = 1  # at least
        elif name == b"expect":
            self.expect_100_continue = value.lower() == b"100-continue"
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The head is there: judge it, and wait for the body."""
        parser = self.parser
        method, version = parser.get_method(), parser.get_http_version()
        if len(self.headers) > self.limits.head_lines:
            raise refusals.nonsense(f"A request has at most {self.limits.head_lines} header lines.")
        judge(method, version, self.headers)
        if parser.should_upgrade():
            self._method = method
            return
        target = target_of(self.url)
        if target.host is not None:
            self.headers[:] = [(b"host", target.host), *(pair for pair in self.headers if pair[0] != b"host")]
        if self.allowed_hosts:
            judge_host(self.headers, self.allowed_hosts)
        scope = self.scope
        scope["method"] = method.decode("ascii")
        scope["http_version"] = version
        scope["path"] = self.root_path + target.path
        scope["raw_path"] = self.root_path.encode("ascii") + target.raw_path
        scope["query_string"] = target.query
        self.cycle: Cycle = Cycle(
            scope=scope, transport=self._outlet, flow=self.flow, logger=self.logger,  # type: ignore[arg-type]
            access_logger=self.access_logger, access_log=self.access_log,
            default_headers=self.server_state.default_headers, message_event=asyncio.Event(), expect_100_continue=False,
            keep_alive=version == "1.1" and parser.should_keep_alive() and not self._draining,
            on_response=self.on_response_complete,
        )  # fmt: skip
        self._received = 0
        self._body_bytes = target.body_bytes
        if self._announced > self._body_bytes:
            self._begin_unread()
            return
        self._phase = Phase.BODY
        if self.expect_100_continue and self._announced and version == "1.1" and self._running is None:
            self.transport.write(CONTINUE)

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        if self._phase is not Phase.BODY:
            return
        if not self._body:
            self._body = body
        elif isinstance(self._body, bytes):
            self._body = bytearray(self._body + body)
        else:
            self._body += body
        if len(self._body) > self._body_bytes:
            self._begin_unread()

    def on_message_complete(self) -> None:
        """The request is whole."""
        if self._phase is Phase.HEAD:  # it stands in `_feed` what becomes of it
            return
        if self._phase is Phase.BODY:
            if self._received:
                self.shared.release(self)
                self._deadlines.expect_nothing()
            self._phase = Phase.BETWEEN
            self.cycle.content, self._body = self._body, b""
            self._begin(self.cycle)
        else:
            self._phase = Phase.BETWEEN

    def _begin_unread(self) -> None:
        """More than is read: the application shall say so; then the connection ends, for the rest stays unread."""
        self.shared.release(self)
        self._phase = Phase.UNREAD
        self._deadlines.expect_nothing()
        self.cycle.content, self._body = self._body, b""
        self.cycle.whole = False
        self.cycle.keep_alive = False
        self._begin(self.cycle)

    def _begin(self, cycle: Cycle) -> None:
        """Answer now, or behind the requests that came before."""
        if self._running is not None:
            if not self._behind.add(cycle):
                raise refusals.overloaded()
            self.flow.pause_reading()
            return
        if self._phase is Phase.BETWEEN:
            self._deadlines.expect_nothing()
        self.shared.wake(self)
        cycle.size = len(cycle.content or b"")
        if not self.shared.enter(cycle.size):
            cycle.size = 0
            raise refusals.overloaded()
        self._running = cycle
        task = self.loop.create_task(cycle.run_asgi(self.app))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def on_response_complete(self) -> None:
        """All of an answer is written."""
        self.server_state.total_requests += 1
        if self._running is not None:
            self.shared.exit(self._running.size)
            self._running = None
        if self.transport.is_closing() or self._phase is Phase.LINGERING:
            return
        if self._behind:
            self._try_to(self._begin, self._behind.next())
        elif self._last_words:
            self._say_last_words()
        else:
            self.flow.resume_reading()
            if self._phase is Phase.BETWEEN:
                self._rest()

    def _try_to(self, begin: Callable[..., None], *arguments: object) -> None:
        """The same as in a callback of the parser."""
        try:
            begin(*arguments)
        except Refusal as refusal:
            self._refuse(refusal)

    def _rest(self) -> None:
        if self._ended:
            self._hang_up()
            return
        self.shared.rest(self)
        self._deadlines.expect(self.limits.drain_seconds if self._draining else self.limits.idle_seconds)

    def _refuse(self, refusal: Refusal) -> None:
        """Say why, behind the answers that are due, and close."""
        if self._last_words:
            return
        method = self.parser.get_method().decode() if self.url else ""  # before an address, no method is known either
        request_id = self.shared.ids.of(self.headers)
        common = *self.server_state.default_headers, *self.common.for_request(self.headers), (HEADER, request_id)
        head, body = refusal.to_http(common, head=method == "HEAD")
        self._last_words = head + body
        seconds = self.loop.time() - self._begun if self._in_pieces is self.headers else None
        sizes = len(self._body), len(body)
        self.shared.note(refusal, self.client, (request_id, method, self.url), sizes, seconds)
        self.shared.release(self)
        self.shared.wake(self)
        self._body = b""
        self._deadlines.expect_nothing()
        if self._running is None:
            self._say_last_words()

    def _say_last_words(self) -> None:
        self.transport.write(self._last_words)
        self._linger()

    def _linger(self) -> None:
        """Closing while the client still sends would destroy the answer on its way; so read on for a moment."""
        if self._ended or self._phase is Phase.LINGERING:
            self._hang_up()
            return
        self._phase = Phase.LINGERING
        self.shared.lingering += 1
        self._behind.clear()
        self._deadlines.expect(self.limits.linger_seconds)
        self.flow.resume_reading()
        if self.transport.can_write_eof() and not self.transport.is_closing():
            self.transport.write_eof()

    def _close(self) -> None:
        """The answer that was just written is the last one."""
        if self._phase is Phase.UNREAD:
            self._linger()
        else:
            self._hang_up()

    def _hang_up(self) -> None:
        """Close as soon as all is sent; a client that does not read has its time for that, too."""
        if not self.transport.is_closing():
            self.transport.close()
        self._deadlines.expect_nothing()
        self._deadlines.send(self.limits.write_seconds)

    def pause_writing(self) -> None:
        """The client reads less than is sent to it."""
        super().pause_writing()
        self._deadlines.send(self.limits.write_seconds)
        self.shared.unread(self, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """It caught up."""
        super().resume_writing()
        self.shared.read(self)
        if not self.transport.is_closing():  # else some may still be unsent, and nobody will tell
            self._deadlines.sent()

    def make_room(self) -> None:
        """See `rui_api.server.limits.Client`."""
        self._refuse(refusals.overloaded())

    def leave(self) -> None:
        """See `rui_api.server.limits.Client`."""
        self._hang_up()

    def give_up(self) -> None:
        """See `rui_api.server.limits.Client`."""
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops: finish what has begun, and let resting clients know with the next answer."""
        self._draining = True
        if self._running is not None:
            if not self.cycle.response_started:
                self.cycle.keep_alive = False
        elif self._phase is Phase.BETWEEN:
            self._deadlines.expect(self.limits.drain_seconds)
        elif self._phase is not Phase.LINGERING:
            self._deadlines.expect(self.limits.grace_seconds)

    def _time_is_up(self) -> None:
        if self._phase is Phase.BODY and not self._draining:
            self._try_to(self._begin_unread)
        elif self._phase in (Phase.HEAD, Phase.BODY):
            refusal = refusals.stopping() if self._draining else refusals.nonsense(
                f"The head of a request has to be there within {self.limits.headers_seconds:g} seconds.")  # fmt: skip
            self._refuse(refusal)
        else:
            self.shared.wake(self)
            self._hang_up()


def protocol_for(settings: Settings, limits: Limits | None = None) -> type[HardenedProtocol]:
    """The protocol of one server; its connections share what they may take together."""
    hosts = () if "*" in settings.allowed_hosts else settings.allowed_hosts
    attributes: dict[str, Any] = {
        "shared": Shared(limits or limits_of(settings)),
        "common": CommonHeaders(settings.allowed_origins),
        "allowed_hosts": frozenset(name.encode() for name in hosts),
    }
    return type("ServedProtocol", (HardenedProtocol,), attributes)
