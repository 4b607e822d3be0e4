"""Files that change while they are read."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from rui_common.document_files import MAX_FILE_BYTES, read_file, read_limited


class Endless(io.RawIOBase):
    """A file that grows faster than it is read. It counts the bytes that were read."""

    def __init__(self) -> None:
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        self.count += len(buffer)
        return len(buffer)


def test_a_file_that_grows_is_read_up_to_the_limit() -> None:
    endless = Endless()
    with pytest.raises(OSError, match="more than 16,777,216 bytes"):
        read_limited(io.BufferedReader(endless, 1))
    assert endless.count == MAX_FILE_BYTES + 1


def test_a_file_that_becomes_a_pipe_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "regular").touch()
    os.mkfifo(tmp_path / "pipe")
    status = (tmp_path / "regular").stat()
    monkeypatch.setattr(os, "stat", lambda _: status)
    with pytest.raises(OSError, match="it is no regular file"):
        read_file(str(tmp_path / "pipe"))
