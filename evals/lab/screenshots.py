"""Pictures of the page for the README: a real server over what `make run` serves, in Chromium.

    python -m evals.lab.screenshots [FOLDER]

An answer at three widths in both themes, and each other page once; written to `docs/screenshots` as PNG of at most 128
colours.
"""

import argparse
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from evals.command import ROOT, run_command
from evals.lab.serving import run_ingest, started
from evals.suites import BUNDLED

_CHROMIUM = "/usr/bin/chromium"
_FLAGS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_FOLDER = ROOT / "docs" / "screenshots"
_HEIGHT, _COLOURS = 900, 128
_WIDTHS = (390, 820, 1440)
Theme = Literal["light", "dark"]
_THEMES: tuple[Theme, ...] = ("light", "dark")
QUESTION = "What was deprecated in PyTorch 2.12?"
_CLAIM = "TorchScript has been deprecated since PyTorch 2.10. PyTorch 2.12 made torchcomms the default."


_PATHS = {
    "start": "/",
    "upgrade": "/upgrade?product=Django&from=5.1&to=5.2",
    "review": "/review",
    "library": "/library",
    "product": "/p/Django",
    "quality": "/quality",
}


@contextmanager
def served_page(*sources: Path) -> Iterator[tuple[Browser, str]]:
    """Chromium, and the address of a server over an index of these, for a `with` block."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        index = Path(scratch) / "index"
        for source in sources:
            run_ingest(source, index)
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=list(_FLAGS))
        with started(index) as server:
            yield browser, server.address
        browser.close()


def _ask(page: Page) -> None:
    page.locator("#rn-question").fill(QUESTION)
    page.keyboard.press("Enter")
    page.locator(".rn-marker").first.wait_for()


def _review(page: Page) -> None:
    page.locator("#rn-review-text").fill(_CLAIM)
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator(".rn-evidence").first.wait_for()


_ACTS = {"ask": _ask, "review": _review}


def picture(browser: Browser, address: str, view: str, width: int, theme: Theme) -> bytes:
    """A page at a view, as PNG."""
    visitor = browser.new_context(
        viewport={"width": width, "height": _HEIGHT}, color_scheme=theme, reduced_motion="reduce"
    )
    try:
        page = visitor.new_page()
        page.goto(address)
        page.locator(".rn-age").wait_for()
        if view in _PATHS:
            page.goto(address + _PATHS[view])
        if view in _ACTS:
            _ACTS[view](page)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)
        return page.screenshot()
    finally:
        visitor.close()


def _smaller(png: bytes) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()


def main() -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=_FOLDER)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [("ask", width, theme) for width in _WIDTHS for theme in _THEMES]
    wanted += [(view, 1440, "light") for view in _PATHS]
    with served_page(BUNDLED.documents, ROOT / "CHANGELOG.md") as (browser, address):
        for view, width, theme in wanted:
            file = folder / f"{view}-{width}-{theme}.png"
            file.write_bytes(_smaller(picture(browser, address, view, width, theme)))
            print(file.name)
    return 0


if __name__ == "__main__":
    run_command(main)
