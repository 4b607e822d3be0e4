"""`rui check` with an OpenAPI description: options, `rui.toml`, formats, exit codes and bad files."""

import json
import sys
from pathlib import Path

import pytest

from rui_cli import api_checks
from rui_cli.formats import FORMATS
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from tests.rui_cli.running import FAULTY, rui
from tests.rui_openapi.shop import SHOP, metric, table

WRONG = table("/orders", "itms", "id")
OTHER = SHOP.replace("items: {type: array", "itms: {type: array")
TOML = '[api]\nopenapi = "openapi.yaml"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a description and a document that differs from it."""
    (tmp_path / "openapi.yaml").write_text(SHOP)
    (tmp_path / "a.rui.json").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def codes(*arguments: str) -> list[str]:
    """The codes of a check, each after the file."""
    found = json.loads(rui("check", "--format", "json", *arguments).out)
    return [f"{item['file']} {item['code']}" for item in found]


def test_the_option_names_a_description(folder: Path) -> None:
    assert rui("check") == (0, "no errors; 1 file checked\n", "")
    ran = rui("check", "--openapi", "openapi.yaml")
    assert ran.code == 0
    assert 'warning[UNKNOWN_VALUE_PATH]: The response of GET /orders has no "itms".' in ran.out
    assert 'help: Use names of the response schema, joined by dots. Did you mean "items"?' in ran.out
    assert ran.out.endswith("1 warning in 1 file; 1 file checked\n")
    (folder / "b.rui.json").write_text(metric("/summary", "data"))
    (folder / "c.rui.json").write_text(WRONG.replace('"pages"', "pages").replace('"stack"', '"stak"'))
    found = codes("--openapi", "openapi.yaml")
    assert {"b.rui.json NOT_SCALAR", "c.rui.json UNKNOWN_VALUE_PATH"} <= {*found}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_the_warning(name: str) -> None:
    lax = rui("check", "--openapi", "openapi.yaml", "--format", name)
    strict = rui("check", "--openapi", "openapi.yaml", "--format", name, "--strict-api")
    for ran, code in ((lax, 0), (strict, 1)):
        assert (ran.code, ran.err) == (code, "")
        assert "UNKNOWN_VALUE_PATH" in ran.out
    assert lax.out != strict.out, "the format does not show whether a diagnostic is an error"


def test_the_nearest_rui_toml_is_used(folder: Path) -> None:
    (folder / "apps" / "inner").mkdir(parents=True)
    (folder / "apps" / "b.rui.json").write_text(WRONG)
    (folder / "apps" / "inner" / "c.rui.json").write_text(WRONG)
    (folder / "rui.toml").write_text(TOML)
    every = [f"{name} UNKNOWN_VALUE_PATH" for name in ("a.rui.json", "apps/b.rui.json", "apps/inner/c.rui.json")]
    assert codes() == every
    assert codes("apps/inner") == every[2:]
    ran = rui("check", "--format", "concise", "-", stdin=WRONG)
    assert ran.out.startswith("<stdin>:8:") and "UNKNOWN_VALUE_PATH" in ran.out
    (folder / "apps" / "rui.toml").write_text('[api]\nopenapi = "../other.yaml"\n')
    (folder / "other.yaml").write_text(OTHER)
    assert codes() == every[:1]
    assert codes("--openapi", "openapi.yaml") == every


OVERRIDES = {
    'files = "admin/b.rui.json"\nopenapi = "other.yaml"': ["a.rui.json", "admin/deep/c.rui.json"],
    'files = ["x", "b.rui.json"]\nopenapi = false': ["a.rui.json", "admin/deep/c.rui.json"],
    'files = ["**/c.rui.json"]\nopenapi = false': ["a.rui.json", "admin/b.rui.json"],
    'files = ["**/a.rui.json"]\nopenapi = false': ["admin/b.rui.json", "admin/deep/c.rui.json"],
    'files = "./a.*"\nopenapi = false': ["admin/b.rui.json", "admin/deep/c.rui.json"],
    'files = "*"\nopenapi = false\n[[api.overrides]]\nfiles = "a.*"\nopenapi = "openapi.yaml"': ["a.rui.json"],
}


@pytest.mark.parametrize("override", OVERRIDES)
def test_overrides_by_glob(override: str, folder: Path) -> None:
    (folder / "admin" / "deep").mkdir(parents=True)
    (folder / "admin" / "b.rui.json").write_text(WRONG)
    (folder / "admin" / "deep" / "c.rui.json").write_text(WRONG)
    (folder / "other.yaml").write_text(OTHER)
    (folder / "rui.toml").write_text(f"{TOML}[[api.overrides]]\n{override}\n")
    assert [line.split()[0] for line in codes()] == OVERRIDES[override]


def test_globs_are_relative_to_the_rui_toml(folder: Path) -> None:
    (folder / "apps" / "admin").mkdir(parents=True)
    (folder / "apps" / "b.rui.json").write_text(WRONG)
    (folder / "apps" / "admin" / "c.rui.json").write_text(WRONG)
    override = '[[api.overrides]]\nfiles = "admin/*.rui.json"\nopenapi = false\n'
    (folder / "apps" / "rui.toml").write_text(f'[api]\nopenapi = "../openapi.yaml"\n{override}')
    assert codes() == ["apps/b.rui.json UNKNOWN_VALUE_PATH"]


