"""`make images`: write screenshots of the pages to docs/images."""

import json
import sys
import tempfile
from pathlib import Path

from rui_api.app import create_app
from rui_api.config.options import Settings
from tests.rui_api.live import running
from tests.rui_inspector.browser import chromium, later, loaded, tab
from tests.rui_inspector.editor import CONTENT, write
from tests.support.examples import DESK

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def main(folder: Path) -> None:
    """Write every image."""
    with (
        tempfile.TemporaryDirectory() as store,
        chromium() as browser,
        running(create_app(Settings(store=f"sqlite:///{store}/rui.db"))) as service,
    ):
        desk = service.store(DESK)["viewUrl"]
        other = service.store(later())["specId"]
        broken = (
            json.dumps(DESK, indent=2).replace('"stack"', '"stak"', 1).replace('"pageId": "stock"', '"pageId": "stok"')
        )
        pictures: dict[str, tuple[str, dict[str, object]]] = {
            "inspector": (desk, {"width": 1440, "height": 1250}),
            "inspector-dark": (f"{desk}?open=outline", {"width": 1440, "height": 1250, "color_scheme": "dark"}),
            "inspector-narrow": (desk, {"width": 360, "height": 1400}),
            "comparison": (f"{desk}/compare/{other}", {"width": 1100, "height": 1150}),
            "front": (service.url, {"width": 1440, "height": 900}),
        }
        for name, (url, options) in pictures.items():
            with tab(browser, url, **options) as view:
                if name.startswith("inspector"):
                    loaded(view)
                if name == "front":
                    view.page.locator(CONTENT).wait_for()
                    write(view, broken)
                    view.page.keyboard.press("F8")
                    view.page.keyboard.press("F8")
                    view.page.locator(".at-cursor").wait_for()
                view.page.screenshot(path=folder / f"{name}.png")
                print(folder / f"{name}.png")
        with tab(browser, desk) as view:
            view.page.emulate_media(media="print")
            view.page.set_viewport_size({"width": 794, "height": 1123})
            view.page.screenshot(path=folder / "inspector-print.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
