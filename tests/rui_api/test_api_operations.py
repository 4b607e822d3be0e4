"""docs/operations.md and deploy/: the commands run, and every name in them exists."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

from rui_api.commands.server import STOP_SECONDS
from rui_api.commands.store import main as store_command
from rui_api.config.loading import read_settings
from rui_api.config.options import OPTIONS
from tests.rui_api.live import DEPLOY, ROOT
from tests.rui_api.metrics import measured, numbers
from tests.rui_api.postgres import Postgres, need
from tests.support.ports import free_port
from tests.support.tour import matches, run_in_one_shell

PAGE = ROOT / "docs" / "operations.md"
VARIABLES = {option.variable for option in OPTIONS}
TOOLS = ("bash", "curl", "jq", "createdb", "pg_dump", "pg_restore")


def test_the_commands_of_the_page(tmp_path: Path, postgres: Postgres) -> None:
    need(*TOOLS)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    port, metrics_port = free_port(), free_port()
    environment = {
        **os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
        "RUI_PORT": str(port),
    }  # fmt: skip
    postgres.execute("CREATE DATABASE rui")
    names = {
        "127.0.0.1:8000": f"127.0.0.1:{port}", "127.0.0.1:5432": f"127.0.0.1:{postgres.port}",
        "--metrics-port 9464": f"--metrics-port {metrics_port}", "127.0.0.1:9464": f"127.0.0.1:{metrics_port}",
    }  # fmt: skip
    ran = run_in_one_shell(PAGE, tmp_path, environment, names)
    for command, output, expected in ran:
        assert matches(output, expected), f"$ {command}\n{output}"
    assert len(ran) >= 15, f"docs/operations.md has only {len(ran)} commands after $"


def help_of(capsys, *command: str) -> str:
    assert store_command([*command, "--help"]) == 0
    return capsys.readouterr().out


def test_the_page_names_every_option_of_the_store_commands(capsys) -> None:
    """A paragraph or code block names the option together with its command."""
    commands = re.findall(r"^    (\w+) ", help_of(capsys), re.MULTILINE)
    paragraphs = PAGE.read_text().split("\n\n")
    used = {(command, option) for command in commands for option in re.findall(r"--[a-z-]+", help_of(capsys, command))}
    missing = [
        f"rui store {command} … {option}"
        for command, option in sorted(used - {(command, "--help") for command in commands})
        if not any(f"rui store {command}" in text and option in re.findall(r"--[a-z-]+", text) for text in paragraphs)
    ]
    assert {"copy", "list", "delete", "prune"} <= {*commands}
    assert missing == [], "docs/operations.md names no such command with this option in one paragraph"


def test_what_is_not_run_names_files_that_exist() -> None:
    """Tests have no Docker and no systemd, so this test only reads their commands."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    named = {word for block in blocks for word in re.findall(r"deploy/[\w.]+", block)}
    assert named and all((ROOT / name).exists() for name in named)
    assert {path.name for path in DEPLOY.iterdir() if path.is_file() and path.suffix != ".py"} == {
        name.removeprefix("deploy/") for name in re.findall(r"deploy/\w[\w.]*", PAGE.read_text())
    }


OF_OTHERS = {
    "attempt to write a readonly database", "file is not a database", "database disk image is malformed",
    "No such file", "Too many open files",
    "ended with SIGKILL (-9) and is replaced",
}  # fmt: skip
"""What SQLite and the operating system say, and the name of a signal in a message."""


