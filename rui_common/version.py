"""The versions of the toolkit and of the vocabulary, and where the toolkit comes from."""

TOOL_VERSION = "0.1.0"
"""The version of the package, which pyproject.toml has, too: to read it from there takes milliseconds."""

RUI_VERSION = "0.1"
"""The version of the vocabulary and its rules."""

DOCUMENTATION_URL = "https://OWNER-rui-toolkit.readthedocs.io/en/latest"
"""The address of the documentation when the owner of a copy has published it, without a slash at the end: `site_url` of
mkdocs.yml. Editors do not link to it."""


def missing_package(name: str | None, extra: str) -> str:
    """Return how to install the packages of an extra, of which `name` is missing. No index has the toolkit."""
    return f'{name} is not installed: pip install ".[{extra}]" in a checkout of the RUI toolkit'
