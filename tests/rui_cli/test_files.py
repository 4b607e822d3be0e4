"""Files as people have them: mounts, links, owners, attributes, globs, folders without documents, standard input."""

import errno
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rui_common.syntax.document import Document, read
from tests.rui_cli.running import FAULTY, VALID, rui
from tests.rui_openapi.shop import SHOP, table
from tests.support.tables import without_cross

WRITING = {"check --fix": ["check", "--fix"], "format": ["format"], "new": ["new", "--force"]}
"""Commands that replace the content of a file."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder of other users, too. Each start of pytest, also one by a test, closes its own folders to them."""
    with TemporaryDirectory() as name:
        yield Path(name)


# Writing what no new file can replace ---------------------------------------------------------------------------------


def has_namespaces() -> bool:
    """Whether this process may mount file systems in a namespace of its own."""
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "-rm", "true"], check=False).returncode == 0


def in_namespace(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script of the shell in which `$rui` is `rui`; its mounts end with it."""
    command = f"{shlex.quote(sys.executable)} -m rui_cli"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "rui": command}
    words = ["unshare", "-rm", "sh", "-euc", script]
    return subprocess.run(words, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


MOUNTS = {
    "a file of another folder, as Docker mounts it": "mkdir m; touch m/a; mount --bind a m/a; $rui {} m/a",
    "the same name": "mount --bind a a; $rui {} a",
    "another file system": "mkdir m; mount -t tmpfs t m; cp a m/b; touch b; mount --bind m/b b; $rui {} b; cp b a",
    "a link to it": "touch m; mount --bind a m; ln -s m l; $rui {} l",
    "a folder that is read-only": "mkdir m; touch m/a; mount -t tmpfs -o ro t m 2>/dev/null; umount m; "
    "cp a b; mkdir r; mount -t tmpfs t r; touch r/a; mount --bind b r/a; mount -o remount,ro r; $rui {} r/a; cp b a",
}  # fmt: skip


@pytest.mark.skipif(not has_namespaces(), reason="needs a namespace for mounts")
@pytest.mark.parametrize(("command", "script"), without_cross(["check --fix", "format"], MOUNTS.values()))
def test_a_mounted_file_is_written_in_place(command: str, script: str, folder: Path) -> None:
    (folder / "a").write_text(FAULTY)
    (folder / "expected").write_text(FAULTY)
    assert rui(*command.split(), "expected").code == 0
    ran = in_namespace(script.format(command), folder)
    assert (ran.returncode, [line for line in ran.stderr.splitlines() if "cannot" in line]) == (0, [])
    assert (folder / "a").read_text() == (folder / "expected").read_text() != FAULTY
    assert [*folder.rglob(".rui*")] == []


@pytest.mark.skipif(not has_namespaces(), reason="needs a namespace for mounts")
def test_a_full_disk_leaves_a_mounted_file_as_it_was(folder: Path) -> None:
    (folder / "a").write_text('{"meta": {"a": [' + ", ".join(['{"b": {}}'] * 900) + "]}}")
    script = (
        "mkdir m; mount -t tmpfs -o size=16k t m; cp a m/a; touch b; mount --bind m/a b; "
        "! $rui format b; cmp a b; test -z \"$(ls -A m | grep -v '^a$')\""
    )
    ran = in_namespace(script, folder)
    assert (ran.returncode, ran.stderr.splitlines()[0]) == (
        0, "rui format: cannot write b: no space left on device",
    ), ran  # fmt: skip


def deny_new_files(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system refuse to move a file over another; root may write into every folder."""

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "replace", refuse)


