"""The version of the toolkit, as in `pyproject.toml`. Reading it from the installed package takes milliseconds."""

TOOL_VERSION = "0.1.0"

DOCUMENTATION_URL = "https://rui-toolkit.readthedocs.io/en/latest"
"""The address of the published documentation, without a slash at the end: `site_url` of mkdocs.yml, and of links in
README.md. Editors do not link to it: the language server does not know if it is published."""
