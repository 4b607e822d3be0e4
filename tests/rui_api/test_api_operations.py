"""docs/operations.md and deploy/: the commands run, and every name in them exists."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from rui_api.commands.serve import STOP_SECONDS
from rui_api.config.loading import read_settings
from rui_api.config.options import OPTIONS
from tests.rui_api.observability.test_logs_and_metrics import measured, numbers
from tests.rui_api.postgres import Postgres, need
from tests.tour import matches, run_in_one_shell

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
PAGE = ROOT / "docs" / "operations.md"
VARIABLES = {option.variable for option in OPTIONS}
TOOLS = ("bash", "curl", "createdb", "pg_dump", "pg_restore")


def test_the_commands_of_the_page(tmp_path: Path, postgres: Postgres) -> None:
    need(*TOOLS)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    with socket.create_server(("127.0.0.1", 0)) as probe, socket.create_server(("127.0.0.1", 0)) as other_probe:
        port = probe.getsockname()[1]
        metrics_port = other_probe.getsockname()[1]
    environment = {
        **os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
        "RUI_PORT": str(port),
    }  # fmt: skip
    postgres.execute("CREATE DATABASE rui")
    names = {
        "127.0.0.1:8000": f"127.0.0.1:{port}", "127.0.0.1:5432": f"127.0.0.1:{postgres.port}",
        "--metrics-port 9100": f"--metrics-port {metrics_port}", "127.0.0.1:9100": f"127.0.0.1:{metrics_port}",
    }  # fmt: skip
    ran = run_in_one_shell(PAGE, tmp_path, environment, names)
    for command, output, expected in ran:
        assert matches(output, expected), f"$ {command}\n{output}"
    assert len(ran) >= 15


def test_what_is_not_run_names_files_that_exist() -> None:
    """Tests have no Docker and no systemd, so this test only reads their commands."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    named = {word for block in blocks for word in re.findall(r"deploy/[\w.]+", block)}
    assert named and all((ROOT / name).exists() for name in named)
    assert {path.name for path in DEPLOY.iterdir() if path.suffix != ".py"} == {
        name.removeprefix("deploy/") for name in re.findall(r"deploy/\w[\w.]*", PAGE.read_text())
    }


def test_compose() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    rui, postgres = services["rui"], services["postgres"]
    environment = {name: re.sub(r"\$\{\w+(:-|:\?)?([^}]*)\}", r"\2", value)
                   for name, value in rui["environment"].items()}  # fmt: skip
    assert {name for name in environment if name.startswith("RUI_")} <= VARIABLES
    settings = read_settings([], environment)
    user, database = (postgres["environment"][name] for name in ("POSTGRES_USER", "POSTGRES_DB"))
    assert settings.store == f"postgresql://{user}@postgres/{database}"
    assert settings.workers > 1
    assert (DEPLOY / rui["build"]["context"] / rui["build"]["dockerfile"]).is_file()
    assert rui["depends_on"]["postgres"]["condition"] == "service_healthy" and postgres["healthcheck"]["test"]
    assert {port.rpartition(":")[2] for port in rui["ports"]} == {"8000", str(settings.metrics_port)}
    assert re.fullmatch(r"postgres:\d+-\w+@sha256:[0-9a-f]{64}", postgres["image"])


def unit() -> dict[str, str]:
    lines = (DEPLOY / "rui.service").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_the_unit_starts_with_its_settings() -> None:
    assert unit()["ExecStart"].split()[1:3] == ["serve", "--config"]
    settings = read_settings(["--config", str(DEPLOY / "rui.toml")], {})
    assert settings.store == f"sqlite:///{unit()['WorkingDirectory']}/rui.db"
    commented = re.findall(r"^# (.* = .*)$", (DEPLOY / "rui.toml").read_text(), re.MULTILINE)
    assert {*tomllib.loads("\n".join(commented))} <= {option.key for option in OPTIONS}
    assert int(unit()["TimeoutStopSec"]) > STOP_SECONDS


def test_the_unit_is_valid_and_hardened(tmp_path: Path) -> None:
    need("systemd-analyze")
    text = (DEPLOY / "rui.service").read_text().replace("/opt/rui/bin/rui", sys.executable)
    path = tmp_path / "rui.service"
    path.write_text(text)
    for arguments in (["verify", path], ["security", "--offline=true", "--threshold=20", path]):
        done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "Unknown" not in done.stderr


def test_alerts_and_page_name_metrics_that_exist(tmp_path: Path) -> None:
    with measured("--store", f"sqlite:///{tmp_path}/rui.db") as (service, port):
        service.post("/api/validate", b"")
        found = numbers(port)
    families = {family.name for family in found.families if family.name.startswith("rui_")}
    samples = {sample.name for family in found.families for sample in family.samples} | families
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    used = {name for rule in rules for name in re.findall(r"\brui_\w+", rule["expr"])}
    assert used and used <= samples
    named = {*re.findall(r"`(rui_\w+)`", PAGE.read_text())} - {"rui_specs"}
    assert {name.removesuffix("_total") for name in named} == families
    assert {rule["alert"] for rule in rules} >= {*re.findall(r"\bRui[A-Z]\w+", PAGE.read_text())}


def test_alerts_fire_when_they_should(tmp_path: Path) -> None:
    """No alert fires in the healthy state."""
    need("promtool")
    for name in ("alerts.yaml", "alerts_test.yaml"):
        shutil.copy((DEPLOY if name == "alerts.yaml" else Path(__file__).parent) / name, tmp_path)
    for arguments in (("check", "rules", "alerts.yaml"), ("test", "rules", "alerts_test.yaml")):
        done = subprocess.run(["promtool", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    tests = yaml.safe_load((tmp_path / "alerts_test.yaml").read_text())["tests"]
    fired = {case["alertname"] for test in tests for case in test["alert_rule_test"] if case["exp_alerts"]}
    assert fired == {rule["alert"] for rule in rules}
