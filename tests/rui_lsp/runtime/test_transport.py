"""The server as a process: arguments, exit codes, standard output and error, sockets."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys

import pytest

from tests.rui_lsp.lsp_client import DEADLINE, ROOT, Client, ResponseError, frame, read_frame

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
SHUTDOWN = {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}
EXIT = {"jsonrpc": "2.0", "method": "exit"}


def run(*arguments, data=b""):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "rui_lsp", *arguments],
        input=data, capture_output=True, cwd=ROOT, timeout=DEADLINE, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments", [[], ["--stdio"], ["--stdio", "--clientProcessId=77"], ["--clientProcessId", "7"]]
)
def test_it_speaks_on_standard_input_and_output(arguments):
    with Client.start(arguments=arguments) as client:
        client.open("file:///a.rui.json", "[]")
        assert len(client.diagnostics("file:///a.rui.json", 1)) == 1


def test_the_command_starts_it():
    command = shutil.which("rui", path=os.path.dirname(sys.executable))  # noqa: PTH120
    if command is None or not (ROOT / "rui_cli" / "main.py").exists():
        pytest.skip("the command is not installed")
    with Client.start(command=[command, "lsp"], arguments=["--stdio"]) as client:
        client.open("file:///a.rui.json", "[]")
        assert len(client.diagnostics("file:///a.rui.json", 1)) == 1


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([INITIALIZE, SHUTDOWN, EXIT], 0),
        ([INITIALIZE, SHUTDOWN], 0),
        ([INITIALIZE, EXIT], 1),
        ([INITIALIZE], 1),
        ([EXIT], 1),
        ([], 1),
    ],
)
def test_exit_codes(messages, code):
    done = run(data=b"".join(map(frame, messages)))
    assert (done.returncode, done.stderr) == (code, b"")


def test_input_and_output_may_be_files(tmp_path):
    (tmp_path / "in").write_bytes(b"".join(map(frame, [INITIALIZE, SHUTDOWN, EXIT])))
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as target:
        command = [sys.executable, "-W", "error", "-m", "rui_lsp"]
        done = subprocess.run(command, stdin=source, stdout=target, cwd=ROOT, timeout=DEADLINE, check=False)
    assert done.returncode == 0
    with (tmp_path / "out").open("rb") as answers:
        assert [read_frame(answers)["id"], read_frame(answers)["id"], read_frame(answers)] == [1, 2, None]


def test_garbage_is_refused_and_survived():
    client = Client.start()
    client.send_bytes(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    client.send_bytes(b"Content-Length: 4\r\n\r\n{]}!")
    client.send_bytes(b"Content-Length: 2\r\n\r\n[]")
    client.open("file:///a.rui.json", "[]")
    assert len(client.diagnostics("file:///a.rui.json", 1)) == 1
    assert [message["error"]["code"] for message in client.received if "error" in message] == [-32700, -32700, -32600]
    assert client.shut_down() == 0
    assert not [line for line in client.stderr if "Traceback" in line]


def test_an_unknown_request_is_refused_and_survived():
    client = Client.start()
    with pytest.raises(ResponseError) as refused:
        client.request("textDocument/unheardOf", {})
    assert refused.value.code == -32601
    client.open("file:///a.rui.json", "[]")
    assert len(client.diagnostics("file:///a.rui.json", 1)) == 1
    assert client.shut_down() == 0


def test_a_client_that_does_not_read_while_it_writes_is_served_all_the_same():
    """Megabytes go both ways, and neither side may deadlock."""
    uri = "file:///a.rui.json"
    text = "[" + "0" * 100_000
    with Client.start() as client:
        client.open(uri, text)
        for version in range(2, 60):
            client.change(uri, version, [{"text": text + "]" * (version % 2)}])
        assert client.diagnostics(uri, 59)


def test_a_client_that_is_gone_ends_it():
    client = Client.start()
    client.process.stdin.close()
    assert client.process.wait(DEADLINE) == 1
    client.kill()
    assert client.stderr == []


def test_what_is_printed_does_not_get_into_the_protocol():
    script = (
        "import sys; from rui_lsp import main; from rui_lsp.documents import document; diagnose = document.diagnose\n"
        "document.diagnose = lambda *arguments: print('stray') or diagnose(*arguments)\n"
        "sys.exit(main.main(sys.argv[1:]))"
    )
    client = Client.start(command=[sys.executable, "-c", script])
    client.open("file:///a.rui.json", "[]")
    assert len(client.diagnostics("file:///a.rui.json", 1)) == 1
    assert client.shut_down() == 0
    assert client.stderr == ["stray"]


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
@pytest.mark.parametrize("initialize", [False, True])
def test_an_interrupt_ends_it_without_a_traceback(initialize):
    client = Client.start(initialize=initialize)
    if initialize:
        client.open("file:///a.rui.json", "[]")
        client.diagnostics("file:///a.rui.json", 1)
    else:
        client.send_bytes(b"Content-Length: 2\r\n\r\n[]")
        client.wait_for(lambda message: "error" in message)
    client.process.send_signal(signal.SIGINT)
    assert (client.wait(), client.stderr) == (130, [])


def test_the_log_goes_to_a_file(tmp_path):
    log = tmp_path / "rui.log"
    with Client.start(arguments=["--log", str(log)]) as client:
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///nowhere.rui.json"}})
        client.open("file:///a.rui.json", "[]")
        client.diagnostics("file:///a.rui.json", 1)
    written = log.read_text()
    assert "file:///nowhere.rui.json, which is not open" in written
    for method in ("initialize", "textDocument/didOpen", "shutdown", "exit"):
        assert method in written
    assert "file:///a.rui.json" in written


@pytest.mark.parametrize(
    ("arguments", "error_message"),
    [
        (["--frobnicate"], "unknown argument '--frobnicate'"),
        (["file.rui.json"], "unknown argument 'file.rui.json'"),
        (["--tcp"], "--tcp needs a port"),
        (["--tcp", "x"], "--tcp needs a port"),
        (["--tcp=70000"], "--tcp needs a port"),
        (["--log"], "--log needs the name of a file"),
        (["--log", "/nowhere/rui.log"], "/nowhere/rui.log"),
    ],
)
def test_what_it_cannot_start_with_is_one_clear_line(arguments, error_message):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.decode().splitlines()
    assert line.startswith("rui lsp: ")
    assert error_message in line


def test_help_names_every_option():
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert {"--stdio", "--tcp", "--log", "--help"} <= set(re.findall(r"--\w+", done.stdout.decode()))


# Sockets


@pytest.fixture
def tcp_server():
    server = Client(["--tcp", "0"])
    while not server.stderr:
        assert server.process.poll() is None
    yield server, int(re.fullmatch(r"rui lsp: listening on 127\.0\.0\.1:(\d+)", server.stderr[0])[1])
    server.kill()


def talk(port, *messages):
    """Send messages over a new connection; return the responses."""
    with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as connection:
        connection.sendall(b"".join(map(frame, messages)))
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile("rb") as stream:
            answers = []
            while answer := read_frame(stream):
                answers.append(answer)
            return answers


def test_clients_come_and_go_on_a_socket_until_one_says_exit(tcp_server):
    server, port = tcp_server
    assert [answer["id"] for answer in talk(port, INITIALIZE)] == [1]
    assert [answer["id"] for answer in talk(port, INITIALIZE, SHUTDOWN)] == [1, 2]
    assert [answer["id"] for answer in talk(port, INITIALIZE, SHUTDOWN, EXIT)] == [1, 2]
    assert server.wait() == 0
    assert len(server.stderr) == 1


def test_a_port_that_is_taken_is_one_clear_line(tcp_server):
    _, port = tcp_server
    done = run("--tcp", str(port))
    assert done.returncode == 2
    [line] = done.stderr.decode().splitlines()
    assert line.startswith("rui lsp: ")
    assert str(port) in line
