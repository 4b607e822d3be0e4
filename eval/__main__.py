"""`python -m eval`: tasks, prompts, mock APIs, recordings, scores of RUIs, comparison of drafts, words of drafts."""

import argparse
import json
import sys
from datetime import date
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from eval import results, transcripts
from eval.loss import loss
from eval.scoring import Task, load_task, score, task_names
from eval.transcripts import Exchange, Start
from eval.words import report
from rui_common.client import Client, ServiceError
from rui_common.syntax.document import read

PROMPT = """\
{prompt}

The app's own API answers GET requests at {address}; try it. These are its endpoints:
{endpoints}

{work}
Everything about RUIs is at {service}/llms.txt. Validate it, store it, and tell me its
specId.
"""
CREATE = "Describe the app as a RUI."
EDIT = "The RUI of the app is at {service}/api/specs/{spec_id}, in normalizedRui. Change only what is named above."


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


def serve(handler: type[BaseHTTPRequestHandler], name: str, port: int) -> int:
    """Serve until Ctrl+C; return the exit code."""
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
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


def record(start: Start, file: Path, service: str, port: int) -> int:
    """Forward requests to the service and write them to a new file until Ctrl+C; return the exit code."""
    with file.open("x", encoding="utf-8") as output:
        handler = transcripts.recording_handler(service, start, output)
        return serve(handler, f"recording to {file}", port)


def replay(file: Path, service: str, model: str, folder: Path) -> int:
    """Send the requests of a transcript again, print them and the score; return the exit code.

    With the name of a model, the result is written to a new file in a folder.
    """
    start, exchanges = transcripts.read_transcript(file)
    task = load_task(start.task)
    again: list[Exchange] = []
    for exchange in transcripts.replay(service, stored_start(task, service), start, exchanges):
        again.append(exchange)
        line = f"{exchange.status} {exchange.method:<5}{exchange.path:<46}{exchange.response_bytes:>7} bytes"
        print(f"{line}, errors {len(exchange.errors)}" if exchange.errors else line)
    print(transcripts.effort_of(again).text())
    stored = [exchange.spec_id for exchange in again if exchange.spec_id]
    rui = read_spec(stored[-1], service) if stored else None
    report = score(task, rui)
    print(report.text() if stored else "no spec was stored")
    if model:
        result = results.result_of(start.task, model, date.today(), again, report, rui)
        print(results.write(result, folder))
    return 0 if report.is_perfect else 1


def stored_start(task: Task, service: str) -> str:
    """Store the RUI that a task edits and return its id; ``""`` for a task that creates one."""
    return Client(service).store(task.start).spec_id if task.start is not None else ""


def prompt(task: Task, spec_id: str, service: str, address: str) -> str:
    """Return the prompt of a task for an agent."""
    endpoints = "\n".join(f"- GET {path}" for path in task.api)
    work = EDIT.format(service=service, spec_id=spec_id) if spec_id else CREATE
    return PROMPT.format(prompt=task.prompt, address=address, endpoints=endpoints, service=service, work=work)


def compare(draft: Path, final: Path) -> int:
    """Print what a final document has lost of a draft; return the exit code."""
    result = loss(draft.read_bytes(), final.read_bytes())
    print(result.text())
    return 1 if result.lost else 0


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m eval", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="print the tasks")
    commands.add_parser("prompt", help="print the prompt for the agent")
    commands.add_parser("mock", help="serve the API of the app")
    commands.add_parser("record", help="print the prompt, and record the requests of the agent in a file")
    commands.add_parser("replay", help="send the requests of a transcript again, and score the spec")
    commands.add_parser("score", help="score a stored spec or a file")
    commands.add_parser("words", help="print how often the drafts have the words of other systems")
    comparing = commands.add_parser("loss", help="print what the final document has lost of a first draft")
    comparing.add_argument("draft", type=Path, help="a file in any format")
    comparing.add_argument("final", type=Path, help="a RUI")
    replaying = commands.choices["replay"]
    replaying.add_argument("--model", default="", help="name of the model: writes the result to a file")
    replaying.add_argument("--results", type=Path, default=Path("results"), help="its folder (%(default)s)")
    for name in ("prompt", "mock", "record", "score"):
        commands.choices[name].add_argument("task", choices=task_names())
    for name in ("record", "replay"):
        commands.choices[name].add_argument("file", type=Path, help="a transcript, JSON lines")
    commands.choices["score"].add_argument("spec", help="a specId, or a file")
    for name in ("prompt", "record", "replay", "score"):
        commands.choices[name].add_argument(
            "--service", default="http://127.0.0.1:8000", help="URL of the service (%(default)s)"
        )
    for name in ("prompt", "mock", "record"):
        commands.choices[name].add_argument("--port", type=int, default=8700, help="port of the mock API (%(default)s)")
    commands.choices["record"].add_argument(
        "--record-port", type=int, default=8701, help="port of the recording proxy (%(default)s)"
    )
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    """Run a command; return 0 for success, 1 for a spec that lacks something, 2 for input that cannot be used."""
    args = parse_arguments(argv)
    try:
        return run(args)
    except (OSError, ServiceError, HTTPException, ValueError) as error:
        print(f"{getattr(args, 'spec', args.command)}: {error}", file=sys.stderr)
        return 2


def run(args: argparse.Namespace) -> int:
    """Run a command and return its exit code."""
    if args.command == "list":
        print("\n".join(task_names()))
        return 0
    if args.command == "words":
        print(report())
        return 0
    if args.command == "replay":
        return replay(args.file, args.service, args.model, args.results)
    if args.command == "loss":
        return compare(args.draft, args.final)
    return run_task(args)


def run_task(args: argparse.Namespace) -> int:
    """Run a command about one task and return its exit code."""
    task = load_task(args.task)
    if args.command == "mock":
        return serve(mock_handler(task.api), args.task, args.port)
    if args.command == "score":
        result = score(task, read_spec(args.spec, args.service))
        print(result.text())
        return 0 if result.is_perfect else 1
    spec_id = stored_start(task, args.service)
    api = f"http://127.0.0.1:{args.port}"
    if args.command == "prompt":
        print(prompt(task, spec_id, args.service, api), end="")
        return 0
    print(prompt(task, spec_id, f"http://127.0.0.1:{args.record_port}", api), flush=True)
    return record(Start(args.task, spec_id), args.file, args.service, args.record_port)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
