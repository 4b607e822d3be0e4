"""Which paths lead to another computer on Windows."""

import pytest

from rui_common.network_path import is_network_path


@pytest.mark.parametrize("path", [r"\\host\share", "//host/share", r"\/host", r"\\?\UNC\host\share", r"\\.\pipe\x"])
def test_network_paths(path: str) -> None:
    assert is_network_path(path)


@pytest.mark.parametrize("path", ["", "/home/a", r"C:\a", "a//b", "a.yaml", r"..\a"])
def test_local_paths(path: str) -> None:
    assert not is_network_path(path)
