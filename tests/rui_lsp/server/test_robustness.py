"""Bad input over real standard input and output."""

import pytest

from tests.rui_lsp.lsp_client import Client


def check_alive(client):
    client.open("file:///alive.rui.json", "[]")
    assert [item["code"] for item in client.diagnostics("file:///alive.rui.json", 1)] == ["INVALID_JSON"]


def test_malformed_frames_are_logged():
    client = Client.start()
    client.send_bytes(b"garbage\r\n\r\nContent-Length: -1\r\n\r\nContent-Length: 1\r\n\r\n{Content-Length: 2\r\n\r\n[]")
    client.notify("rui/unheardOf", {"x": 1})
    check_alive(client)
    assert client.shut_down() == 0
    assert client.stderr


def test_a_message_without_a_possible_length_ends_the_server_with_a_sentence():
    client = Client.start()
    client.send_bytes(b"Content-Length: %d\r\n\r\n" % 10**30)
    assert client.wait() == 2
    assert "Traceback" not in "".join(client.stderr)
    assert client.stderr[-1].startswith("rui lsp: ")


def test_the_end_of_the_input_ends_the_server():
    client = Client.start()
    client.process.stdin.close()
    assert client.wait() == 1


def test_exit_without_shutdown_is_a_failure():
    client = Client.start()
    client.notify("exit")
    assert client.wait() == 1
    assert client.stderr == []


@pytest.mark.parametrize("arguments", [["--tcp", "x"], ["--log"], ["--unknown"], ["--log", "/nowhere/at/all"]])
def test_wrong_arguments(arguments):
    client = Client.start(arguments=arguments, initialize=False)
    assert client.wait() == 2
    assert "Traceback" not in "".join(client.stderr)
