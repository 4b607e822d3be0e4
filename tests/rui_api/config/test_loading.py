"""Settings of the service: their sources, precedence, and error messages."""

import re
from pathlib import Path

import pytest

from rui_api.commands.serve import main
from rui_api.config import loading as settings_sources
from rui_api.config.loading import SettingsError, environment_warnings, read_settings
from rui_api.config.options import GROUPS, OPTIONS, Option, Settings, settings_table

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture(autouse=True)
def _all_packages(monkeypatch) -> None:
    """Tracing must not depend on the installed packages here."""
    monkeypatch.setattr(settings_sources, "can_trace", lambda: True)


GIVEN = {
    "--host": "0.0.0.0", "--port": "81", "--store": "postgresql://rui@db/rui", "--base-url": "https://a.example/rui/",
    "--allow-origins": "https://a.example, https://b.example", "--trust-proxies": "10.0.0.1,10.0.0.0/8",
    "--allow-hosts": "A.example, [::1]", "--workers": "2", "--store-queue": "8", "--log-level": "warning",
    "--log-format": "json", "--metrics-port": "9100", "--otel": "on", "--store-max-bytes": "1000000",
    "--cache-max-age": "60",
}  # fmt: skip
ALONE = [option for option in OPTIONS if option.flag != "--store-file"]
"""All but the other form of `--store`."""
READ = Settings(
    host="0.0.0.0", port=81, store="postgresql://rui@db/rui", base_url="https://a.example/rui",
    allowed_origins=("https://a.example", "https://b.example"), trusted_proxies=("10.0.0.1", "10.0.0.0/8"),
    allowed_hosts=("a.example", "[::1]"), workers=2, store_queue=8, log_level="warning", log_format="json",
    metrics_port=9100, otel=True, cache_max_age=60, store_max_bytes=1_000_000,
)  # fmt: skip


def test_defaults() -> None:
    assert read_settings([], {}) == Settings()


def test_options() -> None:
    assert read_settings([part for pair in GIVEN.items() for part in pair], {"RUI_PORT": "1"}) == READ


def test_environment() -> None:
    variables = {option.variable: GIVEN[option.flag] for option in ALONE}
    assert read_settings([], variables) == READ
    for blank in ("", " "):
        assert read_settings([], dict.fromkeys([*variables, "RUI_CONFIG"], blank)) == Settings()


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str | bytes) -> str:
        path = tmp_path / "rui.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_file(written) -> None:
    texts = written("".join(f"{option.key} = '{GIVEN[option.flag]}'\n" for option in ALONE))
    assert read_settings(["--config", texts], {}) == READ
    assert read_settings([], {"RUI_CONFIG": texts}) == READ
    typed = written("port = 81\notel = true\n"
                    'trust-proxies = ["10.0.0.1", "10.0.0.0/8"]\nallow-origins = []')  # fmt: skip
    assert read_settings(["--config", typed], {}) == Settings(
        port=81, otel=True, trusted_proxies=READ.trusted_proxies,
        allowed_origins=(),
    )  # fmt: skip


def test_file_with_a_mark_at_its_beginning(written) -> None:
    """Windows editors write a byte order mark."""
    assert read_settings(["--config", written(b"\xef\xbb\xbfport = 81")], {}) == Settings(port=81)


def test_option_before_variable_before_file(written) -> None:
    file = written("port = 1\nmetrics-port = 2\nstore-queue = 3")
    found = read_settings(["--config", file, "--port", "10"], {"RUI_PORT": "20", "RUI_METRICS_PORT": "30"})
    assert (found.port, found.metrics_port, found.store_queue) == (10, 30, 3)


