"""What the process does with its memory once it serves."""

import platform
import subprocess
import sys

import pytest

LARGE = """
import ctypes
from rui_api.process import settle
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
libc.sbrk.argtypes = [ctypes.c_ssize_t]
settle()
sizes = [libc.sbrk(0)]
bodies = [bytes(300_000) for _ in range(20)]
sizes.append(libc.sbrk(0))
bodies.clear()
sizes.append(libc.sbrk(0))
print(sizes[1] - sizes[0], sizes[2] - sizes[0])
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="malloc is told so in glibc alone")
def test_what_large_bodies_took_is_kept_for_the_next() -> None:
    shown = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=True).stdout
    taken, kept = map(int, shown.split())
    assert taken > 5_000_000, "from the heap, not each from the system"
    assert kept == taken
