"""JUnit reports, as build servers read them."""

import html
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from rui_common.problems.document import DUPLICATE_KEY
from tests.rui_cli.running import VALID, rui
from tests.support.corpus import read_cases

FAULTY = VALID.replace('"note"', '"home"').replace('"x"}', '"x", "a,b:c%d\\ne\\u0007<&>\\"é🎉": 1, "type": "Text"}')
"""Three diagnostics: a duplicate id, an unknown property with an awkward name, a duplicate key."""

WORKSPACE = {f"{number}.rui.json": case.source for number, case in enumerate(read_cases())}
"""Files with every diagnostic that there is."""


class Declared(NamedTuple):
    """What an element of a report may have."""

    required: set[str]
    optional: set[str]
    children: set[str]


# Attributes and elements that the schema for JUnit of Jenkins' xUnit plugin (junit-10.xsd) allows. The plugin rejects a
# report with any other. What no report of ours has is left out.
XUNIT = {
    "testsuites": Declared(set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": Declared(
        {"name", "tests", "failures", "errors"}, {"time", "skipped", "file"}, {"testcase", "system-out"}
    ),
    "testcase": Declared({"name"}, {"time", "classname"}, {"error", "failure", "system-out"}),
    "failure": Declared(set(), {"type", "message"}, set()),
    "error": Declared(set(), {"type", "message"}, set()),
    "system-out": Declared(set(), set(), set()),
}
XUNIT_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")  # of suites


def report(*arguments: str | Path, stdin: str | bytes = b"") -> Element:
    return ElementTree.fromstring(rui("check", "--format", "junit", *arguments, stdin=stdin).out.encode())


def faults_for_xunit(element: Element) -> list[str]:
    """Return what the schema of the xUnit plugin does not allow in an element."""
    declared = XUNIT[element.tag]
    names = element.attrib.keys()
    faults = [f"<{element.tag}> lacks {name}" for name in declared.required - names]
    faults += [f"<{element.tag} {name}>" for name in names - declared.required - declared.optional]
    if element.tag != "testcase" and not XUNIT_TIME.fullmatch(element.get("time", "")):
        faults.append(f"time {element.get('time')}")
    for child in element:
        if child.tag in declared.children:
            faults += faults_for_xunit(child)
        else:
            faults.append(f"<{element.tag}><{child.tag}>")
    return faults


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Element]:
    """Reports with all that a report can contain."""
    folder = tmp_path_factory.mktemp("workspace")
    for name, source in WORKSPACE.items():
        (folder / name).write_bytes(source)
    return {
        "all": report(folder), "valid": report("-", stdin=VALID), "faulty": report("-", stdin=FAULTY),
        "unreadable": report(folder / "missing.rui.json"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["all", "valid", "faulty", "unreadable"])
def test_reports_fit_the_schema_of_the_xunit_plugin(name: str, reports: dict[str, Element]) -> None:
    assert faults_for_xunit(reports[name]) == []


def test_no_two_cases_share_a_name(reports: dict[str, Element]) -> None:
    """GitLab shows one of those that do."""
    names = Counter(case.get("name") for case in reports["all"].iter("testcase"))
    assert len(names) > len(WORKSPACE)
    assert [name for name, count in names.items() if count > 1] == []


def test_edits_elsewhere_keep_the_names_of_cases() -> None:
    """A test that fails under a new name is a new failure."""
    names = [[case.get("name") for case in report("-", stdin=text).iter("testcase")] for text in (
        FAULTY, FAULTY.replace("{", "\n\n  {", 1).replace('"Home"', '"Start"')
    )]  # fmt: skip
    assert names[0] == names[1]
    assert names[0][0] == "<stdin>: R3 DUPLICATE_ID at pages[0].children[0].children[0].id"


def test_cases_name_file_and_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GitLab shows name, class name and text of a case."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.rui.json").write_text(FAULTY)
    monkeypatch.chdir(tmp_path / "apps")
    [suite] = report("a.rui.json")
    assert (suite.get("name"), suite.get("file")) == ("apps/a.rui.json", "apps/a.rui.json")
    for case in suite:
        assert str(case.get("name")).startswith("apps/a.rui.json: ")
        assert case.get("classname") == "apps/a.rui.json"
        assert re.search(r"^ *apps/a.rui.json:8:\d+$", "".join(case.itertext()), re.MULTILINE)


def test_codecov_reads_reports(reports: dict[str, Element]) -> None:
    parser = pytest.importorskip("test_results_parser", reason="it is built for Linux and macOS")
    for root in reports.values():
        runs = parser.parse_junit_xml(ElementTree.tostring(root)).testruns
        cases = [(suite, case) for suite in root for case in suite]
        assert len(runs) == len(cases)
        for run, (suite, case) in zip(runs, cases, strict=True):
            outcome = "pass"
            for found, tag in (("failure", "failure"), ("error", "error")):
                outcome = found if case.find(tag) is not None else outcome
            suite_name = html.unescape(run.testsuite)  # It shows references as they are written.
            assert (suite_name, str(run.outcome), run.duration) == (suite.get("name"), outcome, 0.0)


def test_junit_is_xml_for_any_text() -> None:
    (suite,) = root = report("-", stdin=FAULTY)
    assert root.attrib == {"name": "rui check", "tests": "3", "failures": "2", "errors": "0", "time": "0"}
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("<stdin>", "3", "2")
    _, second, third = suite
    failure = second.find("failure")
    assert failure is not None
    assert failure.get("type") == "UNKNOWN_PROP"
    assert failure.get("message") == 'Unknown property "a,b:c%d\ne\\u0007<&>"é🎉".'
    assert third.find("failure") is None
    assert DUPLICATE_KEY.code in str(third.findtext("system-out"))
    root = report("-", stdin=VALID)
    assert [list(case) for case in root.iter("testcase")] == [[]]


@pytest.mark.parametrize(("names", "cases"), [
    (["none"], 1), (["a.rui.json", "none"], 2), (["none", "a.rui.json", "no?.rui.json"], 2), ([".", "loop"], 2),
])  # fmt: skip
def test_junit_has_files_that_cannot_be_read(
    names: list[str], cases: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that reads the report alone would take them for checked."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.rui.json").write_text(VALID)
    (tmp_path / "loop").symlink_to("loop")
    ran = rui("check", "--format", "junit", *names)
    root = ElementTree.fromstring(ran.out)
    assert (ran.code, root.get("tests"), root.get("failures"), root.get("errors")) == (2, str(cases), "0", "1")
    [error] = root.iter("error")
    assert f"{len(names) - cases + 1} problem" in str(error.get("message"))