@pytest.mark.parametrize(("arguments", "words"), [
    (["--port", "x"], "--port: a port is a number"), (["--port", "65536"], "--port"), (["--port", "-1"], "port"),
    (["--port", "٣"], "--port"), (["--prot", "1"], "--prot 1; did you mean --port?"),
    (["--store_queue=1"], "did you mean --store-queue?"), (["--confg", "x"], "did you mean --config?"),
    (["--port"], "--port"), (["--nope"], "--nope"), (["stray"], "stray"),
    (["--por", "1"], "--por"), (["--port", "9" * 5000], "--port"),
    (["--store", "postgresql://rui:secret@localhost:port/rui"], "postgresql://rui:***@localhost:port/rui"),
    (["--store", "mysql://x"], "sqlite:///PATH"), (["--store", "rui.db"], "sqlite:///PATH"),
    (["--store", "sqlite://"], "name a file"), (["--store", "sqlite:///"], "name a file"),
    (["--store", "sqlite:///:memory:"], "name a file"), (["--store", "sqlite://host/rui.db"], "name a file"),
    (["--base-url", "rui.example.org"], "--base-url"), (["--base-url", "ftp://a"], "--base-url"),
    (["--base-url", "http://"], "--base-url"), (["--base-url", "http://a b"], "--base-url"),
    (["--base-url", "http://a?x"], "--base-url"), (["--base-url", "http://a#x"], "--base-url"),
    (["--base-url", "http://u:p@a"], "--base-url"), (["--base-url", "http://a:99999"], "--base-url"),
    (["--base-url", "http://[::1"], "--base-url"), (["--base-url", 'http://a/"'], "--base-url"),
    (["--base-url", "http://a\r\nx: y"], "--base-url"), (["--base-url", "http://größe"], "--base-url"),
    (["--allow-origins", "a.example"], "an origin is like"), (["--allow-origins", "https://a/"], "an origin is like"),
    (["--allow-hosts", "a.example:80"], "without a port"), (["--allow-hosts", "a b"], "a host is like"),
    (["--allow-hosts", ""], "at least one host"), (["--allow-hosts", " , "], "at least one host"),
    (["--trust-proxies", "proxy"], "10.0.0.0/8"), (["--trust-proxies", "10.0.0.1/8"], "10.0.0.0/8"),
    (["--cache-max-age", "60"], "--cache-max-age needs --base-url"), (["--cache-max-age", "-1"], "whole number"),
    (["--workers", "2"], "2 workers need a store that they can share"),
    (["--store", "postgresql://rui@db/rui?prepared=no"], "prepared=on or prepared=off"),
    (["--workers", "0"], "from 1 to"), (["--workers", "two"], "whole number"), (["--workers", "2.0"], "whole number"),
    (["--log-level", "loud"], "debug, info, warning, error"), (["--log-format", "xml"], "auto, json, text"),
    (["--metrics-port", "x"], "--metrics-port: a port is a number"),
    (["--config", ""], "--config: the path of a file is needed"), (["--host", ""], "--host: an address is needed"),
    (["--otel", "yes"], "on or off"), (["--config", "/no/such/file"], "/no/such/file: No such file"),
])  # fmt: skip
def test_settings_that_cannot_be_used(arguments: list[str], words: str, capsys) -> None:
    with pytest.raises(SettingsError) as error:
        read_settings(arguments, {})
    assert words in str(error.value)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"rui serve: {error.value}\n")
    assert err.count("\n") == 1 and len(err) < 300


@pytest.mark.parametrize("flag", [*(option.flag for option in OPTIONS), "", "--sotre"])
@pytest.mark.parametrize("url", ["http://ann:secret@a.org", "//://ann:secret@a.org", "http://ann:se/secret@a.org"])
def test_no_message_contains_a_password(flag: str, url: str, capsys) -> None:
    """Errors show no password, in any option that takes an address."""
    given = [f"{flag}={url}"] if flag else [url]
    assert main(["--port=0", *given]) == 2
    out, err = capsys.readouterr()
    assert (out, "secret" in err, "a.org" in err) == ("", False, True), err


def test_messages_contain_no_control_characters(capsys) -> None:
    assert main(["--\x1b[31mred\nand more"]) == 2
    assert capsys.readouterr().err == "rui serve: unrecognized arguments: --�[31mred�and more\n"


@pytest.mark.parametrize(("text", "words"), [
    ("port = 'http'", "rui.toml: port: a port is a number"), ("prot = 1", "prot: there is no such setting; did you"),
    ("allow_origins = '*'", "did you mean allow-origins?"), ("[service]\nport = 1", "service: there is no such"),
    ("[port]", "rui.toml: port: a text or a number"), ("port = 2026-01-01", "port: a text or a number"),
    ("allow-hosts = []", "allow-hosts: at least one host"),
    ("allow-hosts = [1]", "allow-hosts: a list of texts"), ("allow-hosts = ['a,b']", "a list of texts"),
    ("host = ['a']", "host: a text or a number"), ("port = 1\nport = 2\n", "is defined a second time (at line 2"),
    ("port", "rui.toml: "),
    ('"a\\nb" = 1', "'a\\nb': there is no such"), (b"\xff", "not TOML in UTF-8"), ("port = true", "port: a port"),
    ("a = " + "[" * 5000, "rui.toml: "), ("port = 1.5", "a port is a number"), ("port = inf", "a port is a number"),
])  # fmt: skip
def test_files_that_cannot_be_used(text: str | bytes, words: str, written) -> None:
    with pytest.raises(SettingsError) as error:
        read_settings(["--config", written(text)], {})
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("variable", ["RUI_PROT", "RUI_ALLOW_HOST", "RUI_WORKER", "RUI_CONIFG"])
def test_misspelt_variable(variable: str) -> None:
    assert read_settings([], {variable: "1"}) == Settings()
    (warning,) = environment_warnings({variable: "1"})
    assert re.fullmatch(rf"not used: {variable}: there is no such setting; did you mean RUI_\w+\?", warning)


