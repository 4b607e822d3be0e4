"""Set git up for RUI documents: the drivers in its configuration, and the attributes that name them."""

import os
import shlex
import shutil
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from rui_cli.errors import OperationalError, reason
from rui_cli.git import attribute, run_git
from rui_common.document_files import SUFFIX

ATTRIBUTES = f"*{SUFFIX} diff=rui merge=rui"
"""The line of the attributes that `install` writes."""
DIFF_KEY = "diff.rui.command"
MERGE_KEY = "merge.rui.driver"
MERGE_NAME_KEY = "merge.rui.name"
MERGE_NAME = "RUI documents by identity (rui merge)"
SAMPLE = f"sample{SUFFIX}"  # a name that the attributes concern; the file need not exist
_CHECK_SECONDS = 20  # seconds that the program may take to tell its version


class Scope(Enum):
    """Where a set-up is written. The values are the options of `git config`."""

    REPOSITORY = "--local"
    GLOBAL = "--global"

    @property
    def words(self) -> str:
        return "this repository" if self is Scope.REPOSITORY else "all repositories of this user"


class SetupCheck(NamedTuple):
    """What `rui git status` says about one part of the set-up."""

    is_ok: bool
    text: str


def program() -> list[str]:
    """Return the words of a command that runs this program from any folder: its script, else Python and the package."""
    script = shutil.which(sys.argv[0]) or ""
    if script and Path(script).stem.startswith("rui") and os.access(script, os.X_OK) and not script.endswith(".py"):
        return [Path(script).absolute().as_posix()]
    return [Path(sys.executable).absolute().as_posix(), "-m", "rui_cli"]


def diff_command(words: list[str]) -> str:
    """Return the value of `diff.rui.command`: git's own diff follows if the program is missing or fails."""
    command = shlex.join(words)
    own_diff = 'test $# -lt 5 || git diff --no-index --no-ext-diff -- "$2" "$5" || :'
    return f'f() {{ command -v {shlex.quote(words[0])} >/dev/null && {command} diff -- "$@" || {own_diff}; }}; f'


def merge_driver(words: list[str]) -> str:
    """Return the value of `merge.rui.driver`: git's own merge follows if the program is missing or fails.

    git replaces words such as ``%O``, so that a percent sign of the path of the program is written twice.
    """
    command = shlex.join(words).replace("%", "%%")
    merge = f"{command} merge %O %A %B --path=%P --marker-size=%L --label=%X --label=%S --label=%Y"
    own_merge = "git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
    return f"if {command} --version >/dev/null 2>&1; then {merge}; c=$?; test $c -lt 2 && exit $c; fi; {own_merge}"


def install(scope: Scope) -> list[str]:
    """Write the drivers and the attributes. Returns what was done, in sentences; nothing is written twice.

    Raises:
        OperationalError: there is no repository, or a file cannot be written.
    """
    words = program()
    wanted = {DIFF_KEY: diff_command(words), MERGE_KEY: merge_driver(words), MERGE_NAME_KEY: MERGE_NAME}
    done = []
    for key, value in wanted.items():
        if config_value(key, scope) != value:
            run_git("config", scope.value, "--replace-all", key, value)
            if key != MERGE_NAME_KEY:
                done.append(f"{key} runs {shlex.join(words)} in {scope.words}.")
    file = attributes_file(scope)
    if not _has_attributes(scope):
        _append_line(file, ATTRIBUTES)
        shared = "" if scope is Scope.GLOBAL else " Commit it: it does no harm where rui is not installed."
        done.append(f"{file} has the line {ATTRIBUTES}.{shared}")
    return done


def uninstall(scope: Scope) -> list[str]:
    """Remove what `install` writes. Returns what was done, in sentences. Raises as `install`."""
    done = []
    for key in (DIFF_KEY, MERGE_KEY, MERGE_NAME_KEY):
        value = config_value(key, scope)
        if value is None:
            continue
        if key != MERGE_NAME_KEY and _program_in(value) is None:
            done.append(f"{key} is left as it is: a command of your own.")
            continue
        run_git("config", scope.value, "--unset-all", key)
        if key != MERGE_NAME_KEY:
            done.append(f"{key} is removed from {scope.words}.")
    file = attributes_file(scope)
    lines = _lines_of(file)
    left = [line for line in lines if line.strip() != ATTRIBUTES]
    if left != lines:
        _write(file, "".join(left))
        done.append(f"{file} has no longer the line {ATTRIBUTES}.")
    return done