@pytest.mark.parametrize(("command", "code"), without_cross(
    WRITING.values(), [errno.EBUSY, errno.EXDEV, errno.EPERM, errno.EACCES, errno.EROFS, errno.ENOTSUP]
))  # fmt: skip
def test_what_cannot_be_replaced_is_written_in_place(
    command: list[str], code: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.rui.json", "expected.rui.json"):
        (folder / name).write_text(FAULTY + " " * 2000)  # The new content is shorter.
    assert rui(*command, "expected.rui.json").code == 0
    before = (folder / "a.rui.json").stat().st_ino
    deny_new_files(code, monkeypatch)
    assert rui(*command, "a.rui.json").code == 0
    assert (folder / "a.rui.json").read_bytes() == (folder / "expected.rui.json").read_bytes()
    assert (folder / "a.rui.json").stat().st_ino == before
    assert len([*folder.iterdir()]) == 2


def test_an_error_while_writing_in_place_keeps_the_content(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "a.rui.json"
    file.write_text(FAULTY)
    deny_new_files(errno.EBUSY, monkeypatch)
    real = os.fsync
    calls: list[int] = []

    def fail(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:  # that of the new content: the first one is of the file beside it
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    ran = rui("check", "--fix", file)
    assert (ran.code, ran.err) == (2, f"rui check: cannot write {file}: input/output error\n")
    assert (len(calls), file.read_text()) == (3, FAULTY)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_nothing_is_written_in_place_on_a_full_disk(code: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that writes to new blocks has none for the old content either."""
    file = folder / "a.rui.json"
    file.write_text(FAULTY)
    opened: list[object] = []
    real = open

    def fail(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    def note(name: object, mode: str = "r", **options: object) -> object:
        opened.append((name, mode))
        return real(name, mode, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "fsync", fail)
    monkeypatch.setattr("builtins.open", note)
    ran = rui("check", "--fix", file)
    assert (ran.code, ran.err) == (2, f"rui check: cannot write {file}: {os.strerror(code).lower()}\n")
    assert [mode for name, mode in opened if name == str(file) and mode != "rb"] == []
    assert ([*folder.iterdir()], file.read_text()) == ([file], FAULTY)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(("owner", "group", "mode", "folder_mode"), [
    (65534, 65534, 0o666, 0o755),  # another owner, and no permission to write in the folder
    (65534, 65534, 0o666, 0o777),  # another owner
    (1234, 7777, 0o640, 0o755),  # the own file in the folder of another
    (1234, 7777, 0o664, 0o777),  # a group that the owner is not in
    (1234, 4321, 0o664, 0o777),  # one of its groups
])  # fmt: skip
def test_owner_group_and_permissions_are_kept(
    owner: int, group: int, mode: int, folder_mode: int, open_folder: Path
) -> None:
    file = open_folder / "a.rui.json"
    file.write_text(FAULTY)
    os.chown(file, owner, group)
    file.chmod(mode)
    open_folder.chmod(folder_mode)
    pid = os.fork()
    if pid == 0:
        os.setgroups([4321])
        os.setgid(1234)
        os.setuid(1234)
        os._exit(rui("check", "--fix", file).code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert file.read_text() == VALID
    status = file.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (owner, group, mode)
    assert [*open_folder.iterdir()] == [file]


@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
def test_all_names_of_a_file_keep_its_content(command: list[str], folder: Path) -> None:
    (folder / "a.rui.json").write_text(FAULTY)
    (folder / "other").hardlink_to(folder / "a.rui.json")
    assert rui(*command, "a.rui.json").code == 0
    assert (folder / "other").read_text() == (folder / "a.rui.json").read_text() != FAULTY
    assert (folder / "other").stat().st_nlink == 2


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="only Linux has these calls")
def test_extended_attributes_are_kept(folder: Path) -> None:
    file = folder / "a.rui.json"
    file.write_text(FAULTY)
    try:
        os.setxattr(file, "user.origin", b"https://example.org\0")
    except OSError as error:
        pytest.skip(f"the file system has none: {error}")
    # The access control list of one more user, who may read, in the binary form of Linux.
    entry = [(1, 6, 0xFFFFFFFF), (2, 4, 1234), (4, 4, 0xFFFFFFFF), (16, 4, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF)]
    numbers = b"".join(
        tag.to_bytes(2, "little") + bits.to_bytes(2, "little") + who.to_bytes(4, "little") for tag, bits, who in entry
    )
    os.setxattr(file, "system.posix_acl_access", (2).to_bytes(4, "little") + numbers)
    os.setxattr(folder, "system.posix_acl_default", (2).to_bytes(4, "little") + numbers)
    plain = folder / "b.rui.json"  # It has no list, although new files in this folder get one.
    plain.write_text(FAULTY)
    os.removexattr(plain, "system.posix_acl_access")
    before = [{name: os.getxattr(path, name) for name in os.listxattr(path)} for path in (file, plain)]
    assert "system.posix_acl_access" in before[0] and not before[1]
    assert rui("check", "--fix", file, plain).code == 0
    assert [{name: os.getxattr(path, name) for name in os.listxattr(path)} for path in (file, plain)] == before
    assert (file.read_text(), plain.read_text()) == (VALID, VALID)


def test_a_long_name_is_written(folder: Path) -> None:
    name = "x" * 246 + ".rui.json"
    (folder / name).write_text(FAULTY)
    assert rui("check", "--fix", name).code == 0
    assert (folder / name).read_text() == VALID


@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
def test_the_file_that_a_killed_run_has_left_is_no_obstacle(command: list[str], folder: Path) -> None:
    """In a container, the next run has the same process id."""
    (folder / f".rui.{os.getpid()}.tmp").write_text("left")
    (folder / "a.rui.json").write_text(FAULTY)
    assert rui(*command, "a.rui.json").code == 0
    assert (folder / "a.rui.json").read_text() != FAULTY
    assert [path.name for path in folder.glob(".rui.*")] == [f".rui.{os.getpid()}.tmp"]


@pytest.mark.parametrize("change", ["saved", "truncated", "deleted", "replaced by a pipe"])
@pytest.mark.parametrize("command", [["check", "--fix"], ["format"]], ids=" ".join)
def test_what_others_have_changed_since_is_not_written(
    command: list[str], change: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor saves the file between reading and writing."""
    file = folder / "a.rui.json"
    file.write_text(FAULTY)

    def read_and_change(data: bytes) -> Document:
        if change in ("saved", "truncated"):
            file.write_text("saved" * (change == "saved"))
        else:
            file.unlink()
        if change == "replaced by a pipe":
            if not hasattr(os, "mkfifo"):
                pytest.skip("Windows has no pipes in folders")
            os.mkfifo(file)
        return read(data)

    monkeypatch.setattr(f"rui_cli.commands.{command[0]}.read", read_and_change)
    ran = rui(*command, "a.rui.json")
    why = {"deleted": "no such file or directory", "replaced by a pipe": "it is a pipe"}
    expected = f"cannot write a.rui.json: {why.get(change, 'it has changed since it was read')}"
    assert (ran.code, ran.err.splitlines()[0]) == (2, f"rui {command[0]}: {expected}")
    assert not file.is_file() or file.read_text() in ("saved", "")


# Folders and globs ----------------------------------------------------------------------------------------------------

NO_DOCUMENTS = {
    "empty": [],
    "other files": ["a.json", "README.md"],
    "hidden": [".a.rui.json", ".git/b.rui.json"],
    "excluded": ["node_modules/p/a.rui.json"],
    "a link out of it": ["->a.rui.json"],
}
WITHOUT = (
    "check", "check --quiet", "check --fix", "check --format json", "check --format sarif", "check --format junit",
    "check --format github", "format", "format --check", "wireframe -o drawn/",
)  # fmt: skip


@pytest.mark.parametrize(("command", "names"), without_cross(WITHOUT, NO_DOCUMENTS.values()))
def test_a_folder_without_documents_is_a_note(command: str, names: list[str], folder: Path) -> None:
    (folder / "in").mkdir()
    for name in names:
        path = folder / "in" / name.removeprefix("->")
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("->"):
            (folder / "outside").write_text(FAULTY)
            path.symlink_to("../outside")
        else:
            path.write_text(FAULTY)
    ran = rui(*command.split(), "in")
    assert ran.code == 0
    note = f"rui {command.split(maxsplit=1)[0]}: note: no *.rui.json in in; name files that are called otherwise"
    assert note in ran.err.splitlines()
    (folder / "in" / "bad.rui.json").write_text("{")
    assert note not in rui(*command.split(), "in").err


def test_other_folders_are_checked_beside_one_without_documents(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "a.rui.json").write_text(FAULTY)
    ran = rui("check", "--format", "concise", "empty", "a.rui.json")
    assert (ran.code, ran.err) == (1, "rui check: note: no *.rui.json in empty; name files that are called otherwise\n")
    assert len(ran.out.splitlines()) == 2


def test_no_description_is_derived_from_nothing(folder: Path) -> None:
    (folder / "openapi.json").write_text("{}")
    ran = rui("openapi", "-o", "openapi.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rui openapi: note: no *.rui.json in this folder")
    assert (folder / "openapi.json").read_text() == "{}"


GLOBBED = ["a.rui.json", "apps/admin/b.rui.json", "apps/admin/c.rui.json", "apps/d.rui.json", "apps/x[1].rui.json"]
GLOBS = {
    "**/*.rui.json": GLOBBED,
    "./**/*.rui.json": GLOBBED,
    "**": GLOBBED,
    "*.rui.json": GLOBBED[:1],
    "*": GLOBBED,
    "apps/*.rui.json": GLOBBED[3:],
    "apps//*.rui.json": GLOBBED[3:],
    "apps/**": GLOBBED[1:],
    "apps/ad*": GLOBBED[1:3],
    "**/admin/*": GLOBBED[1:3],
    "**/[bd].rui.json": [GLOBBED[1], GLOBBED[3]],
    "apps/?.rui.json": [GLOBBED[3]],
    "apps/admin/../*.rui.json": GLOBBED[3:],
    "apps/x[1].rui.json": GLOBBED[4:],  # a name comes before a glob
    "node_modules/**": ["node_modules/p/n.rui.json"],
    ".hidden/*.rui.json": [".hidden/h.rui.json"],
}


@pytest.mark.parametrize("pattern", GLOBS)
@pytest.mark.parametrize("is_absolute", [False, True], ids=["relative", "absolute"])
def test_a_glob_in_quotes_is_expanded(pattern: str, is_absolute: bool, folder: Path) -> None:
    for name in (*GLOBBED, "node_modules/p/n.rui.json", ".hidden/h.rui.json", "apps/e.json", "apps/.f.rui.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(FAULTY)
    (folder / "loop").symlink_to(".")
    (folder / "apps" / "loop").symlink_to("..")
    start = f"{folder}/" if is_absolute else ""
    for command in (["check", "--format", "concise"], ["format", "--check"]):
        ran = rui(*command, start + pattern)
        lines = dict.fromkeys(line.partition(":")[0] for line in ran.out.splitlines())
        assert (ran.code, [*lines]) == (1, [start + name for name in GLOBS[pattern]])


BRACKETED = [
    "app/[id]/a.rui.json",
    "app/[id]/[x]/b.rui.json",
    "app/i/c.rui.json",
    "app/i/x/d.rui.json",
    "app/*/e.rui.json",
]
BRACKETS = {
    "app/[id]": BRACKETED[:2],
    "app/[id]/*.rui.json": BRACKETED[:1],
    "app/[id]/[x]/*.rui.json": BRACKETED[1:2],
    "app/[id]/[ab].rui.json": BRACKETED[:1],
    "**/[id]/*.rui.json": BRACKETED[:1],  # a part that exists is a name also after one that is a glob
    "*/[id]/[x]": BRACKETED[1:2],
    "app/?/[x]/*": BRACKETED[3:4],  # no folder [x] is in app/i
    "app/[hi]/*.rui.json": BRACKETED[2:3],
    "app/*/*.rui.json": BRACKETED[4:],
    "./app/[id]/../[id]/*.rui.json": BRACKETED[:1],
}


@pytest.mark.parametrize("pattern", BRACKETS)
@pytest.mark.parametrize("is_absolute", [False, True], ids=["relative", "absolute"])
def test_what_exists_comes_before_a_glob(pattern: str, is_absolute: bool, folder: Path) -> None:
    for name in BRACKETED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(FAULTY)
    start = f"{folder}/" if is_absolute else ""
    ran = rui("check", "--format", "concise", start + pattern)
    lines = dict.fromkeys(line.partition(":")[0] for line in ran.out.splitlines())
    assert {start + name for name in BRACKETS[pattern]} == {*lines}


@pytest.mark.parametrize(
    "pattern",
    [
        "*/../none.rui.json",
        "*/../a.rui.json/",
        "*.ruijson",
        "apps/?",
        "[abc]",
        "**/none.rui.json",
        "none/*",
        "a.rui.json/*",
    ],
)
def test_a_glob_that_fits_nothing_is_an_error(pattern: str, folder: Path) -> None:
    (folder / "a.rui.json").write_text(VALID)
    (folder / "apps").mkdir()
    ran = rui("check", "--format", "concise", pattern, "a.rui.json")
    assert (ran.code, ran.out, ran.err) == (2, "", f"rui check: no *.rui.json fits {pattern}\n")


# The name of standard input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["apps/new.rui.json", "new/folder/a.rui.json", "x", "/nowhere/a.rui.json", "über.rui.json"]
)
def test_standard_input_has_the_name_that_is_given(name: str, folder: Path) -> None:
    for command in ("check --format concise", "check --format full", "check --format agent", "check --fix"):
        ran = rui(*command.split(), "-", "--stdin-filename", name, stdin=FAULTY.replace('"stack"', '"diagonal"'))
        assert f"{name}:" in ran.out + ran.err and "<stdin>" not in ran.out + ran.err
    for format_ in ("json", "github", "sarif", "junit", "rdjson"):
        assert "<stdin>" not in rui("check", "--format", format_, "--stdin-filename", name, "-", stdin=FAULTY).out
    assert rui("format", "--check", "-", "--stdin-filename", name, stdin=FAULTY).out == f"{name}\n"
    ran = rui("format", "-", "--stdin-filename", name, stdin="{")
    assert ran.err.startswith(f"rui format: {name}:1:2: not formatted")
    too_large = b" " * (16 * 1024 * 1024 + 1)
    assert rui("check", "-", "--stdin-filename", name, stdin=too_large).err.startswith(
        f"rui check: cannot read {name}: "
    )


def test_the_rui_toml_of_standard_input_is_that_of_its_name(folder: Path) -> None:
    (folder / "apps").mkdir()
    (folder / "apps" / "openapi.yaml").write_text(SHOP)
    overrides = '[[api.overrides]]\nfiles = "free.rui.json"\nopenapi = false\n'
    (folder / "apps" / "rui.toml").write_text(f'[api]\nopenapi = "openapi.yaml"\n{overrides}')
    text = table("/orders", "itms", "id")

    def codes(*options: str | Path) -> list[str]:
        return [item["code"] for item in json.loads(rui("check", "--format", "json", *options, "-", stdin=text).out)]

    assert codes() == []
    for name in ("apps/new.rui.json", "apps/new/folder/a.rui.json", folder / "apps" / "x.rui.json", "./apps/x"):
        assert codes("--stdin-filename", name) == ["UNKNOWN_VALUE_PATH"]
    assert codes("--stdin-filename", "apps/free.rui.json") == []
    assert codes("--stdin-filename", "a.rui.json") == []


@pytest.mark.parametrize("command", ["check", "format"])
def test_a_name_without_standard_input_is_a_usage_error(command: str) -> None:
    ran = rui(command, "--stdin-filename", "a", "b")
    error = "--stdin-filename needs standard input, -, as a file"
    assert ran == (2, "", f"rui {command}: {error}; see rui {command} --help\n")


@pytest.mark.parametrize(("missing", "meant"), [
    ("shop.rui.json", "shop.json"), ("shop", "shop.json"), ("desks.rui.json", "desk.rui.json"), ("notes", ""),
    ("in/dask.rui.json", "in/desk.rui.json"), ("a.rui.json", ""), ("none/desk.rui.json", ""),
])  # fmt: skip
def test_a_missing_file_is_compared_with_those_in_its_folder(folder: Path, missing: str, meant: str) -> None:
    (folder / "in").mkdir()
    for name in ("shop.json", "desk.rui.json", "in/desk.rui.json", "b.rui.json", "notes.md"):
        (folder / name).write_text(FAULTY)
    question = f" (did you mean {meant}?)" if meant else ""
    ran = rui("check", missing)
    assert ran.err.startswith(f"rui check: cannot read {missing}: no such file or directory{question}\n")