def test_variables_of_others() -> None:
    """They may belong to other programs, so that they only get a warning."""
    assert read_settings([], {"RUI_DEBUG": "1", "RUIN": "1", "RUI_SERVER": "http://a"}) == Settings()
    assert environment_warnings({"RUIN": "1", "RUI_SERVER": "http://a", "RUI_PORT": "1", "RUI_XYZ": ""}) == []
    assert environment_warnings({"RUI_DEBUG": "1"}) == ["not used: RUI_DEBUG: there is no such setting"]


def test_variables_of_kubernetes() -> None:
    """It sets RUI_PORT for a Service named rui, in all containers of its namespace."""
    assert read_settings([], {"RUI_PORT": "tcp://10.0.0.1:80", "RUI_METRICS_PORT": "tcp://10.0.0.2:80"}) == Settings()


@pytest.mark.parametrize(("arguments", "environment", "expected"), [
    (["--store-file", "FILE"], {}, "file"), ([], {"RUI_STORE_FILE": "FILE"}, "file"),
    (["--config", "TOML"], {}, "file"), (["--config", "TOML"], {"RUI_STORE": "postgresql://variable/rui"}, "variable"),
    (["--store", "postgresql://flag/rui"], {"RUI_STORE_FILE": "FILE"}, "flag"),
    (["--store-file", "FILE"], {"RUI_STORE": "postgresql://variable/rui"}, "file"),
])  # fmt: skip
def test_store_in_a_file(arguments, environment, expected: str, written, tmp_path: Path) -> None:
    """It is one setting with `--store`: the first source that has either decides."""
    secret = tmp_path / "store"
    secret.write_text("postgresql://file/rui\n")
    names = {"FILE": str(secret), "TOML": written(f"store-file = '{secret}'")}
    arguments = [names.get(argument, argument) for argument in arguments]
    environment = {name: names.get(value, value) for name, value in environment.items()}
    assert read_settings(arguments, environment).store == f"postgresql://{expected}/rui"


@pytest.mark.parametrize(("content", "words"), [
    (None, "No such file"), ("", "not ''"), ("mysql://rui:hunter2@db/rui", "sqlite:///PATH or postgresql://"),
    (b"\xff\xfe", "not text in UTF-8"), ("postgresql://rui:hunter2@db:99999/rui", "postgresql://rui:***@db:99999/rui"),
])  # fmt: skip
def test_store_files_that_cannot_be_used(content: str | bytes | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / "store"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SettingsError) as error:
        read_settings([], {"RUI_STORE_FILE": str(path)})
    assert str(error.value).startswith(f"RUI_STORE_FILE: {path}: ")
    assert words in str(error.value) and "hunter2" not in str(error.value)


def test_store_and_its_file_at_once(written) -> None:
    for arguments, environment in (
        (["--store", "sqlite:///a", "--store-file", "b"], {}),
        ([], {"RUI_STORE": "sqlite:///a", "RUI_STORE_FILE": "b"}),
        (["--config", written("store = 'sqlite:///a'\nstore-file = 'b'")], {}),
    ):  # fmt: skip
        with pytest.raises(SettingsError, match="only one of them can be given"):
            read_settings(arguments, environment)


def test_variable_that_cannot_be_used() -> None:
    with pytest.raises(SettingsError, match=r"^RUI_PORT: "):
        read_settings([], {"RUI_PORT": "http"})


@pytest.mark.parametrize("url", ["mysql://rui:hunter2@db/rui", "postgresql://rui:hunter2@db:99999/rui"])
def test_printed_settings_contain_no_passwords(url: str, written) -> None:
    for arguments, environment in (
        (["--store", url], {}), ([], {"RUI_STORE": url}), (["--config", written(f"store = '{url}'")], {})
    ):  # fmt: skip
        with pytest.raises(SettingsError) as error:
            read_settings(arguments, environment)
        assert "hunter2" not in str(error.value)


def test_help_names_every_setting(capsys) -> None:
    assert main(["--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for option in OPTIONS:
        assert option.flag in out
        assert f"(default: {option.shown_default}) [{option.variable}]" in out
    assert "./rui.db" in out


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_the_shown_default_parses_to_the_default(option: Option) -> None:
    """Unless it is a sentence."""
    if not option.default_text:
        assert option.parse(option.shown_default) == option.default
    assert option.group in GROUPS


@pytest.mark.parametrize(("arguments", "max_bytes"), [
    ([], 1 << 30), (["--store-max-bytes", "0"], 0), (["--store-max-bytes", "7"], 7),
    (["--store", "postgresql://rui@localhost/rui"], 0),
    (["--store", "postgresql://rui@localhost/rui", "--store-max-bytes", "7"], 7),
])  # fmt: skip
def test_a_sqlite_store_has_a_limit_by_default(arguments: list[str], max_bytes: int) -> None:
    assert read_settings(arguments, {}).max_bytes == max_bytes


def test_the_table_is_that_of_the_declaration() -> None:
    """If they differ, copy the output of `settings_table`."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    tables = re.findall(r"^\| Option \|.*?(?=\n\n)", page, re.MULTILINE | re.DOTALL)
    assert tables == [settings_table()]
