"""Writes the settings of the service into docs/operations.md: ``python -m deploy.make_settings``."""

from pathlib import Path

from rui_api.config.options import OPTIONS
from rui_common.describe.markdown import table

PAGE = Path(__file__).parent.parent / "docs" / "operations.md"
BEGIN = "<!-- `make docs` writes the table from `Settings` of rui_api/config/options.py. -->\n"
END = "<!-- End of the generated table. -->\n"


def with_settings(page: str) -> str:
    """Return the text of the page with the table of all settings between the two markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = [
        [f"`{option.flag}`", f"`{option.variable}`", option.setting.help, option.shown_default] for option in OPTIONS
    ]
    return f"{before}{BEGIN}\n{table(['Option', 'Variable', 'Meaning', 'Default'], rows)}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_settings(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
