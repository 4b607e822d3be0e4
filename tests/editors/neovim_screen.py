"""The screen of a Neovim, as its user interface protocol draws it (`:help ui-linegrid`), as a page of HTML."""

from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tests.editors.neovim import Neovim

COLUMNS, ROWS = 96, 25
STYLE = """
pre { margin: 0; padding: 8px; font: 14px/19px "DejaVu Sans Mono", monospace }
span { display: inline-block; height: 19px }
"""


class Cell(NamedTuple):
    """A character, and the id of its highlight. The right half of a wide character is empty."""

    text: str = " "
    highlight: int = 0


class NeovimScreen(Neovim):
    """A Neovim with an attached user interface of `COLUMNS` × `ROWS` cells.

    Attributes:
        cells: the rows of the screen.
        cursor: its row and column.
    """

    def __init__(self, folder: Path, config: str = "", **options: Any) -> None:
        self.cells = [[Cell()] * COLUMNS for _ in range(ROWS)]
        self.cursor = (0, 0)
        self._highlights: dict[int, dict[str, Any]] = {0: {}}
        self._colors = (0, 0xFFFFFF, 0xFF0000)
        super().__init__(folder, config, **options)
        self.request("nvim_ui_attach", COLUMNS, ROWS, {"rgb": True, "ext_linegrid": True})

    def text_of_screen(self) -> str:
        """Return the characters of the screen."""
        self.request("nvim_get_mode")  # Receives what has been drawn.
        return "\n".join("".join(cell.text for cell in row).rstrip() for row in self.cells)

    def notified(self, method: str, arguments: list[Any]) -> None:
        if method != "redraw":
            return
        for name, *calls in arguments:
            handler = getattr(self, f"_on_{name}", None)
            for call in calls if handler else ():
                handler(*call)

    def _on_default_colors_set(self, foreground: int, background: int, special: int, *_: int) -> None:
        self._colors = (foreground, background, special)

    def _on_hl_attr_define(self, number: int, rgb: dict[str, Any], *_: object) -> None:
        self._highlights[number] = rgb

    def _on_grid_clear(self, _grid: int) -> None:
        self.cells = [[Cell()] * COLUMNS for _ in range(ROWS)]

    def _on_grid_cursor_goto(self, _grid: int, row: int, column: int) -> None:
        self.cursor = (row, column)

    def _on_grid_line(self, _grid: int, row: int, column: int, cells: list[list[Any]], *_: object) -> None:
        highlight = 0
        for text, *more in cells:
            highlight = more[0] if more else highlight
            count = more[1] if len(more) > 1 else 1
            self.cells[row][column : column + count] = [Cell(text, highlight)] * count
            column += count

    def _on_grid_scroll(self, _grid: int, top: int, bottom: int, left: int, right: int, rows: int, _: int) -> None:
        before = [row[:] for row in self.cells]
        for row in range(max(top, top - rows), min(bottom, bottom - rows)):
            self.cells[row][left:right] = before[row + rows][left:right]

    def to_html(self) -> str:
        """Return the screen as a page."""
        row, column = self.cursor
        cells = [line[:] for line in self.cells]
        self._highlights[-1] = {"reverse": True}
        cells[row][column] = Cell(cells[row][column].text, -1)
        lines = [
            "".join(self._run("".join(cell.text for cell in run), number) for number, run in grouped(line))
            for line in cells
        ]
        foreground, background, _ = map(_color, self._colors)
        style = f"{STYLE}body {{ margin: 0; color: {foreground}; background: {background} }}"
        body = "\n".join(lines)
        return f"<style>{style}</style><pre>{body}</pre>"

    def _run(self, text: str, highlight: int) -> str:
        """Return cells with the same highlight."""
        look = self._highlights.get(highlight, {})
        colors = [look.get("foreground", self._colors[0]), look.get("background", self._colors[1])]
        if look.get("reverse"):
            colors.reverse()
        style = f"color:{_color(colors[0])};background:{_color(colors[1])}"
        if look.get("bold"):
            style += ";font-weight:bold"
        if look.get("italic"):
            style += ";font-style:italic"
        for name, line in {"underline": "solid", "undercurl": "wavy"}.items():
            if look.get(name):
                style += f";text-decoration:underline {line} {_color(look.get('special', self._colors[2]))}"
        return f'<span style="{style}">{escape(text)}</span>'


def grouped(cells: list[Cell]) -> list[tuple[int, list[Cell]]]:
    """Return runs of cells with the same highlight."""
    return [(number, list(run)) for number, run in groupby(cells, key=lambda cell: cell.highlight)]


def _color(number: int) -> str:
    return f"#{number:06x}"
