"""`python -m eval`: list the tasks, print the prompt of one, serve its mock API, score the RUI of an agent."""

from __future__ import annotations

import argparse
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from eval.scoring import Task, load_task, score, task_names
from rui_common.client import Client, ServiceError
from rui_common.syntax.document import read

PROMPT = """\
{prompt}

The app's own API answers GET requests at {address}; try it. These are its endpoints:
{endpoints}

Describe the app as a RUI. Everything about RUIs is at {service}/llms.txt. Validate it,
store it, and tell me its specId.
"""


def mock_handler(api: dict[str, object]) -> type[BaseHTTPRequestHandler]:
    """Return a request handler for the API of a task."""

    class MockHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            status = 200 if path in api else 404
            body = json.dumps(api.get(path, {"error": "not found"})).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log no requests."""

    return MockHandler


def read_spec(spec: str, service: str) -> object:
    """Return the RUI in a file, None if it is not JSON; or the RUI of a stored spec by its id."""
    path = Path(spec)
    if path.is_file():
        document = read(path.read_bytes())
        return document.value if document.valid else None
    if path.suffix or path.exists():
        raise OSError("there is no such file, and it is no specId")
    return Client(service).fetch(spec).normalized_rui


def serve_mock(task: Task, name: str, port: int) -> int:
    """Serve the API of a task until Ctrl+C; return the exit code."""
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), mock_handler(task.api))
    except OSError as error:
        print(f"port {port}: {error.strerror}; choose another one with --port", file=sys.stderr)
        return 2
    with server:
        print(f"{name}: http://127.0.0.1:{server.server_port}, until Ctrl+C", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def prompt(task: Task, service: str, address: str) -> str:
    """Return the prompt of a task for an agent."""
    endpoints = "\n".join(f"- GET {path}" for path in task.api)
    return PROMPT.format(prompt=task.prompt, address=address, endpoints=endpoints, service=service)


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m eval", description=__doc__)
    parser.add_argument("command", choices=("list", "prompt", "mock", "score"))
    parser.add_argument("task", nargs="?", choices=task_names())
    parser.add_argument("spec", nargs="?", help="a specId, or a file")
    parser.add_argument("--service", default="http://127.0.0.1:8000", help="URL of the service (%(default)s)")
    parser.add_argument("--port", type=int, default=8700, help="port of the mock API (%(default)s)")
    args = parser.parse_args(argv)
    if args.command != "list" and args.task is None:
        parser.error(f"{args.command} needs a task")
    if args.command == "score" and args.spec is None:
        parser.error("score needs a task and a spec")
    return args


def main(argv: list[str]) -> int:
    """Run a command; return 0 for success, 1 for a spec that lacks something, 2 for one that cannot be read."""
    args = parse_arguments(argv)
    if args.command == "list":
        print("\n".join(task_names()))
        return 0
    task = load_task(args.task)
    if args.command == "prompt":
        print(prompt(task, args.service, f"http://127.0.0.1:{args.port}"), end="")
        return 0
    if args.command == "mock":
        return serve_mock(task, args.task, args.port)
    try:
        report = score(task, read_spec(args.spec, args.service))
    except (OSError, ServiceError) as error:
        print(f"{args.spec}: {error}", file=sys.stderr)
        return 2
    print(report.text())
    return 0 if report.is_perfect else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
