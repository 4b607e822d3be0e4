"""URLs of stores: parameters of clients and hosted databases work, or are refused at start with the reason."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from rui_api.commands.serve import main
from rui_api.commands.store import main as store_main
from rui_api.store.base import StorageUnavailable, Store, StoreRefused
from rui_api.store.factory import prepare_store
from rui_api.store.parameters import is_prepared, settings_in
from rui_api.store.url import check_store, is_read_only, server_urls, sqlite_path
from tests.rui_api.postgres import Postgres, need, postgres_server
from tests.rui_api.store.helpers import spec, with_store

PLACE = "postgresql://rui@127.0.0.1:1/rui"

REFUSED = {
    "channel_binding=required": "channel_binding='required' cannot be used: valid is prefer, disable, require",
    "channel_binding=require&sslmode=disable": "channel_binding=require needs sslmode=require, or sslmode=verify-full",
    "channel_binding=require&sslmode=require&sslrootcert={0}/text": "channel_binding=require needs sslmode=require, or",
    "channel_binding=require&sslcert={0}/text": "channel_binding=require needs sslmode=verify-full, without sslcert",
    "sslmode=no-verify": "sslmode='no-verify' cannot be used: valid is disable, allow, prefer, require",
    "gssencmode=require": "no encryption by GSSAPI",
    "sslmode=verify_full": "valid is disable, allow, prefer, require, verify-ca, verify-full",
    "sslmod=require": "did you mean sslmode?",
    "SSLMODE=require": "did you mean sslmode?",
    "ssl=true": "did you mean sslmode=require?",
    "schema=public": "did you mean search_path?",
    "currentSchema=rui": "did you mean search_path?",
    "prepareThreshold=0": "did you mean prepared=off?",
    "prepared=no": "prepared='no' cannot be used: valid is on, off",
    "pgbouncer=1": "valid is true, false",
    "uselibpqcompat=false": "uselibpqcompat='false' cannot be used: valid is true",
    "pool_max_conns=9": "unknown parameter 'pool_max_conns'; a setting of the server is written as options=-c",
    "synchronous_commit=off": "unknown parameter 'synchronous_commit'",
    "service=other": "service='other': there is no such service in {0}/.pg_service.conf",
    "service=wrong": "service=wrong has an unknown parameter 'hostaddr'",
    "service=wrong-mode": "service=wrong-mode: sslmode='on' cannot be used: valid is disable",
    "service=wrong-root": "root certificate /no/ca.pem: No such file",
    "keepalives_idle=30": "unknown parameter 'keepalives_idle': asyncpg does not have it, as libpq has; leave it out",
    "require_auth=scram-sha-256": "unknown parameter 'require_auth': asyncpg does not have it",
    "hostaddr=127.0.0.1": "did you mean host?",
    "fallback_application_name=rui": "did you mean application_name?",
    "targetServerType=primary": "unknown parameter 'targetServerType'",
    "target_session_attr=primary": "did you mean target_session_attrs?",
    "sslRootCert=/no/ca.pem": "did you mean sslrootcert?",
    "ssl-mode=REQUIRED": "did you mean sslmode?",
    "sslmode=REQUIRE": "sslmode='REQUIRE' cannot be used: valid is disable, allow, prefer, require",
    "connectTimeout=3": "did you mean connect_timeout?", "loginTimeout=3": "did you mean connect_timeout?",
    "default_query_exec_mode=simple_protocol": "did you mean prepared=off?",
    "passwrod=secret": "did you mean password?", "pwd=secret": "did you mean password?",
    "servcie=rui": "did you mean service?", "endpoint=ep-a": "unknown parameter 'endpoint'",
    "sslmode=require&amp;connect_timeout=3": "unknown parameter 'amp;connect_timeout' (did you mean connect_timeout?)",
    "ssl_min_protocol_version=TLSv1.1": "valid is TLSv1.2, TLSv1.3", "client_encoding=LATIN1": "valid is utf8",
    "connect_timeout=soon": "connect_timeout is a number of seconds",
    "connect_timeout=-1": "connect_timeout is a number of seconds",
    "target_session_attrs=primary-only": "valid is any, primary, standby",
    "sslmode=require&sslmode=disable": "the parameter sslmode twice",
    "load_balance_hosts=random": "valid is disable",
    "sslmode": "PostgreSQL is named as", "sslmode=require#x": "PostgreSQL is named as",
    "application_name=a\nb": "PostgreSQL is named as", "sslmode=": "sslmode='' cannot be used: valid is disable, allow",
    "sslmode=verify-full&sslrootcert=/no/ca.pem": "sslmode=verify-full: root certificate /no/ca.pem: No such file",
    "sslmode=require&sslrootcert=/no/ca.pem": "root certificate /no/ca.pem: No such file or directory; sslrootcert=sys",
    "sslmode=verify-ca&sslrootcert=/": "root certificate /: ",
    "sslmode=verify-ca&sslrootcert={0}/text": "root certificate {0}/text: no certificate or crl found",
    "sslmode=verify-full": "root certificate {0}/.postgresql/root.crt: No such file or directory",
    "sslmode=verify-ca": "root certificate {0}/.postgresql/root.crt: No such file or directory",
    "sslmode=require&sslrootcert=system": "sslrootcert=system needs sslmode=verify-full",
    "sslmode=verify-full&sslrootcert=system&sslcert=a": "without sslcert",
    "sslmode=verify-full&sslrootcert=system&sslcrl=a": "without sslcert and sslcrl",
    "sslmode=require&sslcert=/no/cert.pem": "certificate /no/cert.pem: No such file",
    "sslcert={0}/text&sslkey={0}/none": "key {0}/none of the certificate {0}/text: ",
    "sslmode=require&sslcrl=/no/crl.pem": "revocation list /no/crl.pem: No such file",
    "passfile=/no/pgpass": "password file /no/pgpass: No such file",
}  # fmt: skip
WORKING = [
    "sslmode=prefer", "channel_binding=prefer", "channel_binding=disable&sslmode=disable", "gssencmode=disable",
    "pgbouncer=true&connect_timeout=15", "pgbouncer=false", "prepared=off", "prepared=on", "connect_timeout=0",
    "target_session_attrs=read-write", "target_session_attrs=any&application_name=rui%20prod", "client_encoding=UTF8",
    "options=-c%20search_path%3Dpublic", "options=-csearch_path=public&sslsni=1", "statement_timeout=30000",
    "search_path=public&sslcompression=0", "load_balance_hosts=disable", "prepared=off&application_name=rui", "",
    "sslrootcert=/no/file&sslmode=prefer", "user=rui&sslmode=allow", "service=settings&sslmode=prefer",
    "pgbouncer=true&connection_limit=1&pool_timeout=10", "sslmode=prefer&supa=base-pooler.x",
    "uselibpqcompat=true&sslmode=prefer",
]  # fmt: skip
SERVICES = """# services
[wrong]
hostaddr=127.0.0.1
[wrong-mode]
sslmode=on
[wrong-root]
sslmode=verify-full
sslrootcert=/no/ca.pem
[settings]
port=1
sslmode=verify-full
application_name=rui % prod
options=-c search_path=public
"""
HOSTED = [
    "postgresql://rui:pw@ep-a-pooler.eu.aws.neon.tech/rui?sslmode=require&channel_binding=require",
    "postgres://rui:pw@ep-a-pooler.eu.aws.neon.tech/rui?channel_binding=require&sslmode=require&pgbouncer=true",
    "postgres://rui:pw@eu.aws.neon.tech/rui?sslmode=require&options=endpoint%3Dep-a&connect_timeout=15",
    "postgresql://postgres.abc:pw@aws-0-eu.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1",
    "postgres://postgres.abc:pw@aws-0-eu.pooler.supabase.com:6543/postgres?sslmode=require&supa=base-pooler.x",
    "postgres://rui:pw@ec2-1.compute.amazonaws.com:5432/rui",  # Heroku
    "postgresql://rui:pw@rui.abc.eu.rds.amazonaws.com:5432/rui?sslmode=require&uselibpqcompat=true",
    "postgresql://rui@server:pw@server.postgres.database.azure.com:5432/postgres?sslmode=require",
    "postgres://avnadmin:pw@pg-rui.aivencloud.com:12691/defaultdb?sslmode=require",
    "postgres://application:pw@p.abc.db.postgresbridge.com:5432/postgres",  # Crunchy Bridge
    "postgresql://doadmin:pw@db-rui.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require",
    "postgresql://postgres:pw@viaduct.proxy.rlwy.net:7654/railway",
    "postgresql://rui:pw@dpg-abc-a.frankfurt-postgres.render.com/rui",
    "postgres://rui:pw@rui-db.flycast:5432/rui?sslmode=disable",
    "postgresql://rui:pw@rui-1.eu.cockroachlabs.cloud:26257/defaultdb?sslmode=verify-full&sslrootcert=system"
    "&options=--cluster%3Drui-1",
    "postgres://abc:sk_pw@db.prisma.io:5432/?sslmode=require",
    "postgresql://rui:pw@/rui?host=/cloudsql/project:europe-west1:rui",  # Google Cloud SQL
    "postgres://rui:pw@eu.aws.neon.tech/rui?sslmode=require&options=project%3Dep-a",
    "postgres://postgres.abc:pw@aws-0-eu.pooler.supabase.com:6543/postgres?workaround=supabase-pooler.vercel",
    "postgresql://postgres:p%40ss%2Fw%3Ard%23%3F@db.abc.supabase.co:5432/postgres",
    "postgres://avnadmin:pw@pg-rui.aivencloud.com:12691/defaultdb?sslmode=verify-full&sslrootcert=system",
    "postgres://avnadmin:pw@pg-rui.aivencloud.com:12691,replica-pg-rui.aivencloud.com:12691/defaultdb?sslmode=require"
    "&target_session_attrs=primary",
    "postgresql://rui%40server:pw@server.postgres.database.azure.com/postgres?sslmode=require",
    "postgresql://tsdbadmin:pw@abc.def.tsdb.cloud.timescale.com:31234/tsdb?sslmode=require",
    "postgres://koyeb-adm:pw@ep-a.eu-central-1.pg.koyeb.app/koyebdb?sslnegotiation=direct&sslmode=require",
    "postgresql://rui:pw@[2001:db8::1]:5432/rui?sslmode=require",
]
"""URLs as hosted databases give them to their customers."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without certificates."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "text").write_text("no certificate")
    (tmp_path / ".pg_service.conf").write_text(SERVICES)
    return tmp_path


