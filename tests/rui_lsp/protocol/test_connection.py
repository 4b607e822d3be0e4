"""The end of a session, and bad input, over real standard input and output."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from rui_lsp.main import main
from rui_lsp.protocol import connection
from rui_lsp.protocol.connection import MAX_MESSAGE
from tests.rui_lsp.lsp_client import DEADLINE, Client, frame, read_frame

URI = "file:///alive.rui.json"
INITIALIZE = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}


def test_malformed_frames_are_logged_in_one_line_each():
    client = Client()
    client.send_bytes(b"garbage\r\n\r\nContent-Length: -1\r\n\r\nContent-Length: 1\r\n\r\n{Content-Length: 2\r\n\r\n[]")
    client.notify("rui/unheardOf", {"x": 1})
    client.open(URI, "[]")
    assert [item["code"] for item in client.diagnostics(URI, 1)] == ["INVALID_JSON"]
    assert client.shut_down() == 0
    assert len(client.stderr) == 5


def test_a_request_that_is_cancelled_after_its_response_is_not_logged():
    with Client() as client:  # At its end, nothing has been logged.
        client.open(URI, "{}")
        for _ in range(3):
            client.request(
                "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
            )
            client.notify("$/cancelRequest", {"id": client.received[-1]["id"]})


PRINTING = """
import sys
from rui_lsp import main
from rui_lsp.features import hover
hover.hover_at = lambda *_: print("a library prints")
sys.exit(main.main([]))
"""
"""The server with a feature that writes to standard output."""


def test_what_is_printed_is_no_message_of_the_protocol():
    client = Client(command=[sys.executable, "-c", PRINTING])
    client.open(URI, "{}")
    client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})
    assert client.shut_down() == 0
    assert client.stderr == ["a library prints"]


@pytest.mark.parametrize("length", [str(MAX_MESSAGE + 1), "9" * 5000])
def test_a_message_without_a_possible_length_ends_the_server_with_a_sentence(length):
    client = Client()
    client.send_bytes(f"Content-Length: {length}\r\n\r\n".encode())
    assert client.wait() == 2
    assert client.stderr == [f"rui lsp: a message is longer than {MAX_MESSAGE:,} bytes"]


def close_input(client):
    client.process.stdin.close()


def exit_only(client):
    client.notify("exit")


def exit_in_the_same_write(client):
    client.send({"id": 70, "method": "textDocument/hover", "params": {}}, {"method": "exit"}, {"id": 71, "method": "x"})


def half_a_message(client):
    client.send_bytes(frame(INITIALIZE)[:-3])
    client.process.stdin.close()


@pytest.mark.parametrize(("end", "is_initialized"), [
    (close_input, True), (close_input, False), (exit_only, False), (exit_in_the_same_write, True),
    (half_a_message, False),
])  # fmt: skip
def test_the_end_of_the_input_and_exit_without_shutdown_are_failures(end, is_initialized):
    client = Client(initialize=is_initialized)
    end(client)
    assert client.wait() == 1
    assert "Traceback" not in "".join(client.stderr)
    assert len(client.stderr) <= 1


# A client that reads no more. It has no thread that reads, as one would keep the pipe open.


@pytest.fixture
def server():
    """A process that has been initialized, and its pipes."""
    command = [sys.executable, "-W", "error", "-m", "rui_lsp"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    send(process, INITIALIZE)
    assert read_frame(process.stdout)["id"] == 1
    yield process
    process.kill()
    process.wait(DEADLINE)
    for pipe in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            pipe.close()


def send(process, *messages):
    process.stdin.write(b"".join(map(frame, messages)))
    process.stdin.flush()


@pytest.mark.parametrize(("messages", "code"), [
    ([{"id": 2, "method": "shutdown"}, {"method": "exit"}], 0),
    ([{"method": "exit"}], 1),
    ([{"id": 2, "method": "textDocument/unheardOf"}], 1),  # and standard input stays open
    ([{"id": 2, "method": "textDocument/hover"}, {"id": 3, "method": "textDocument/hover"}], 1),
    ([{"id": 2, "method": "shutdown"}], 0),
])  # fmt: skip
def test_the_server_ends_if_the_client_reads_no_more(messages, code, server):
    server.stdout.close()
    send(server, *messages)
    assert server.wait(DEADLINE) == code
    assert b"Traceback" not in server.stderr.read()


MANY = [{"id": number, "method": "completionItem/resolve", "params": {"label": ""}} for number in range(2, 3000)]
UNKNOWN = [{"id": number, "method": "textDocument/unheardOf"} for number in range(2, 3000)]  # each is logged


@pytest.mark.skipif(os.name != "posix", reason="Windows has no pipes that do not wait")
@pytest.mark.parametrize(("messages", "code"), [
    ([*MANY, {"id": 1, "method": "shutdown"}, {"method": "exit"}], 0), ([*MANY, {"method": "exit"}], 1), (MANY, 1),
    ([*UNKNOWN, {"method": "exit"}], 1),
])  # fmt: skip
def test_the_server_ends_though_nobody_reads_its_output(messages, code, server):
    """The pipe is open and full, as is that of the log."""
    send(server, *messages)
    server.stdin.close()
    assert server.wait(DEADLINE) == code
    assert b"Traceback" not in server.stderr.read()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no pipes that do not wait")
def test_what_nobody_reads_has_a_limit(monkeypatch, caplog):
    monkeypatch.setattr(connection, "MAX_WAITING", 1 << 18)
    source, target = os.pipe()

    async def write():
        ended = asyncio.Event()
        output = connection.Output(target, (), ended)
        sent = 0
        while not ended.is_set() and sent < 1 << 20:
            output.write(b"x" * 1000)
            sent += 1000
        output.close()
        return sent

    sent = asyncio.run(write())
    os.close(source)
    assert 1 << 18 < sent < 1 << 20
    assert "the client does not read any more: it has not read" in caplog.text


@pytest.mark.skipif(os.name != "posix", reason="Windows has no pipes that do not wait")
def test_a_client_that_reads_late_gets_everything(server):
    send(server, *MANY)
    time.sleep(0.5)
    assert [read_frame(server.stdout)["id"] for _ in MANY] == [message["id"] for message in MANY]


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot ask whether a process exists without harming it")
def test_the_server_ends_with_the_process_of_its_client():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as parent:
        client = Client(initialize=False)
        client.request("initialize", {"capabilities": {}, "processId": parent.pid})
        client.open(URI, "[]")
        assert client.diagnostics(URI, 1)
        parent.kill()
    assert client.wait() == 1
    assert client.stderr == [f"rui lsp: WARNING: the client's process {parent.pid} has ended"]


@pytest.mark.parametrize("process_id", [0, -1, 2**70, "own"])
def test_other_process_ids_do_not_end_the_server(process_id):
    if process_id == "own":  # Workers of pytest need the same names of tests.
        process_id = os.getpid()
    client = Client(initialize=False)
    client.request("initialize", {"capabilities": {}, "processId": process_id})
    client.open(URI, "[]")
    assert client.diagnostics(URI, 1)
    assert client.shut_down() == 0
    assert client.stderr == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGINT for a process")
def test_an_interrupt_ends_the_server_without_a_traceback():
    client = Client()
    client.process.send_signal(signal.SIGINT)
    assert client.wait() == 1
    assert client.stderr == []


@pytest.mark.parametrize(("arguments", "reason"), [
    (["--log"], "argument --log: expected one argument"),
    # The transports of other servers and of vscode-languageclient.
    (["--node-ipc"], "unknown argument --node-ipc; see rui lsp --help"),
    (["--tcp", "6009"], "unknown argument --tcp; see rui lsp --help"),
    (["--lgo=x"], "unknown argument --lgo=x (did you mean --log?); see rui lsp --help"),
    (["--pipe=/tmp/x", "--stdio"], "unknown argument --pipe=/tmp/x; see rui lsp --help"),
    (["--socket=6009"], "unknown argument --socket=6009; see rui lsp --help"),
    (["a.rui.json"], "unknown argument a.rui.json; see rui lsp --help"),
    (["--stdio=1"], "argument --stdio: ignored explicit argument '1'"),
])  # fmt: skip
def test_wrong_arguments_are_one_line(arguments, reason, capsys):
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("rui lsp: ")
    assert reason in line


def test_a_log_that_cannot_be_written_is_one_line():
    client = Client(command=[sys.executable, "-m", "rui_lsp", "--log", "/nowhere/at/all"], initialize=False)
    assert client.wait() == 2
    [line] = client.stderr
    assert line.startswith("rui lsp: [Errno 2] No such file or directory: ")


def test_a_missing_package_is_one_line():
    code = "import sys; sys.modules['pygls'] = None; from rui_lsp.main import main; sys.exit(main([]))"
    client = Client(command=[sys.executable, "-c", code], initialize=False)
    assert client.wait() == 2
    [line] = client.stderr
    assert 'pip install ".[lsp]"' in line
