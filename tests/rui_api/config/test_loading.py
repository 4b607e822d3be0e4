"""Settings of the service: their sources, precedence, and error messages."""

import re
from pathlib import Path

import pytest

from deploy.make_settings import BEGIN, END, PAGE, with_settings
from rui_api.commands import server
from rui_api.commands.serve import main
from rui_api.config.loading import SettingsError, read_settings
from rui_api.config.options import OPTIONS, Settings

GIVEN = {
    "--host": "0.0.0.0", "--port": "81", "--store": "postgresql://rui@db/rui", "--base-url": "https://a.example/rui/",
    "--allow-origins": "https://a.example, https://b.example", "--trust-proxies": "10.0.0.1,10.0.0.0/8",
    "--allow-hosts": "a.example, [::1]", "--workers": "2", "--log-level": "warning",
    "--log-format": "json", "--metrics-port": "9100", "--store-max-bytes": "1000000",
    "--cache-max-age": "60", "--keep-alive": "90",
}  # fmt: skip
ALONE = [option for option in OPTIONS if option.flag != "--unix-socket"]
"""All but the other forms of `--store` and `--port`."""
READ = Settings(
    host="0.0.0.0", port=81, store="postgresql://rui@db/rui", base_url="https://a.example/rui",
    allow_origins=("https://a.example", "https://b.example"), trust_proxies=("10.0.0.1", "10.0.0.0/8"),
    allow_hosts=("a.example", "[::1]"), workers=2, log_level="warning", log_format="json",
    metrics_port=9100, cache_max_age=60, store_max_bytes=1_000_000, keep_alive=90,
)  # fmt: skip


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str | bytes) -> str:
        path = tmp_path / "service.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_every_setting_in_every_source(written) -> None:
    assert GIVEN.keys() == {option.flag for option in ALONE}, "add the setting to GIVEN and READ"
    variables = {option.variable: GIVEN[option.flag] for option in ALONE}
    file = written("".join(f"{option.key} = '{GIVEN[option.flag]}'\n" for option in ALONE))
    assert read_settings([part for pair in GIVEN.items() for part in pair], {"RUI_PORT": "1"}) == READ
    assert read_settings([], variables) == READ
    assert read_settings(["--config", file], {}) == read_settings([], {"RUI_CONFIG": file}) == READ
    assert read_settings([], {}) == read_settings([], dict.fromkeys([*variables, "RUI_CONFIG"], " ")) == Settings()


def test_option_before_variable_before_file(written) -> None:
    """The file has typed values and a byte-order mark."""
    file = written("\ufeffport = 1\nmetrics-port = 2\ntrust-proxies = ['10.0.0.1', '10.0.0.0/8']")
    found = read_settings(["--config", file, "--port", "10"], {"RUI_PORT": "20", "RUI_METRICS_PORT": "30"})
    assert found == Settings(port=10, metrics_port=30, trust_proxies=READ.trust_proxies)


@pytest.mark.parametrize(("arguments", "words"), [
    (["--port", "x"], "--port: a number from 0 to 65535 is needed, not 'x'"), (["--port", "٣"], "--port"),
    (["--port", "9" * 5000], "--port"), (["--port"], "--port"), (["stray"], "stray"),
    (["8001"], "unexpected argument 8001 (did you mean --port 8001?)"),
    (["0.0.0.0:8001"], "(did you mean --host 0.0.0.0 --port 8001?)"), ([":8001"], "(did you mean --port 8001?)"),
    (["sqlite:///rui.db"], "(did you mean --store URL?)"),
    (["--prot", "1"], "unknown option --prot (did you mean --port?); see rui serve --help"),
    (["--store", "mysql://x"], "sqlite:///PATH"), (["--store", "sqlite:///:memory:"], "name a file"),
    (["--store", "sqlite://host/rui.db"], "name a file"),
    (["--store", "postgresql://rui@db/rui?prepared=no"], "prepared='no' cannot be used: valid is on, off"),
    *((["--base-url", url], "--base-url") for url in (
        "rui.example.org", "ftp://a", "http://", "http://a b", "http://a?x", "http://a:99999", "http://[::1",
        "http://a\r\nx: y", "https://*.example", "https://a.example,", "https://a.example;https://b.example",
        "https://a,https://b", "https://$HOST", "https://-a.example", "https://a_b!/rui", "https://[::x]", "https://a:/x:y@b",
    )),
    *((["--allow-origins", origin], "a list of origins as browsers send them") for origin in (
        "https://a/", "https://*.example", "https://*", "HTTPS://a.example", "https://A.example",
        "https://a.example:443", "http://a.example:80", "https://a.example:", "https://a.example:99999",
        "https://a.example:0443", "https://:8443",
        "https://u@a.example", "https://a.example?x", "https://a.example#x", "https://bücher.example",
        "a.example", "null",
        "https://a.example,https://*.b.example", "https://a.example;https://b.example",
    )),
    *((["--allow-hosts", host], "a list of hosts") for host in (
        "*.example", "A.example", "_a", "a b", "https://a", "a/b",
    )),
    *((["--store-max-bytes", size], "0, or a number of bytes from 1000000") for size in (
        "1", "1000", "999999", "-1", "1G",
    )),
    *((["--keep-alive", seconds], "from 1 to 3600") for seconds in ("0", "-1", "3601", "1.5", "75s")),
    (["--host", "fe80::1%eth0", "--metrics-port", "9100"], "an address with a zone"),
    (["--metrics-port", "8000"], "--metrics-port and --port are both 8000: the metrics need another port"),
    (["--unix-socket", "/tmp/x", "--port", "80"], "--unix-socket and --port: only one of them can be given"),
    (["--unix-socket", "/tmp/x", "--trust-proxies", "127.0.0.1"], "--trust-proxies has to be *"),
    (["--allow-hosts", "a.example:80"], "without ports"),
    (["--allow-hosts", " , "], "a list of hosts"), (["--trust-proxies", "10.0.0.1/8"], "10.0.0.0/8"),
    (["--cache-max-age", "60"], "--cache-max-age needs --base-url"), (["--host", ""], "--host: an address"),
    (["--workers", "2"], "2 workers need a store that they can share"), (["--workers", "0"], "from 1 to"),
    (["--log-level", "loud"], "debug, info, warning or error"),
    (["--config", "/no/such/file"], "/no/such/file: No such file"),
    (["--\x1b[31mred\nand more"], "--�[31mred�and more"),
])  # fmt: skip
def test_settings_that_cannot_be_used(arguments: list[str], words: str, capsys, monkeypatch) -> None:
    monkeypatch.setattr(server, "run", lambda *_: pytest.fail("the service starts"))
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err[:11], err.count("\n")) == ("", "rui serve: ", 1)
    assert words in err and len(err) < 300


