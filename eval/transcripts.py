"""Transcripts: the requests of an agent, recorded by a proxy of the service, and sent again.

A transcript is a file of JSON lines: a `Start`, then an `Exchange` per request.
"""

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple, TextIO
from urllib.parse import urlsplit

FORWARDED = ("host", "content-type", "accept")
"""Request headers that the proxy forwards. The service writes the addresses in its responses from ``Host``."""
TIMEOUT = 30.0


class Start(NamedTuple):
    """The state of the service before the first request.

    Attributes:
        task: the name of the task.
        spec_id: the stored spec that the task edits; ``""`` for a task that creates one.
    """

    task: str
    spec_id: str


class Exchange(NamedTuple):
    """A request and what matters of its response.

    Attributes:
        errors: the codes of the errors in a response to a RUI; none without a RUI.
        spec_id: the id of the spec that the request has stored; ``""`` if it stored none.
    """

    method: str
    path: str
    content_type: str
    body: str
    status: int
    response_bytes: int
    errors: list[str]
    spec_id: str

    @property
    def is_rui(self) -> bool:
        """Whether the request sent a RUI, in any format."""
        return self.method == "POST" and bool(self.body)


class Effort(NamedTuple):
    """What an agent needed.

    Attributes:
        rounds: the number of RUIs that were sent, up to the first valid one.
        requests: the number of all requests.
        sent: bytes of all request bodies.
        received: bytes of all response bodies.
    """

    rounds: int
    requests: int
    sent: int
    received: int

    def text(self) -> str:
        """Return one line."""
        bodies = f"sent {self.sent:,} bytes, received {self.received:,} bytes"
        return f"rounds {self.rounds}, requests {self.requests}, {bodies}"


class Response(NamedTuple):
    """A response of the service."""

    status: int
    content_type: str
    body: bytes


def effort_of(exchanges: list[Exchange]) -> Effort:
    """Return what an agent needed for all requests of a transcript."""
    refused = sum(bool(exchange.errors) for exchange in exchanges)
    sent = sum(len(exchange.body.encode()) for exchange in exchanges)
    return Effort(refused + 1, len(exchanges), sent, sum(exchange.response_bytes for exchange in exchanges))


def recording_handler(service: str, start: Start, file: TextIO) -> type[BaseHTTPRequestHandler]:
    """Return a request handler that forwards to a service, and that writes a transcript line by line."""
    write_line(file, start)

    class RecordingHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.forward()

        def do_POST(self) -> None:
            self.forward()

        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: self.headers[name] for name in FORWARDED if name in self.headers}
            try:
                response = send(service, self.command, self.path, body, headers)
            except (OSError, HTTPException) as error:
                self.send_error(502, f"{service} does not respond: {type(error).__name__}")
                return
            content_type = headers.get("content-type", "")
            write_line(file, exchange_of(self.command, self.path, content_type, body, response))
            self.send_response(response.status)
            self.send_header("Content-Type", response.content_type)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        def log_message(self, *_: object) -> None:
            """Log no requests: the transcript has them."""

    return RecordingHandler


def read_transcript(path: Path) -> tuple[Start, list[Exchange]]:
    """Return the transcript in a file.

    Raises:
        ValueError: it is no transcript.
        OSError: the file cannot be read.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    try:
        records = [json.loads(line) for line in lines]
        return Start(**records[0]), [Exchange(**record) for record in records[1:]]
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(f"{path} is no transcript") from error


def replay(service: str, start_id: str, start: Start, exchanges: list[Exchange]) -> Iterator[Exchange]:
    """Send the requests of a transcript again; yield the new exchanges.

    Ids of stored specs are new in each run, so that the ids of the transcript are replaced.
    """
    new_ids = {start.spec_id: start_id} if start.spec_id else {}
    for exchange in exchanges:
        path = _with_ids(exchange.path, new_ids)
        body = _with_ids(exchange.body, new_ids).encode()
        headers = {"content-type": exchange.content_type} if exchange.content_type else {}
        response = send(service, exchange.method, path, body, headers)
        again = exchange_of(exchange.method, path, exchange.content_type, body, response)
        if exchange.spec_id and again.spec_id:
            new_ids[exchange.spec_id] = again.spec_id
        yield again


def exchange_of(method: str, path: str, content_type: str, body: bytes, response: Response) -> Exchange:
    """Return a request and its response as a line of a transcript."""
    text = body.decode("utf-8", "replace")
    answer: object = None
    if method == "POST" and response.content_type.startswith("application/json"):
        answer = json.loads(response.body)
    if not isinstance(answer, dict):
        answer = {}
    errors = [item["code"] for item in answer.get("errors", ())]
    spec_id = answer.get("specId", "")
    return Exchange(method, path, content_type, text, response.status, len(response.body), errors, spec_id)


def send(service: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> Response:
    """Send a request to the service and return its response.

    Raises:
        OSError, HTTPException: there is no response.
    """
    connection = HTTPConnection(urlsplit(service).netloc, timeout=TIMEOUT)
    try:
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        return Response(response.status, response.headers.get("Content-Type", ""), response.read())
    finally:
        connection.close()


def write_line(file: TextIO, record: Start | Exchange) -> None:
    """Write a line of a transcript."""
    file.write(json.dumps(record._asdict(), ensure_ascii=False) + "\n")
    file.flush()


def _with_ids(text: str, new_ids: dict[str, str]) -> str:
    for old, new in new_ids.items():
        text = text.replace(old, new)
    return text
