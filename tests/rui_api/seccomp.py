"""Run a Python module under a filter of system calls: `python -m tests.rui_api.seccomp NAME,… MODULE ARGUMENT…`.

The filter is that of systemd's `SystemCallFilter=` with an allow-list: another system call ends the process. It is
inherited by all processes that the module starts.
"""

import ctypes
import os
import sys
from collections.abc import Iterable

KILL_PROCESS = 0x80000000
ALLOW = 0x7FFF0000
UNKNOWN = -1


def allow_only(names: Iterable[str]) -> None:
    """Install the filter. Names that this architecture does not have are skipped, as systemd does."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(KILL_PROCESS)))
    assert context, "seccomp_init"
    for name in names:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number != UNKNOWN:
            assert library.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), number, 0) == 0, name
    assert library.seccomp_load(context) == 0, "seccomp_load"


if __name__ == "__main__":
    allow_only(sys.argv[1].split(","))
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[2:]])
