"""What a Host header or the host of a URL may be. The settings use it, so it needs the standard library alone."""

import re
from ipaddress import IPv6Address

_HOST = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[([0-9A-Fa-f:.]{2,45})\])(?::[0-9]{1,5})?")


def is_host(value: str) -> bool:
    """Return whether a Host header is a host name or an IP address, with or without a port."""
    match = _HOST.fullmatch(value)
    if match is None or match[1] is None:
        return match is not None
    try:
        IPv6Address(match[1])
    except ValueError:
        return False
    return True
