"""git as it is lived in: each scenario is a script in a repository with our drivers, and what results.

All begin with a copy of one repository: a document on `main`, branches, and their tag `base`. In the scripts, `put TEXT
FILE` writes one of `TEXTS`, and `fails CODE COMMAND` expects an exit code. After each, `rui diff` and `rui git audit`
work, or say in one line why not.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.rui_cli.repository import ADDED, BASE, BIN, LABEL, NAME, Repository
from tests.rui_cli.running import rui

BOTH = ADDED.replace("One", "Two")  # what main and theirs have made of the document
CLASH = BASE.replace("One", "Three")
TITLE = BASE.replace('"Home"', '"Start"')
ALL = BOTH.replace('"Home"', '"Start"')
TEXTS = {
    "BASE": BASE, "LABEL": LABEL, "ADDED": ADDED, "BOTH": BOTH, "CLASH": CLASH, "TITLE": TITLE, "BROKEN": "{\n",
    "RENAMED": ADDED.replace('"content": "x"', '"content": "z"'),
}  # fmt: skip
OTHER = "other.rui.json"
PRELUDE = """\
put() { mkdir -p "$(dirname "$2")"; cp "$TEXTS/$1" "$2"; }
fails() { want=$1; shift; code=0; "$@" || code=$?; test $code = $want || { echo "exit code $code of $*"; exit 99; }; }
commit() { git add --all; git commit --quiet --message "$1"; }
by_lines() { echo '*.rui.json merge=text' > "$(git rev-parse --git-path info/attributes)"; }
doc="my app.rui.json"
set -e
git update-index -q --refresh  # the times of the files are new
"""


class Scenario(NamedTuple):
    """A script, words that it has to print, and the text of a file after it, unless that is ``""``."""

    script: str
    words: tuple[str, ...] = ()
    result: str = ""
    name: str = NAME
    audit: str = ""  # words of `rui git audit` after it


SCENARIOS = {
    "merge": Scenario("git merge -q theirs", (), BOTH, audit="No edit is lost in 1 merge commit"),
    "merge with a conflict": Scenario("fails 1 git merge clash", ("Text “One”: changed in two ways", "CONFLICT")),
    "merge without a fast-forward": Scenario("git checkout -q -b b base; git merge -q --no-ff theirs", (), ADDED),
    "rebase": Scenario("git checkout -q theirs; git rebase -q main", (), BOTH),
    "rebase --onto": Scenario("git checkout -q theirs; git rebase -q --onto main base", (), BOTH),
    "rebase with merges": Scenario(
        "git checkout -q -b b theirs; git merge -q title; git rebase -q --rebase-merges main", (), ALL),
    "rebase of a fixup": Scenario(
        "git checkout -q theirs; put RENAMED \"$doc\"; git commit -qa --fixup HEAD; git rebase -qi --autosquash main",
        (), BOTH.replace('"content": "x"', '"content": "z"')),
    "pull with rebase": Scenario("git pull -q --rebase . theirs", (), BOTH),
    "cherry-pick": Scenario("git cherry-pick theirs", (), BOTH),
    "cherry-pick of two commits": Scenario("git cherry-pick theirs title", (), ALL),
    "revert": Scenario("git merge -q theirs; git revert --no-edit ours", (), ADDED),
    "revert of a merge": Scenario(
        "git merge -q theirs; git merge -q title; git revert --no-edit -m 1 HEAD~1", (), TITLE.replace("One", "Two")),
    "stash pop": Scenario(
        "git checkout -q base; put ADDED \"$doc\"; git stash -q; git checkout -q main; git stash pop", (), BOTH),
    "stash pop with a conflict": Scenario(
        "git checkout -q base; put CLASH \"$doc\"; git stash -q; git checkout -q main; fails 1 git stash pop",
        ("changed in two ways",)),
    "checkout --merge": Scenario("git checkout -q base; put ADDED \"$doc\"; git checkout -q -m main", (), BOTH),
    "octopus": Scenario("fails 2 git merge theirs title", ("Should not be doing an octopus",)),
    "octopus of other files": Scenario(
        "git checkout -q -b b base; put BASE b.rui.json; commit b; git checkout -q -b c base; put BASE c.rui.json; "
        "commit c; git checkout -q main; git merge -q b c", (), LABEL, audit="more than two parents"),
    "criss-cross": Scenario(
        "git checkout -q -b l main; git merge -q theirs; git checkout -q -b r theirs; git merge -q main; "
        "git merge -q title; git checkout -q l; git merge -q r",
        (), ALL, audit="several merge bases"),
    "squash": Scenario("git merge -q --squash theirs; git commit -qm squashed", (), BOTH),
    "squash, and merge again": Scenario(
        "git merge -q --squash theirs; git commit -qm squashed; git merge -q theirs", (), BOTH),
    "one strategy": Scenario(
        "git merge -q -s ours theirs", (), LABEL, audit="lost from"),
    "ours is preferred": Scenario("fails 1 git merge -X ours clash", ("changed in two ways",)),
    "merge --no-commit and --abort": Scenario("git merge -q --no-commit theirs; git merge --abort", (), LABEL),
    "rerere": Scenario(
        "git config rerere.enabled true; fails 1 git merge clash; put CLASH \"$doc\"; commit m; "
        "git reset -q --hard ours; "
        "fails 1 git merge clash", ("Resolved",), CLASH),
    "renamed on one side": Scenario(
        "git checkout -q -b b theirs; git mv \"$doc\" other.rui.json; commit r; git checkout -q main; git merge -q b",
        (), BOTH, OTHER),
    "renamed on both sides": Scenario(
        "git mv \"$doc\" x.rui.json; commit r; git checkout -q -b b theirs; git mv \"$doc\" y.rui.json; commit s; "
        "fails 1 git merge main; fails 2 rui merge x.rui.json", ("CONFLICT (rename/rename)", "rui merge: x.rui.json ")),
    "its folder is renamed": Scenario(
        "git checkout -q -b b theirs; mkdir d; git mv \"$doc\" d; commit r; git checkout -q main; git merge -q b", (),
        BOTH, f"d/{NAME}"),
    "deleted and changed": Scenario(
        "git checkout -q -b b base; git rm -q \"$doc\"; git commit -qm d; git checkout -q main; fails 1 git merge b; "
        "fails 2 rui merge \"$doc\"", ("CONFLICT (modify/delete)", "is deleted in theirs and changed in ours"), LABEL),
    "deleted on both sides": Scenario(
        "git rm -q \"$doc\"; git commit -qm d; git checkout -q -b b base; git rm -q \"$doc\"; git commit -qm e; "
        "git merge -q main"),
    "added on both sides": Scenario(
        "put BASE n.rui.json; commit n; git checkout -q -b b theirs; put CLASH n.rui.json; commit n; "
        "fails 1 git merge main", ("n.rui.json: conflict: Text “", "both sides add it")),
    "added on both sides, alike": Scenario(
        "put BASE n.rui.json; commit n; git checkout -q -b b theirs; put ADDED n.rui.json; commit n; "
        "git merge -q main",
        (), ADDED, "n.rui.json"),
    "without rui on the PATH": Scenario(
        'for key in merge.rui.driver diff.rui.command; '
        'do git config $key "$(git config $key | sed "s#$BIN/rui#/gone/rui#g")"; done; fails 1 git merge theirs; '
        'cat "$doc"; git diff base main; fails 1 env PATH="$BIN:$PATH" rui git status',
        ("CONFLICT", "<<<<<<< ours", "-        {", "/gone/rui")),
    "a branch that is not JSON": Scenario(
        "put BROKEN \"$doc\"; commit b; fails 1 git merge theirs", ("not JSON", "merged by lines"), audit=""),
    "worktree": Scenario(
        "git worktree add -q ../tree theirs; cd ../tree; git merge -q main; rui diff base HEAD || :", ("One",), BOTH,
        f"../tree/{NAME}"),
    "submodule": Scenario(
        "git clone -q --bare . ../origin; git -c protocol.file.allow=always submodule --quiet add ../origin sub; "
        "commit s; "
        "cd sub; rui git install; git merge -q origin/theirs; rui git status", ("runs",), BOTH, f"sub/{NAME}"),
    "the commit of a submodule": Scenario(
        "git clone -q --bare . ../origin; "
        "git -c protocol.file.allow=always submodule --quiet add ../origin s.rui.json; "
        "commit s; fails 0 rui diff HEAD~ HEAD"),
    "shallow clone": Scenario(
        "git merge -q theirs; git clone -q --depth 1 \"file://$PWD\" ../shallow; cd ../shallow; "
        "fails 2 rui git audit; "
        "put BASE \"$doc\"; fails 1 rui diff HEAD", ("this clone is shallow", "“One”")),
    "partial clone": Scenario(
        "git merge -q theirs; git config uploadpack.allowFilter true; "
        "git clone -q --filter=blob:none \"file://$PWD\" ../partial; cd ../partial; "
        "rui git audit", ("No edit is lost",)),
    "bare repository": Scenario(
        "git merge -q theirs; git clone -q --bare . ../bare; cd ../bare; rui git audit; fails 1 rui diff base main; "
        "fails 2 rui diff base", ("No edit is lost", "“y”", "work tree")),
    "repository without commits": Scenario(
        "git init -q ../empty; cd ../empty; put BASE a.rui.json; fails 2 rui git audit; fails 2 rui diff main; "
        "fails 2 rui merge a.rui.json; git add .; git diff --cached", ("rui git: ", "rui diff: main is no file")),
    "sparse checkout": Scenario(
        "put BASE d/in.rui.json; commit d; git sparse-checkout set d; git merge -q theirs; "
        "fails 1 rui diff base HEAD; "
        "git sparse-checkout set --no-cone '/d/' '!/*.rui.json'; fails 1 rui diff base", ("“y”",)),
    "autocrlf": Scenario(
        "git config core.autocrlf true; rm \"$doc\"; git checkout -q .; rui diff HEAD; git merge -q theirs", (),
        BOTH.replace("\n", "\r\n")),
    "autocrlf, and a conflict": Scenario(
        "git config core.autocrlf true; rm \"$doc\"; git checkout -q .; by_lines; "
        "fails 1 git merge theirs; rui merge \"$doc\"", (), BOTH.replace("\n", "\r\n")),
    "lines that end with CRLF": Scenario(
        "git checkout -q -b b base; for name in b c; do git checkout -q -B $name base; sed -i 's/$/\\r/' \"$doc\"; "
        "commit $name; done; sed -i s/One/Two/ \"$doc\"; commit c; by_lines; "
        "git checkout -q b; sed -i 's/x\"}/x\"}"
        ",{\"id\": \"c\", \"type\": \"Text\", \"content\": \"y\"}/' \"$doc\"; commit b; "
        "fails 1 git merge c; rui merge \"$doc\"", (), BOTH.replace("\n", "\r\n")),
    "attributes in a subfolder": Scenario(
        "git rm -q .gitattributes; put BASE sub/a.rui.json; "
        "echo '*.rui.json merge=rui diff=rui' > sub/.gitattributes; "
        "commit a; git checkout -q -b b; put LABEL sub/a.rui.json; commit b; git checkout -q -b c HEAD~; "
        "put ADDED sub/a.rui.json; commit c; git merge -q b", (), BOTH, "sub/a.rui.json"),
    "am -3": Scenario("git format-patch -q -1 theirs; git am -q -3 0001-*", (), BOTH),
    "apply --3way": Scenario("git diff --no-ext-diff base theirs > p; git apply --3way p", (), BOTH),
    "merge-tree": Scenario(
        "git show \"$(git merge-tree --write-tree main theirs):$doc\" > merged.json; "
        "mv merged.json \"$doc\"", (), BOTH),
    "diff --cached": Scenario("put ADDED \"$doc\"; git add .; git diff --cached", ("“y” is new",)),
    "log -p and show": Scenario("git log -1 -p --ext-diff; git show --ext-diff theirs", ("says", "“y” is new")),
    "difftool": Scenario(
        "git config difftool.rui.cmd 'rui diff -- \"$LOCAL\" \"$REMOTE\"'; "
        "git difftool --no-prompt --tool rui base main",
        ("says",)),
    "revisions of all kinds": Scenario(
        "git tag -a -m t annotated; put ADDED \"$doc\"; git stash -q; "
        "for rev in annotated HEAD@{0} :/base stash main^{tree} "
        "ours~0; do rui diff $rev base || test $? = 1; done"),
    "unrelated histories": Scenario(
        "git checkout -q --orphan o; put CLASH \"$doc\"; commit o; "
        "fails 1 git merge --allow-unrelated-histories main; "
        "put CLASH \"$doc\"; commit m; fails 2 rui diff main...o~", ("both sides add it", "no common ancestor"),
        audit="no common ancestor"),
    "file names": Scenario(
        "for name in '-a.rui.json' 'über uns.rui.json' \"$(printf 'cafe\\314\\201.rui.json')\" "
        "\"$(printf 'caf\\303\\251.rui.json')\" "
        "'it'\"'\"'s $HOME \"x\".rui.json'; do git checkout -q -B b base; git mv -- \"$doc\" \"./$name\"; "
        "git commit -qm a; git checkout -q -B c; put LABEL \"./$name\"; commit c; git checkout -q b; "
        "put ADDED \"./$name\"; commit b; by_lines; fails 1 git merge c; rui merge -- \"$name\"; "
        "rui diff -- \"$TEXTS/BOTH\" \"./$name\"; fails 1 rui diff base -- \"$name\"; git reset -q --hard; "
        "rm .git/info/attributes; git merge -q c; "
        "rui diff -- \"$TEXTS/BOTH\" \"./$name\"; done"),
    "relative GIT_DIR": Scenario(
        "by_lines; mkdir sub; fails 1 git merge theirs; mv .git ../hidden; "
        "export GIT_DIR=../hidden; rui merge \"$doc\"; rui git status || :; cd sub; "
        "GIT_DIR=../../hidden GIT_WORK_TREE=.. rui merge \"../$doc\"; cd ..; mv ../hidden .git", ("rui",), BOTH),
    "relative GIT_DIR, from above": Scenario(
        "by_lines; fails 1 git merge theirs; folder=$(basename \"$PWD\"); cd ..; "
        "GIT_DIR=$folder/.git GIT_WORK_TREE=$folder GIT_INDEX_FILE=$folder/.git/index rui merge \"$folder/$doc\"; "
        "cd -",
        (), BOTH),
    "GIT_INDEX_FILE": Scenario(
        "by_lines; fails 1 git merge theirs; mv .git/index .git/second; "
        "GIT_INDEX_FILE=.git/second rui merge \"$doc\"", (), BOTH),
    "a link and a folder": Scenario(
        "ln -s \"$doc\" link.rui.json; mkdir d.rui.json; put BASE d.rui.json/x.txt; commit l; rm link.rui.json; "
        "ln -s gone link.rui.json; rui diff base HEAD || :; rui diff HEAD || :"),
    "another mode": Scenario("chmod +x \"$doc\"; commit x; git diff HEAD~; rui diff HEAD~ HEAD || test $? = 1"),
    "intent to add": Scenario("put BASE n.rui.json; git add -N n.rui.json; fails 1 rui diff HEAD", ("is new",)),
    "rui diff in a merge": Scenario(
        "fails 1 git merge clash; fails 2 rui diff HEAD; fails 1 rui diff base main; git diff",
        ("Merge conflict between ours and theirs",)),
    "SHA-256": Scenario(
        "git init -q --object-format=sha256 ../s; cd ../s; git config user.name a; git config user.email b; "
        "put BASE a.rui.json; commit a; put LABEL a.rui.json; fails 1 rui diff HEAD; commit b; "
        "fails 1 rui diff HEAD~ HEAD; "
        "rui git audit HEAD", ("No edit is lost in 0",)),
    "a merge on a server": Scenario(
        "by_lines; fails 1 git merge theirs; put LABEL \"$doc\"; commit m", (), LABEL,
        audit="“y” is new"),
}  # fmt: skip


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a repository `r`, the home of its user, and the texts of the scripts."""
    root = tmp_path_factory.mktemp("template")
    made = Repository(root / "r", root / "home")
    (root / "texts").mkdir()
    for name, text in TEXTS.items():
        (root / "texts" / name).write_text(text)
    made.rui("git", "install")
    made.git("config", "--global", "user.name", "A")
    made.git("config", "--global", "user.email", "a@example.org")
    made.commit(BASE, "base")
    made.git("tag", "base")
    for branch, text in (("theirs", ADDED), ("clash", CLASH), ("title", TITLE)):
        made.git("checkout", "--quiet", "-b", branch, "base")
        made.commit(text, branch)
    made.git("checkout", "--quiet", "main")
    made.commit(LABEL, "ours")
    made.git("tag", "ours")
    return root


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = SCENARIOS[name]
    shutil.copytree(template, tmp_path, dirs_exist_ok=True, symlinks=True)
    environment = {
        "HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "home" / "config"), "GIT_EDITOR": "true",
        "GIT_CONFIG_NOSYSTEM": "1", "TEXTS": str(tmp_path / "texts"), "BIN": str(BIN),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }  # fmt: skip
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    monkeypatch.chdir(tmp_path / "r")
    done = subprocess.run(
        ["sh", "-c", PRELUDE + scenario.script.replace("; ", "\n")], capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "Traceback" not in output and "internal error" not in output, output
    for words in scenario.words:
        assert words in output
    if scenario.result:
        text = Path(scenario.name).read_bytes().decode()
        assert json.loads(text) == json.loads(scenario.result)
        assert text.count("\r\n") == (text.count("\n") if "\r\n" in scenario.result else 0)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for arguments in (("git", "audit"), ("diff", "base")):
        ran = rui(*arguments)
        assert ran.code in {0, 1} or ran.err.count("\n") == 1, ran
        if arguments[0] == "git":
            assert scenario.audit in ran.out + ran.err