@pytest.mark.parametrize("name", ["RUI_PROT", "RUI_PORTS", "RUI_", "RUI_STORE_MAXBYTES", "RUI_PORT_80_TCP", "RUI_port"])
def test_unknown_variables(name: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{name}: there is no such setting( \(did you mean RUI_\w+\?\))?$"):
        read_settings([], {name: "1"})


@pytest.mark.parametrize(
    "name", ["RUI_SERVER", "RUI_HEADER", "RUI_DEBUG", "RUI_CONFIG", "RUIN", "MY_RUI_PORT", "rui_port"]
)
def test_variables_of_other_programs(name: str) -> None:
    assert read_settings([], {name: ""}) == Settings()


@pytest.mark.parametrize("origin", [
    "*", "https://a.example", "http://localhost:3000", "https://a.example:8443",
    "http://127.0.0.1:81, https://[::1]:8443", "chrome-extension://abcdefghijklmnop", "https://xn--bcher-kva.example", "http://a.example:443",
])  # fmt: skip
def test_origins_that_browsers_send(origin: str) -> None:
    assert read_settings(["--allow-origins", origin], {}).allow_origins


@pytest.mark.parametrize(
    "url", ["http://ann:hunter2@a.org", "//://ann:hunter2@a.org", "postgresql://u:hunter2@a.org:0/d"]
)
def test_no_message_contains_a_password(url: str, capsys, written) -> None:
    """Errors show no password, in any option that takes an address."""
    for flag in [*(f"{option.flag}=" for option in OPTIONS), "", "--sotre="]:
        if flag != "--host=" or not url.startswith("postgresql"):
            assert main(["--port=0", f"{flag}{url}"]) == (3 if flag == "--host=" else 2)  # a name may come later
            assert "hunter2" not in "".join(capsys.readouterr()), flag
    for arguments, environment in (([], {"RUI_STORE": url}), (["--config", written(f"store = '{url}'")], {})):
        with pytest.raises(SettingsError) as error:
            read_settings(arguments, environment)
        assert "hunter2" not in str(error.value) and "a.org" in str(error.value)


@pytest.mark.parametrize(("text", "words"), [
    ("prot = 1", "service.toml: prot: there is no such setting (did you mean port?)"),
    ("port = true", "port: a number"),
    ("port = 1.5", "port: a number"), ("allow-hosts = [1]", "a list of hosts"), ("host = ['a']", "host: an address"),
    ("port = 1\nport = 2\n", "not TOML in UTF-8"), (b"\xff", "not TOML in UTF-8"),
    ("a = " + "[" * 5000, "not TOML in UTF-8"),
])  # fmt: skip
def test_files_that_cannot_be_used(text: str | bytes, words: str, written) -> None:
    with pytest.raises(SettingsError, match=re.escape(words)):
        read_settings(["--config", written(text)], {})


def test_a_sqlite_store_has_a_limit_by_default() -> None:
    assert read_settings([], {}).max_bytes == 1 << 30
    assert read_settings(["--store-max-bytes", "0"], {}).max_bytes == 0
    assert read_settings(["--store", "postgresql://rui@localhost/rui"], {}).max_bytes == 0


def test_help_names_every_setting(capsys) -> None:
    assert main(["--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert all(f"(default: {option.shown_default}) [{option.variable}]" in out for option in OPTIONS)


def test_the_table_of_settings_is_current() -> None:
    page = PAGE.read_text()
    assert page.count(BEGIN) == page.count(END) == 1
    assert all(f"| `{option.flag}` | `{option.variable}` | " in page for option in OPTIONS)
    assert page == with_settings(page), "docs/operations.md is stale: run make docs"
