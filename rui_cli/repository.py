"""Names of files as the services expect them that annotate the files of a repository."""

import os
from functools import cache

from rui_cli.files import STDIN_NAME
from rui_common.document_files import leads_out

GIT = ".git"  # the folder of git; a file in worktrees and submodules


def name_in_repository(name: str) -> str:
    """Return the name of a file relative to the root of its repository, in normal form.

    Links are resolved, as the target has the lines. A file outside of a repository has a name relative to the current
    folder, if it is below it, or else an absolute one.
    """
    return _relative(name, _root_of(name))


def name_in_folder(name: str) -> str:
    """Return the name of a file relative to the current folder if both are in one repository (reviewdog adds it)."""
    root = _root_of(name)
    is_shared = not leads_out(name, root) and not leads_out(os.path.abspath(GIT), root)
    return _relative(name, os.curdir, may_lead_out=is_shared)


def _root_of(name: str) -> str:
    return _root_of_folder(os.path.dirname(os.path.realpath(name)), os.environ.get("GITHUB_WORKSPACE", ""))


@cache
def _root_of_folder(folder: str, workspace: str) -> str:
    """Return the root of the repository around a folder, or the current folder without one.

    In GitHub Actions the workspace comes first if it is a repository: a submodule has no pages of its own there.
    """
    is_inside = bool(workspace) and not leads_out(os.path.join(folder, GIT), workspace)
    if is_inside and os.path.exists(os.path.join(workspace, GIT)):
        return workspace
    root = folder
    while not os.path.exists(os.path.join(root, GIT)):
        parent = os.path.dirname(root)
        if parent == root:
            if is_inside:
                return workspace
            return os.curdir
        root = parent
    return root


def _relative(name: str, folder: str, *, may_lead_out: bool = False) -> str:
    if name == STDIN_NAME:
        return name
    path = os.path.realpath(name)
    if leads_out(path, folder) and not may_lead_out:
        return path.replace(os.sep, "/")
    return os.path.relpath(path, os.path.realpath(folder)).replace(os.sep, "/")