def test_strict_in_rui_toml(folder: Path) -> None:
    (folder / "rui.toml").write_text(f'{TOML}strict = true\n[[api.overrides]]\nfiles = "b.*"\nstrict = false\n')
    (folder / "b.rui.json").write_text(WRONG)
    lines = rui("check", "--format", "concise").out.splitlines()
    assert ["error[" in line for line in lines] == [True, False]


ENCODED = {
    "a byte-order mark": ("\ufeff" + TOML).encode(),
    "CRLF": TOML.replace("\n", "\r\n").encode(),
    "a byte-order mark and CRLF": ("\ufeff" + TOML.replace("\n", "\r\n")).encode(),
    "other letters": f"# für\n{TOML}".encode(),
}


@pytest.mark.parametrize("data", ENCODED.values(), ids=ENCODED)
def test_a_rui_toml_as_editors_write_it_is_read(data: bytes, folder: Path) -> None:
    (folder / "rui.toml").write_bytes(data)
    assert codes() == ["a.rui.json UNKNOWN_VALUE_PATH"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
@pytest.mark.parametrize("name", ["rui.toml", "openapi.yaml"])
def test_another_encoding_is_named(name: str, encoding: str, folder: Path) -> None:
    (folder / "rui.toml").write_text(TOML)
    text = (folder / name).read_text(encoding="utf-8")
    data = f"# für\n{text}".encode(encoding)
    (folder / name).write_bytes(data)
    ran = rui("check", "--format", "concise")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"rui check: cannot read {name}: it is not UTF-8\n"


BAD_TOML = {
    "[api": "cannot read rui.toml: it is not TOML: ",
    '[api]\nopenapy = "a"': "cannot use rui.toml: `api.openapy` is unknown (did you mean openapi?)\n",
    "[lint]": "cannot use rui.toml: `lint` is unknown; it may have exclude, rules, ",
    "api = 1": "cannot use rui.toml: `api` is no table",
    "[api]\nopenapi = 1": "cannot use rui.toml: `openapi` is no file name; write the path of a file, or false",
    "[api]\nstrict = 1": "cannot use rui.toml: `strict` is neither true nor false",
    "[api]\noverrides = 1": "cannot use rui.toml: `api.overrides` is no array of tables; write [[api.overrides]]",
    "[[api.overrides]]\nfiles = 1": "cannot use rui.toml: an override needs `files`",
    "[[api.overrides]]\nfiles = []": "cannot use rui.toml: an override needs `files`",
    "[api]\noverrides = [1]": "cannot use rui.toml: `api.overrides` is no table",
    '[api]\nopenapi = "none.yaml"': "cannot read none.yaml: no such file or directory",
    '[api]\nopenapi = "bad.yaml"': "cannot use bad.yaml: it is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1\n",
}


@pytest.mark.parametrize("text", BAD_TOML, ids=BAD_TOML.values())
def test_bad_configuration_is_one_line_and_other_checks_go_on(text: str, folder: Path) -> None:
    (folder / "rui.toml").write_text(text)
    (folder / "bad.yaml").write_text("swagger: '2.0'")
    (folder / "b.rui.json").write_text(FAULTY)
    ran = rui("check", "--format", "concise")
    assert ran.code == 2
    assert ran.err.startswith(f"rui check: {BAD_TOML[text]}") and ran.err.count("\n") == 1
    assert [line.split()[0] for line in ran.out.splitlines()] == ["b.rui.json:6:28:", "b.rui.json:6:36:"]


def test_references_without_a_value_are_notes(folder: Path) -> None:
    reference = "https://example.com/page.json"
    (folder / "openapi.yaml").write_text(SHOP.replace("#/components/schemas/OrderPage", reference))
    ran = rui("check", "--openapi", "openapi.yaml")
    assert ran.code == 0
    assert ran.err == (
        f"rui check: note: openapi.yaml: the reference '{reference}' leads out of the folder of the "
        "description, and is not read\n"
    )


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("rui_openapi.", "rui_cli.api_checks", "yaml"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "yaml", None)
    ran = rui("check", "--openapi", "openapi.yaml")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith('rui check: cannot read openapi.yaml: yaml is not installed: pip install ".[openapi]" in')


def test_an_internal_error_of_the_comparison_loses_only_its_warnings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "b.rui.json").write_text(FAULTY)
    compare = api_checks.api_diagnostics

    def fail(analysis: Analysis, *arguments: object, **options: object) -> list[Diagnostic]:
        if "titel" in analysis.document.text:
            raise IndexError("no such name")
        return compare(analysis, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(api_checks, "api_diagnostics", fail)
    expected = ["a.rui.json UNKNOWN_VALUE_PATH", "b.rui.json MISSING_REQUIRED_PROP", "b.rui.json UNKNOWN_PROP"]
    assert codes("--openapi", "openapi.yaml") == expected
    ran = rui("check", "--openapi", "openapi.yaml")
    [line] = ran.err.splitlines()
    assert (ran.code, "1 problem" in ran.out) == (2, True)
    assert line.startswith("rui check: b.rui.json is not compared with the API: internal error: IndexError(")
    with pytest.raises(IndexError):
        rui("check", "--openapi", "openapi.yaml", environment={"RUI_DEBUG": "1"})