def status() -> list[SetupCheck]:
    """Return what works, and what does not, in the current folder. Raises `OperationalError` without a repository."""
    _require_repository()
    found = [_driver(DIFF_KEY, "git diff"), _driver(MERGE_KEY, "git merge")]
    for name in ("diff", "merge"):
        value = attribute(name, SAMPLE, at_top=True)
        if value == "rui":
            found.append(SetupCheck(True, f"The attribute {name} of *{SUFFIX} is rui."))
        else:
            shown = "not set" if value == "unspecified" else value
            found.append(SetupCheck(False, f"The attribute {name} of *{SUFFIX} is {shown}: rui git install sets it."))
    return found


def _driver(key: str, purpose: str) -> SetupCheck:
    """Check that a driver is configured, and that the program in it runs."""
    value = run_git("config", "--get", key, allowed=(0, 1)).decode("utf-8", "replace").strip()
    if not value:
        return SetupCheck(False, f"{key} is not set, so that {purpose} does not use rui: rui git install sets it.")
    words = _program_in(value)
    if words is None:
        return SetupCheck(True, f"{key} is a command of your own: {value}")
    try:
        done = subprocess.run(  # noqa: S603  the user's own configuration
            [*words, "--version"], capture_output=True, timeout=_CHECK_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        why = reason(error) if isinstance(error, OSError) else "it does not answer"
        return SetupCheck(
            False, f"{key} names {shlex.join(words)}, which does not run ({why}): rui git install sets it."
        )
    if done.returncode:
        return SetupCheck(False, f"{key} names {shlex.join(words)}, which fails: run {shlex.join(words)} --version.")
    version = done.stdout.decode("utf-8", "replace").strip()
    return SetupCheck(True, f"{key} runs {shlex.join(words)} ({version}), and git's own where that fails.")


def _program_in(value: str) -> list[str] | None:
    """Return the words of the program in a driver that `install` wrote; None for another one."""
    for word in _quoted_words(value):
        for words in ([word], [word, "-m", "rui_cli"]):
            if value in (diff_command(words), merge_driver(words)):
                return words
    return None


def _quoted_words(value: str) -> list[str]:
    try:
        return list(dict.fromkeys(word.replace("%%", "%").rstrip(";") for word in shlex.split(value)))
    except ValueError:  # a quote is not closed
        return []


def config_value(key: str, scope: Scope) -> str | None:
    """Return a value of git's configuration; None if it is not set in this scope."""
    if scope is Scope.REPOSITORY:
        _require_repository()
    found = run_git("config", scope.value, "--get", key, allowed=(0, 1))
    return found.decode("utf-8", "surrogateescape").removesuffix("\n") if found else None


def _require_repository() -> None:
    run_git("rev-parse", "--git-dir")


def attributes_file(scope: Scope) -> Path:
    """Return the file of the attributes: that of the work tree, of a bare repository, or of the user."""
    if scope is Scope.GLOBAL:
        named = run_git("config", "--global", "--type=path", "--get", "core.attributesFile", allowed=(0, 1)).strip()
        if named:
            return Path(os.fsdecode(named))
        base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(base) / "git" / "attributes"
    is_bare = run_git("rev-parse", "--is-bare-repository").strip() == b"true"
    if is_bare:
        return Path(os.fsdecode(run_git("rev-parse", "--git-path", "info/attributes").strip()))
    top = run_git("rev-parse", "--show-toplevel").removesuffix(b"\n")
    return Path(os.fsdecode(top)) / ".gitattributes"


def _has_attributes(scope: Scope) -> bool:
    """Return whether documents have the attributes already, perhaps by a line that a person wrote."""
    if scope is Scope.GLOBAL:
        return ATTRIBUTES in [line.strip() for line in _lines_of(attributes_file(scope))]
    return all(attribute(name, SAMPLE, at_top=True) == "rui" for name in ("diff", "merge"))


def _lines_of(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OperationalError(f"cannot read {file}: {reason(error)}") from None


def _append_line(file: Path, line: str) -> None:
    text = "".join(_lines_of(file))
    if text and not text.endswith("\n"):
        text += "\n"
    _write(file, f"{text}{line}\n")


def _write(file: Path, text: str) -> None:
    try:
        if not text:
            file.unlink()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    except OSError as error:
        raise OperationalError(f"cannot write {file}: {reason(error)}") from None
