"""The version of the toolkit, as in `pyproject.toml`, and where it comes from.

Reading the version from the installed package takes milliseconds.
"""

TOOL_VERSION = "0.1.0"

DOCUMENTATION_URL = "https://OWNER-rui-toolkit.readthedocs.io/en/latest"
"""The address of the documentation when the owner of a copy has published it, without a slash at the end: `site_url` of
mkdocs.yml. Editors do not link to it."""


def missing_package(name: str | None, extra: str) -> str:
    """Return how to install the packages of an extra, of which `name` is missing. No index has the toolkit."""
    return f'{name} is not installed: pip install ".[{extra}]" in a checkout of the RUI toolkit'
