"""The ids of stored specs, alone and at the end of an address."""

import re

_SPEC_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def canonical_spec_id(text: str) -> str | None:
    """Return a UUID in lower case, or None if `text` is not a UUID in its canonical form."""
    if not _SPEC_ID.fullmatch(text):
        return None
    return text.lower()


def spec_id_of(address: str) -> str | None:
    """Return the id in an id or at the end of the address of a spec or its page, or None if there is none.

    >>> spec_id_of("https://rui.example.org/specs/01890A5D-AC96-774B-BCCE-B302099A8057/?a=b#c")
    '01890a5d-ac96-774b-bcce-b302099a8057'
    """
    path = re.split("[?#]", address.strip(), maxsplit=1)[0]
    return canonical_spec_id(path.rstrip("/").rpartition("/")[2])