def test_the_messages_among_the_failures_are_those_of_the_service() -> None:
    """Operators search the page for what they read in the log. `…` and `: ` separate the parts of a message."""
    section = PAGE.read_text().split("## Failures\n")[1].split("\n## ")[0]
    quoted = [text for text in re.findall(r"`([^`]+)`", section) if re.match(r"[A-Za-z]+:? [a-z…]", text)]
    parts = {part.strip() for text in quoted for part in re.split(r"…|: ", text)} - {""} - OF_OTHERS
    sources = "\n".join(
        path.read_text() for folder in ("rui_api", "rui_common") for path in (ROOT / folder).rglob("*.py")
    )
    assert {"the store is full", "store answers again", "the process cannot be started"} <= parts
    assert [part for part in sorted(parts) if part not in sources] == []


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
    settings = read_settings(["--config", str(DEPLOY / "service.toml")], {})
    assert settings.store == f"sqlite:///{unit()['WorkingDirectory']}/rui.db"
    commented = re.findall(r"^# (.* = .*)$", (DEPLOY / "service.toml").read_text(), re.MULTILINE)
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


def expressions(dashboard: dict[str, Any]) -> list[str]:
    """Return the queries of a dashboard, with a time in place of Grafana's variables."""
    targets = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return [re.sub(r"\$__(rate_interval|range)\b", "5m", expression) for expression in targets]


SELECTOR = re.compile(r"\b(rui_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')


def test_alerts_dashboard_and_page_name_metrics_that_exist(tmp_path: Path) -> None:
    """Each selector matches a series of the service, and labels in `by` and legends exist."""
    with measured("--store", f"sqlite:///{tmp_path}/rui.db") as (service, port):
        service.post("/api/validate", b"")
        service.store()
        found = numbers(port)
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    rules_ = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    series = [sample for family in found.families for sample in family.samples]
    for expression in (*expressions(dashboard), *(rule["expr"] for rule in rules_ if rule["alert"] != "RuiDown")):
        selectors = SELECTOR.findall(expression)
        assert selectors, expression
        for name, matchers in selectors:
            labels = MATCHER.findall(matchers)
            assert len(labels) == matchers.count('"') / 2
            is_wanted = {
                label: (
                    lambda value, operator=operator, text=text: bool(re.fullmatch(text, value)) != ("!" in operator)
                )
                for label, operator, text in labels
            }
            fitting = [sample for sample in series if sample.name == name
                       and all(test(sample.labels.get(label, "")) for label, test in is_wanted.items())]  # fmt: skip
            assert fitting, f"{name} {matchers}"
            for group in re.findall(r"by \(([^)]*)\)", expression):
                assert {label.strip() for label in group.split(",")} <= {*fitting[0].labels}, expression
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            assert {*re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])} <= {*re.findall(r"\w+", target["expr"])}
    families = {family.name for family in found.families if family.name.startswith("rui_")}
    samples = {sample.name for family in found.families for sample in family.samples} | families
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    used = {name for rule in rules for name in re.findall(r"\brui_\w+", rule["expr"])}
    assert used and used <= samples
    named = {*re.findall(r"`(rui_\w+)`", PAGE.read_text())} - {"rui_specs"}
    assert {name.removesuffix("_total") for name in named} == families
    assert {rule["alert"] for rule in rules} >= {*re.findall(r"\bRui[A-Z]\w+", PAGE.read_text())}


def test_alerts_fire_when_they_should(tmp_path: Path) -> None:
    """No alert fires in the healthy state. The queries of the dashboard are valid, too."""
    need("promtool")
    for name in ("alerts.yaml", "alerts_test.yaml"):
        shutil.copy((DEPLOY if name == "alerts.yaml" else Path(__file__).parent) / name, tmp_path)
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    recorded = [
        {"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(expressions(dashboard))
    ]
    (tmp_path / "dashboard.yaml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}))
    for arguments in (("check", "rules", "alerts.yaml", "dashboard.yaml"), ("test", "rules", "alerts_test.yaml")):
        done = subprocess.run(["promtool", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    tests = yaml.safe_load((tmp_path / "alerts_test.yaml").read_text())["tests"]
    fired = {case["alertname"] for test in tests for case in test["alert_rule_test"] if case["exp_alerts"]}
    assert fired == {rule["alert"] for rule in rules}
