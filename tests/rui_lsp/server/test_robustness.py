"""Bad input over real standard input and output."""

import sys

import pytest

from tests.rui_lsp.lsp_client import Client

URI = "file:///alive.rui.json"


def test_malformed_frames_are_logged():
    client = Client()
    client.send_bytes(b"garbage\r\n\r\nContent-Length: -1\r\n\r\nContent-Length: 1\r\n\r\n{Content-Length: 2\r\n\r\n[]")
    client.notify("rui/unheardOf", {"x": 1})
    client.open(URI, "[]")
    assert [item["code"] for item in client.diagnostics(URI, 1)] == ["INVALID_JSON"]
    assert client.shut_down() == 0
    assert client.stderr


def test_a_message_without_a_possible_length_ends_the_server_with_a_sentence():
    client = Client()
    client.send_bytes(b"Content-Length: %d\r\n\r\n" % 10**30)
    assert client.wait() == 2
    assert "Traceback" not in "".join(client.stderr)
    assert client.stderr[-1].startswith("rui lsp: ")


def test_the_end_of_the_input_and_exit_without_shutdown_are_failures():
    for end in (lambda one: one.process.stdin.close(), lambda one: one.notify("exit")):
        client = Client()
        end(client)
        assert client.wait() == 1
    assert client.stderr == []


@pytest.mark.parametrize("arguments", [["--tcp", "x"], ["--log", "/nowhere/at/all"]])
def test_wrong_arguments(arguments):
    client = Client(command=[sys.executable, "-m", "rui_lsp", *arguments], initialize=False)
    assert client.wait() == 2
    assert "Traceback" not in "".join(client.stderr)
