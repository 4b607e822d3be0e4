"""Paths that lead to another computer."""


def is_network_path(path: str) -> bool:
    r"""Return whether Windows looks for a path on another computer: ``\\host\share`` or ``//host/share``.

    Opening it sends credentials of the user to the host.
    """
    return path.replace("\\", "/").startswith("//")