@pytest.mark.parametrize(("parameters", "words"), REFUSED.items())
def test_parameters_that_cannot_be_used(home: Path, capsys, parameters: str, words: str) -> None:
    url = f"{PLACE.replace('rui@', 'rui:secret@')}?{parameters.format(home)}"
    assert main(["--port", "0", "--store", url]) == 2
    assert store_main(["copy", url, "sqlite:///x.db"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 2)
    assert err.startswith("rui serve: --store: ") and err.count(words.format(home)) == 2
    assert "secret" not in err


@pytest.mark.parametrize("parameters", WORKING)
def test_parameters_that_work(postgres: Postgres, parameters: str) -> None:
    url = f"{postgres.new_database()}?{parameters}"
    check_store(url)
    stored = spec()

    async def scenario(store: Store) -> None:
        await store.store(stored)
        assert await store.fetch(stored.spec_id) == stored

    with_store(url, scenario)


@pytest.mark.parametrize("url", HOSTED)
def test_urls_of_hosted_databases(url: str) -> None:
    check_store(url)


def test_a_service(postgres: Postgres, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the URL has is preferred to the service, and both may come from another file."""
    name = postgres.new_database().rpartition("/")[2]
    service_file = home / "services"
    service_file.write_text(f"[here]\nhost=127.0.0.1\nport={postgres.port}\nuser=rui\ndbname={name}\nsslmode=disable\n")
    monkeypatch.setenv("PGSERVICEFILE", str(service_file))
    stored = spec()
    with_store("postgresql:///?service=here&application_name=a", lambda store: store.store(stored))
    with_store(f"postgresql://rui@127.0.0.1:{postgres.port}/{name}", lambda store: store.ready())
    with pytest.raises(StorageUnavailable, match="does not exist"):
        with_store("postgresql:///other?service=here", lambda store: store.ready())
    service_file.write_text("host=a")
    with pytest.raises(ValueError, match=f"service='here': {service_file}: File contains no section headers"):
        check_store("postgresql:///?service=here")


def test_a_password_with_the_sign_that_ends_it(postgres: Postgres) -> None:
    url = postgres.new_database().replace("rui@", "rui:a@b@")
    with_store(url, lambda store: store.ready())


def test_options_reach_the_server(postgres: Postgres) -> None:
    url = postgres.new_database()
    postgres.execute("CREATE SCHEMA other", url=url)
    with_store(f"{url}?options=-c%20search_path%3Dother", lambda store: store.store(spec()))
    assert postgres.execute("SELECT count(*) FROM other.rui_specs", url=url)[0][0] == 1


@pytest.mark.parametrize(("options", "settings"), [
    ("", {}), ("-c a=b", {"a": "b"}), ("-ca=b  -c c-d=e", {"a": "b", "c_d": "e"}),
    (r"-c a=b\ c=\\", {"a": "b c=\\"}),
    ("-c a=", {"a": ""}), ("-c a", None), ("-c", None), ("-c a=b --cluster=c", None), ("endpoint=a", None),
])  # fmt: skip
def test_settings_in_options(options: str, settings: dict[str, str] | None) -> None:
    """What is no setting is sent to the server or pooler, which may need it to find the database."""
    assert settings_in(options) == settings


@pytest.mark.parametrize("url", [
    "postgresql://u:secret@h:0/d", "postgresql://u:secret@h:x/d", "postgresql://u:secret@h\n/d",
    "postgresql://u:12?secret=x@h/d", "postgresql://u:secret@[::1/d",
])  # fmt: skip
def test_places_that_cannot_be_used(url: str) -> None:
    """A password may contain what separates parts of a URL. It is not shown."""
    with pytest.raises(ValueError, match=r"PostgreSQL is named as .*, not 'postgresql://u:\*\*\*@") as caught:
        check_store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("path", ["", "/", ".", ":memory:", "a\0.db"])
def test_a_path_that_names_no_file(path: str) -> None:
    with pytest.raises(ValueError, match="has to name a file"):
        check_store(f"sqlite:///{path}")


def test_postgres_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rui_api.store.url.find_spec", lambda _: None)
    with pytest.raises(ValueError, match="asyncpg is not installed"):
        check_store(PLACE)


@pytest.mark.parametrize(("parameters", "expected"), [
    ({}, True), ({"prepared": "on"}, True), ({"prepared": "off"}, False), ({"pgbouncer": "false"}, True),
    ({"pgbouncer": "true"}, False), ({"pgbouncer": "true", "prepared": "on"}, False),
])  # fmt: skip
def test_statements_that_are_prepared(parameters: dict[str, str], expected: bool) -> None:
    """The parameter of Prisma means the same as that of this program."""
    assert is_prepared(parameters) == expected


@pytest.mark.parametrize(("url", "expected"), [
    ("postgresql://u@h1:1,h2:2/d?prepared=off&sslmode=require&pgbouncer=true",
     ["postgresql://u@h1:1/d?sslmode=require", "postgresql://u@h2:2/d?sslmode=require"]),
    ("postgresql://u@h?connect_timeout=3", ["postgresql://u@h"]), ("postgresql:///d", ["postgresql:///d"]),
    ("postgres://u:p%40ss%2Fw%3Ard%23%3F@h/d", ["postgres://u:p%40ss%2Fw%3Ard%23%3F@h/d"]),
    ("postgres://u:pw@[::1]:5,h/d?target_session_attrs=primary&workaround=x",
     ["postgres://u:pw@[::1]:5/d?target_session_attrs=primary", "postgres://u:pw@h/d?target_session_attrs=primary"]),
    ("postgres://u@v:a@b@h/?sslmode=require", ["postgres://u%40v:a%40b@h?sslmode=require"]),
    ("postgres:///d?service=settings&supa=x", ["postgres:///d?port=1&sslmode=verify-full"]),
    ("postgresql:///d?host=/run&prepared=off", ["postgresql:///d?host=%2Frun"]),
    ("postgresql:///d?ssl%6Dode=require&options=-c%20a%3Db", ["postgresql:///d?sslmode=require"]),
    ("postgresql:///d?options=endpoint%3Da&role=b&search_path=c", ["postgresql:///d?options=endpoint%3Da"]),
])  # fmt: skip
def test_servers_of_a_url(url: str, expected: list[str]) -> None:
    assert server_urls(url) == expected


@pytest.mark.parametrize("place", ["127.0.0.1:1,127.0.0.1:x/d", "127.0.0.1:99999,b/d", "/d?host=a,b&port=1,2,3"])
def test_a_url_that_only_asyncpg_refuses(place: str) -> None:
    """The reason of asyncpg may contain parts of the password."""
    with pytest.raises(StoreRefused, match=r"the URL of the store cannot be used: postgresql://u:\*\*\*@") as caught:
        prepare_store(f"postgresql://u:secret@{place}")
    assert "secret" not in str(caught.value)


def test_connect_timeout_limits_the_time_of_a_command(capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        url = f"postgresql://rui@127.0.0.1:{port}/rui?connect_timeout=1"
        begun = time.monotonic()
        assert store_main(["list", "--store", url]) == 2
        assert time.monotonic() - begun < 20, "the limit of commands without it is longer"
    assert "no connection in time" in capsys.readouterr().err


# SQLite -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [
    "", "mode=rw", "mode=rwc", "mode=memory", "immutable=1", "cache=shared", "mode=ro&cache=shared", "timeout=5", "x",
    "mode=RO", "mode=ro#x", "\x1b[31m",
])  # fmt: skip
def test_parameters_of_sqlite(tmp_path: Path, capsys, parameters: str) -> None:
    assert main(["--port", "0", "--store", f"sqlite:///{tmp_path}/new.db?{parameters}"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "sqlite:///PATH?mode=ro opens a file for reading; there is no other parameter" in err and "\x1b" not in err
    assert not list(tmp_path.glob("new*"))


def test_a_path_of_sqlite() -> None:
    assert (sqlite_path("sqlite:////a/b.db?mode=ro"), is_read_only("sqlite:////a/b.db?mode=ro")) == (
        Path("/a/b.db"),
        True,
    )
    assert (sqlite_path("sqlite:///a%20#b.db"), is_read_only("sqlite:///a%20#b.db")) == (Path("a%20#b.db"), False)


# TLS ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory):
    """A server with TLS and the certificate that signed its own, for localhost."""
    need("openssl", "initdb", "postgres")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    with postgres_server("-c", "fsync=off") as server:
        for name in ("key.pem", "cert.pem"):
            target = server.data / name
            shutil.copy(folder / name, target)
            shutil.chown(target, server.data.stat().st_uid)
            target.chmod(0o600)
        server.stop()
        server.start("-c", "ssl=on", "-c", "ssl_cert_file=cert.pem", "-c", "ssl_key_file=key.pem")
        yield f"postgresql://rui@localhost:{server.port}/postgres", folder / "cert.pem"


# asyncpg leaves the connection of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_verified_server(secure, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a file of the URL, of the environment, of the home, and of the operating system."""
    url, root = secure

    def check(parameters: str) -> None:
        check_store(f"{url}?{parameters}")
        with_store(f"{url}?{parameters}", lambda store: store.ready())

    check(f"sslmode=verify-full&sslrootcert={root}")
    check(f"sslmode=verify-ca&sslrootcert={root}&channel_binding=prefer")
    check("sslmode=require")
    check(f"sslmode=verify-full&sslrootcert={root}&channel_binding=require")
    with monkeypatch.context() as patch:
        patch.setenv("PGSSLROOTCERT", str(root))
        check("sslmode=verify-full")
    with monkeypatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(root))
        check("sslmode=verify-full&sslrootcert=system")
        check("sslmode=require&channel_binding=require")
        check("channel_binding=require")
    for verifying in ("sslmode=verify-full&sslrootcert=system", "sslmode=require&channel_binding=require"):
        with pytest.raises(StorageUnavailable, match=r"(?i)self.signed certificate"):
            check(verifying)
    with monkeypatch.context() as patch, pytest.raises(StorageUnavailable, match=r"(?i)self.signed certificate"):
        patch.setenv("PGCHANNELBINDING", "require")
        check("sslmode=require")
    (home / ".postgresql").mkdir()
    shutil.copy(root, home / ".postgresql" / "root.crt")
    check("sslmode=verify-full")
    with pytest.raises(StorageUnavailable, match=r"(?i)mismatch"):
        check_store(f"{url}?sslmode=verify-full")
        with_store(f"{url.replace('localhost', '127.0.0.1')}?sslmode=verify-full", lambda store: store.ready())


@pytest.mark.parametrize("variables", [
    {"PGSSLMODE": "verify-full"}, {"PGSSLMODE": "require", "PGSSLROOTCERT": "/no/ca"},
    {"PGSSLMODE": "require", "PGSSLCERT": "/no/ca"}, {"PGSSLMODE": "no-verify"},
])  # fmt: skip
def test_variables_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, capsys, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main(["--port", "0", "--store", PLACE]) == 2
    err = capsys.readouterr().err
    assert ": No such file or directory" in err or "PGSSLMODE='no-verify' cannot be used: valid is disable," in err


@pytest.mark.parametrize("mode", ["require", "verify-ca", "verify-full"])
def test_certificates_of_the_home(home: Path, mode: str) -> None:
    """They are used if they are there, and not without verification."""
    (home / ".postgresql").mkdir()
    root = shutil.copy(home / "text", home / ".postgresql" / "root.crt")
    with pytest.raises(ValueError, match=f"sslmode={mode}: root certificate {root}: no certificate or crl found"):
        check_store(f"{PLACE}?sslmode={mode}")
    check_store(f"{PLACE}?sslmode=prefer")
    check_store(f"{PLACE}?sslmode=disable&sslcert={root}")


def test_a_certificate_that_disappears_is_named(secure, tmp_path: Path) -> None:
    url, root = secure
    copy = tmp_path / "root.pem"
    shutil.copy(root, copy)
    parameters = f"sslmode=verify-full&sslrootcert={copy}"
    assert prepare_store(f"{url}?{parameters}").error is None

    async def scenario(store: Store) -> None:
        copy.unlink()
        with pytest.raises(StorageUnavailable, match=f"root certificate {copy}: No such file"):
            await store.ready()
        shutil.copy(root, copy)
        await store.ready()

    with_store(f"{url}?{parameters}", scenario)
