"""deploy/kubernetes: each file is valid, and fits the others, the image and the settings."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes_validate import validate

from rui_api.commands.serve import STOP_SECONDS
from rui_api.config.loading import read_settings
from rui_api.routes.request_checks import PROBES
from rui_common.http_contract.endpoints import ENDPOINTS
from rui_common.version import TOOL_VERSION
from tests.rui_api import image
from tests.rui_api.test_api_operations import DEPLOY, PAGE

BASE = DEPLOY / "kubernetes"
VERSIONS = ("1.29", "1.31", "1.33")
KUSTOMIZATION = yaml.safe_load((BASE / "kustomization.yaml").read_text())
FILES = sorted(path.name for path in BASE.glob("*.yaml") if path.name != "kustomization.yaml")

Object = dict[str, Any]


def read(name: str) -> Object:
    (value,) = yaml.safe_load_all((BASE / f"{name}.yaml").read_text())
    return value


def pod() -> Object:
    return read("deployment")["spec"]["template"]["spec"]


def container() -> Object:
    (only,) = pod()["containers"]
    return only


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", FILES)
def test_each_file_is_valid(name: str, version: str) -> None:
    validate(read(name.removesuffix(".yaml")), version, strict=True)


def test_a_wrong_file_is_found() -> None:
    wrong = read("deployment")
    wrong["spec"]["template"]["spec"]["terminationGracePeriod"] = 1
    with pytest.raises(Exception, match="terminationGracePeriod"):
        validate(wrong, VERSIONS[0], strict=True)


def test_the_kustomization_lists_all() -> None:
    assert KUSTOMIZATION["resources"] == FILES
    assert {path.name for path in BASE.iterdir()} == {"kustomization.yaml", *FILES, *generated()}
    (named,) = KUSTOMIZATION["images"]
    assert named == {"name": container()["image"], "newTag": TOOL_VERSION}


def generated() -> list[str]:
    """Return the files of the generated ConfigMap."""
    (generator,) = KUSTOMIZATION["configMapGenerator"]
    assert generator["name"] == volumes()["config"]["configMap"]["name"]
    return generator["files"]


def volumes() -> Mapping[str, Object]:
    return {volume["name"]: volume for volume in pod()["volumes"]}


def mounts() -> Mapping[str, Object]:
    return {mount["name"]: mount for mount in container()["volumeMounts"]}


def test_the_objects_fit_together() -> None:
    deployment = read("deployment")
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert read("service")["spec"]["selector"] == labels
    assert read("poddisruptionbudget")["spec"]["selector"]["matchLabels"] == labels
    (spread,) = pod()["topologySpreadConstraints"]
    assert spread["labelSelector"]["matchLabels"] == labels
    assert pod()["serviceAccountName"] == read("serviceaccount")["metadata"]["name"]
    ports = {port["name"] for port in container()["ports"]}
    assert {port["targetPort"] for port in read("service")["spec"]["ports"]} == ports
    assert volumes().keys() == mounts().keys()
    assert deployment["spec"]["replicas"] > read("poddisruptionbudget")["spec"]["maxUnavailable"]
    for name in FILES:
        assert read(name.removesuffix(".yaml"))["metadata"]["labels"] == labels


def settings(tmp_path: Path) -> Any:
    """Return the settings of a container: the variables of the image, the mounted file and the mounted secret."""
    secret = tmp_path / "url"
    secret.write_text("postgresql://rui:secret@db/rui?sslmode=verify-full")
    text = (BASE / "rui.toml").read_text()
    mounted = f"{mounts()['store']['mountPath']}/url"
    assert f'store-file = "{mounted}"' in text
    config = tmp_path / "rui.toml"
    config.write_text(text.replace(mounted, str(secret)))
    arguments = container()["args"]
    assert arguments == ["serve", "--config", f"{mounts()['config']['mountPath']}/rui.toml"]
    return read_settings(["--config", str(config)], image.environment())


def test_the_settings(tmp_path: Path) -> None:
    found = settings(tmp_path)
    assert found.store == "postgresql://rui:secret@db/rui?sslmode=verify-full"
    ports = {port["name"]: port["containerPort"] for port in container()["ports"]}
    assert ports == {"http": found.port, "metrics": found.metrics_port}
    assert found.host == "0.0.0.0"
    pause = int(re.findall(r"sleep\((\d+)\)", container()["lifecycle"]["preStop"]["exec"]["command"][-1])[0])
    assert pod()["terminationGracePeriodSeconds"] > pause + STOP_SECONDS + 5
    readiness = container()["readinessProbe"]
    assert pause > readiness["periodSeconds"] * readiness["failureThreshold"]
    assert found.base_url and found.cache_max_age
    assert found.base_url.endswith(found.allowed_hosts[0])


def test_the_probes() -> None:
    """They are admitted for any host. Liveness must not depend on the store: a restart would not repair it."""
    probes = {name: container()[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {name: probe["path"] for name, probe in probes.items()} == {
        "startupProbe": "/api/health", "livenessProbe": "/api/health", "readinessProbe": "/api/ready/validation",
    }  # fmt: skip
    assert {probe["port"] for probe in probes.values()} == {"http"}
    assert {probe["path"] for probe in probes.values()} < {*PROBES} < {endpoint.path for endpoint in ENDPOINTS}


def test_the_pod_is_hardened() -> None:
    security = container()["securityContext"]
    assert security == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip
    (user,) = re.findall(r"--uid (\d+)", " ".join(image.words_of("RUN")))
    context = pod()["securityContext"]
    assert {context[name] for name in ("runAsUser", "runAsGroup", "fsGroup")} == {int(user)}
    assert context["runAsNonRoot"] is True
    assert pod()["automountServiceAccountToken"] is False
    assert pod()["enableServiceLinks"] is False
    assert container()["resources"]["requests"].keys() >= {"cpu", "memory"}
    assert "memory" in container()["resources"]["limits"]
    writable = [name for name, mount in mounts().items() if not mount.get("readOnly")]
    assert writable == ["tmp"]
    assert "emptyDir" in volumes()["tmp"]
    assert volumes()["store"]["secret"]["defaultMode"] == 0o440
    assert not any("env" in key for key in container()), "secrets are in files"


def test_the_overlay() -> None:
    overlay = yaml.safe_load((DEPLOY / "overlay" / "kustomization.yaml").read_text())
    assert overlay["resources"] == ["../kubernetes"]
    assert (DEPLOY / "overlay" / "rui.toml").read_text() == (BASE / "rui.toml").read_text()
    assert overlay["replicas"][0]["name"] == read("deployment")["metadata"]["name"]
    assert overlay["images"][0]["name"] == container()["image"]
    assert overlay["configMapGenerator"] == [{**KUSTOMIZATION["configMapGenerator"][0], "behavior": "replace"}]
    assert volumes()["store"]["secret"]["secretName"] in PAGE.read_text()
