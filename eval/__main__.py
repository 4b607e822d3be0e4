"""`python -m eval`: list the tasks, show the prompt of one, serve its mock API, score what an agent stored."""

from __future__ import annotations

import argparse
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from eval.scoring import Task, score, task, task_names
from rui_common.client import Client, ServiceError
from rui_common.syntax.document import read

PROMPT = """\
{prompt}

The app's own API answers GET requests at {address}; try it. These are its endpoints:
{endpoints}

Describe the app as a RUI. Everything about RUIs is at {service}/llms.txt. Validate it,
store it, and tell me its specId.
"""


def mock(api: dict[str, object]) -> type[BaseHTTPRequestHandler]:
    """A handler that answers as the API of a task does."""

    class Mock(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path.partition("?")[0]
            body = json.dumps(api.get(found, {"error": "not found"})).encode()
            self.send_response(200 if found in api else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is said."""

    return Mock


def fetched(where: str, service: str) -> object:
    """The RUI in a file, None if that is no JSON; or of a stored spec by its id."""
    if Path(where).is_file():
        document = read(Path(where).read_bytes())
        return document.value if document.valid else None
    if Path(where).suffix or Path(where).exists():
        raise OSError("there is no such file, and it is no specId")
    return Client(service).fetch(where).normalized_rui


def serve(wanted: Task, name: str, port: int) -> int:
    """Serve the API of a task until somebody ends it."""
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), mock(wanted.api))
    except OSError as fault:
        print(f"port {port}: {fault.strerror}; choose another one with --port", file=sys.stderr)
        return 2
    with server:
        print(f"{name}: http://127.0.0.1:{server.server_port}, until Ctrl+C", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def show(wanted: Task, service: str, address: str) -> str:
    """The whole prompt of a task."""
    endpoints = "\n".join(f"- GET {path}" for path in wanted.api)
    return PROMPT.format(prompt=wanted.prompt, address=address, endpoints=endpoints, service=service)


def main(argv: list[str]) -> int:
    """Do what is asked; 0 if all was well, 1 if a spec does not have all that it must, 2 if it could not be had."""
    parser = argparse.ArgumentParser(prog="python -m eval", description=__doc__)
    parser.add_argument("do", choices=("list", "prompt", "mock", "score"))
    parser.add_argument("task", nargs="?", choices=task_names())
    parser.add_argument("spec", nargs="?", help="a specId, or a file")
    parser.add_argument("--service", default="http://127.0.0.1:8000", help="where RUIs are stored (%(default)s)")
    parser.add_argument("--port", type=int, default=8700, help="of the mock API (%(default)s)")
    given = parser.parse_args(argv)
    if given.do == "list":
        print("\n".join(task_names()))
        return 0
    if given.task is None or (given.do == "score" and given.spec is None):
        parser.error(f"{given.do} needs a task" + (" and a spec" if given.do == "score" else ""))
    wanted = task(given.task)
    if given.do == "prompt":
        print(show(wanted, given.service, f"http://127.0.0.1:{given.port}"), end="")
        return 0
    if given.do == "mock":
        return serve(wanted, given.task, given.port)
    try:
        report = score(wanted, fetched(given.spec, given.service))
    except (OSError, ServiceError) as fault:
        print(f"{given.spec}: {fault}", file=sys.stderr)
        return 2
    print(report.text())
    return 0 if report.is_perfect else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
