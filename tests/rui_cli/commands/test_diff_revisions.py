"""`rui diff REV [REV] [FILE…]`: all documents that differ between revisions of git."""

import json
from pathlib import Path

import pytest

from tests.rui_cli.repository import ADDED, BASE, LABEL, NAME, Repository
from tests.support.small import DOCUMENT

SUB = "sub/other.rui.json"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with two commits: the second one changes two documents, and a file that is none."""
    made = Repository(tmp_path / "my repository", tmp_path / "home")
    (made.root / "sub").mkdir()
    for name in (SUB, "notes.txt"):
        (made.root / name).write_text(BASE)
    made.commit(BASE, "one")
    for name in (SUB, "notes.txt"):
        (made.root / name).write_text(ADDED)
    made.commit(LABEL, "two")
    return made


def compared(output: str) -> set[str]:
    """Return the names of the documents in an output."""
    return {name for name in (NAME, SUB) if any(line.endswith(name) for line in output.splitlines())}


# Arguments, the folder, and the documents that are compared.
RANGES = {
    "two revisions": (["main~1", "main"], ".", {NAME, SUB}), "a range": (["main~1..main"], ".", {NAME, SUB}),
    "from a folder": (["main~1", "main"], "sub", {NAME, SUB}), "a file": (["main~1", "main", "--", NAME], ".", {NAME}),
    "a file that is not ambiguous": (["main~1", SUB], ".", {SUB}),
    "a folder": (["main~1", "main", "--", "sub"], ".", {SUB}),
    "a file of this folder": (["main~1", "main", "other.rui.json"], "sub", {SUB}),
    "the work tree": (["main~1"], ".", {NAME, SUB}), "nothing differs": (["main"], ".", set()),
    "a range with a merge base": (["main~1...main"], ".", {NAME, SUB}),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "folder", "names"), RANGES.values(), ids=RANGES)
def test_what_is_compared(repository: Repository, arguments: list[str], folder: str, names: set[str]) -> None:
    repository.root /= folder
    output = repository.rui("diff", *arguments, code=int(bool(names)))
    assert compared(output) == names
    lines = repository.rui("diff", "--format", "json", *arguments, code=int(bool(names))).splitlines()
    assert {json.loads(line)["after"]["file"] for line in lines} == names


def test_the_sentences_are_those_of_two_files(repository: Repository, tmp_path: Path) -> None:
    old, new = tmp_path / "old.rui.json", tmp_path / "new.rui.json"
    old.write_text(BASE)
    new.write_text(LABEL)
    sentences = repository.rui("diff", str(old), str(new), code=1).splitlines()[1:]
    assert repository.rui("diff", "main~1", "main", "--", NAME, code=1).splitlines()[1:] == sentences


def test_documents_that_are_renamed_new_gone_or_broken(repository: Repository) -> None:
    repository.git("mv", NAME, "renamed.rui.json")
    repository.git("rm", "--quiet", SUB)
    (repository.root / "new.rui.json").write_text("{}")
    repository.git("add", "--all")
    output = repository.rui("diff", "main", code=1)
    assert f"renamed.rui.json has the content of {NAME}." in output
    assert "The document is new." in output and "The document is removed." in output
    (repository.root / "new.rui.json").write_text("{")
    repository.git("add", "--all")
    output = repository.rui("diff", "main", code=2)
    assert "new.rui.json" in output and "The document is removed." in output


PATHS = '"binding": {"type": "read", "method": "GET", "path": "/api/NAME"}, "type": "Table", "title": "NAME"'


def app_with(*names: str) -> str:
    """Return an app with a table for each name."""
    tables = [f'{{"id": "t{number}", {PATHS.replace("NAME", name)}, "columns": [{{"key": "a", "label": "A"}}]}}'
              for number, name in enumerate(names)]  # fmt: skip
    return DOCUMENT.replace("BLOCK", ",".join(tables))


@pytest.mark.parametrize("style", ["text", "markdown", "json"])
def test_one_pattern_in_several_documents_is_one_sentence(repository: Repository, style: str) -> None:
    files = {f"{name}.rui.json": app_with(name, f"{name}-list") for name in ("bills", "staff", "beds")}
    for number, version in enumerate(("/api/", "/v2/")):
        for name, text in files.items():
            text = text.replace("/api/", version).replace('"A"', f'"A{number}"' if name == "beds.rui.json" else '"A"')
            (repository.root / name).write_text(text)
        repository.commit(LABEL, version)
    output = repository.rui("diff", "--format", style, "main~1", "main", code=1)
    if style == "json":
        assert [len(json.loads(line)["summary"]) for line in output.splitlines()] == [3, 2, 2]
        return
    paths = "6 blocks in 3 documents read `/v2/…` instead of `/api/…`."
    assert output.startswith("In several documents\n" + paths.replace("`", "") if style == "text" else
                           f"### In several documents\n\n- {paths}\n")  # fmt: skip
    assert output.count("/v2/…") == 1
    assert output.count("A1") >= 2 and output.count("/v2/bills") == 2  # the details list the places


def test_errors_that_the_change_adds_are_in_the_json(repository: Repository) -> None:
    repository.commit(LABEL.replace('"Text"', '"Txt"', 1), "three")
    added, repaired = (
        json.loads(repository.rui("diff", "--format", "json", *revisions, code=1))
        for revisions in (("main~1", "main"), ("main", "main~1"))
    )
    assert added["addedErrors"] == repaired["repairedErrors"]
    assert len(added["addedErrors"]) == 1 and added["addedErrors"][0].startswith(f"{NAME}:")
    assert added["repairedErrors"] == repaired["addedErrors"] == []


def test_a_file_with_the_name_of_a_branch_is_ambiguous(repository: Repository) -> None:
    (repository.root / "topic").write_text(BASE)
    repository.git("branch", "topic")
    output = repository.rui("diff", "main~1", "topic", code=2)
    assert output == "rui diff: topic is a file and a revision: write topic -- or -- topic; see rui diff --help\n"
    repository.rui("diff", "main~1", "topic", "--", code=1)
    repository.rui("diff", "topic", NAME, code=1)  # two files are files


@pytest.mark.parametrize(("arguments", "message"), [
    (["nowhere"], "nowhere is no file, and no revision of git"), (["nowhere", "--", NAME], "nowhere is no revision"),
    (["main", "main~1", "main", "--"], "name one revision, two, or a range"), ([NAME], "name two documents"),
    (["--output=x"], "unknown option --output"),
])  # fmt: skip
def test_wrong_arguments(repository: Repository, arguments: list[str], message: str) -> None:
    output = repository.rui("diff", *arguments, code=2)
    assert message in output and output.count("\n") == 1


def test_outside_of_a_repository(tmp_path: Path) -> None:
    outside = Repository(tmp_path / "r", tmp_path / "home")
    outside.root = tmp_path
    outside.environment["GIT_CEILING_DIRECTORIES"] = str(tmp_path.parent)
    assert "is no file, and no revision of git" in outside.rui("diff", "main", code=2)
