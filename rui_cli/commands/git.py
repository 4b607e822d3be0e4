"""`rui git`: set git up for RUI documents, check that set-up, and find edits that merges have lost."""

import os
import sys

from rui_cli import output
from rui_cli.diff_formats import painted
from rui_cli.errors import ExitCode, UsageError, exit_code
from rui_cli.files import Documents, Excluding
from rui_cli.git_audit import Skipped, audit, merge_commits, require_history
from rui_cli.git_setup import Scope, install, status, uninstall
from rui_cli.git_versions import work_tree
from rui_cli.parser import Parser
from rui_common.suggest import did_you_mean
from rui_common.texts import count_of

COMMANDS = {
    "install": "let git diff and git merge use rui, in this repository",
    "status": "say whether they do, and what is missing",
    "uninstall": "remove what install wrote",
    "audit": "find the edits that merge commits have lost",
}

_SHORT = 9  # characters of the hash of a parent

NOTES = """
Commands:
{commands}

install writes diff.rui.command and merge.rui.driver into the configuration of this repository, with the path of this
program and git's own diff and merge as the fallback, and the line *.rui.json diff=rui merge=rui into .gitattributes.
With --global, into the configuration and the attributes of this user, for all repositories.

GitHub, GitLab and other servers run no drivers: a pull request that is merged there is merged by lines. So do clients
with a git of their own that read no configuration.

audit [RANGE] compares each merge commit of a range, such as main~20..main, with its parents, and names the edits of
one parent that the merged document does not have. Without a range: HEAD if it is a merge commit, else
@{{upstream}}..HEAD. What both parents changed may be either's; with --strict it is named, too, if the merged document
has neither. A squashed merge is no merge commit.

Exit codes: 0 done, or all works; 1 a part of the set-up does not work, or an edit is lost; 2 there is no repository or
no such range, or a file could not be written.
"""


def main(argv: list[str]) -> int:
    """Run a command; return the exit code."""
    commands = "\n".join(f"  {name:<10} {summary}" for name, summary in COMMANDS.items())
    summary = "Set git up for RUI documents."
    parser = Parser("git", summary, "COMMAND", max_arguments=2, notes=NOTES.format(commands=commands))
    parser.add_argument("--global", dest="is_global", action="store_true", help="for all repositories of this user")
    parser.add_argument("--strict", action="store_true", help="also name what both parents changed, and is as before")
    parser.add_no_exclude()
    args = parser.parse(argv)
    if not args.files:
        raise UsageError(f"name a command: {', '.join(COMMANDS)}")
    name = args.files[0]
    if name not in COMMANDS:
        raise UsageError(f"unknown command {name}{did_you_mean(name, COMMANDS)}")
    if name == "audit":
        documents = Documents([], "git", excluding=Excluding.of(args, named=False))
        return _audit(documents, *args.files[1:], is_strict=args.strict)
    if len(args.files) > 1:
        raise UsageError(f"unexpected argument {args.files[1]}")
    if name == "status":
        if args.is_global:
            raise UsageError("status has no --global: it says what holds in this folder")
        return _status()
    scope = Scope.GLOBAL if args.is_global else Scope.REPOSITORY
    done = install(scope) if name == "install" else uninstall(scope)
    for sentence in done or [_nothing(name, scope)]:
        output.write(f"{output.escape_line(sentence)}\n")
    if name == "install":
        output.write("Servers such as GitHub merge by lines: they run no drivers.\n")
    return ExitCode.OK


def _nothing(name: str, scope: Scope) -> str:
    return f"Nothing to do: git uses {'rui' if name == 'install' else 'no rui'} in {scope.words}."


def _status() -> int:
    findings = status()
    for finding in findings:
        output.write(f"{'ok' if finding.is_ok else 'no'}  {output.escape_line(finding.text)}\n")
    return ExitCode.OK if all(finding.is_ok for finding in findings) else ExitCode.FINDINGS


def _audit(documents: Documents, range_: str = "", *, is_strict: bool) -> int:
    require_history()
    top = work_tree()

    def is_excluded(name: str) -> bool:
        return bool(top) and documents.excludes(os.path.normpath(os.path.join(top, name)))

    commits = merge_commits(range_)
    style = output.style_for(sys.stdout)
    is_lost = False
    for commit in commits:
        for found in audit(commit, is_excluded, is_strict=is_strict):
            place = output.escape_line(": ".join(filter(None, (commit.title, found.file))))
            if isinstance(found, Skipped):
                output.write(f"{place}: not audited, as {output.escape_line(found.reason)}\n")
                continue
            is_lost = True
            output.write(f"{place}: lost from {found.parent[:_SHORT]}:\n")
            for sentence in found.sentences:
                output.write(f"  {painted(sentence, style)}\n")
    if not is_lost:
        output.write(f"No edit is lost in {count_of(len(commits), 'merge commits')}.\n")
    return exit_code(documents.problems, is_lost)
