"""Pictures of the page for the README: `python -m evals.lab.screenshots [FOLDER]`, by default `docs/screenshots`.

A real server over what `make run` serves, in Chromium; PNG of at most 128 colours. An answer at three widths in both
themes, and each other page once.
"""

import io
import sys
import tempfile
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import sync_playwright

from evals.command import ROOT, run_command
from evals.lab.processes import run_ingest, started
from evals.suites import BUNDLED

_CLAIM = "TorchScript has been deprecated since PyTorch 2.10. PyTorch 2.12 made torchcomms the default."
_ASK = f"/?q={quote('What was deprecated in PyTorch 2.12?')}"
_THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_VIEWS = (
    *(("ask", _ASK, width, theme) for width in (390, 820, 1440) for theme in _THEMES),
    ("start", "/", 1440, "light"),
    ("upgrade", "/upgrade?product=Django&from=5.1&to=5.2", 1440, "light"),
    ("review", "/review", 1440, "light"),
    ("library", "/library", 1440, "light"),
    ("product", "/p/Django", 1440, "light"),
)


def main() -> int:
    """Write the pictures."""
    from PIL import Image

    folder = Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        index = Path(scratch) / "index"
        run_ingest(BUNDLED.documents, index)
        run_ingest(ROOT / "CHANGELOG.md", index)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        with started(index) as address:
            for view, path, width, theme in _VIEWS:
                page = browser.new_page(
                    viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
                )
                page.goto(address + path)
                if view == "ask":
                    page.locator(".rn-marker").first.wait_for()
                if view == "review":
                    page.locator("#rn-review-text").fill(_CLAIM)
                    page.get_by_role("button", name="Review", exact=True).click()
                    page.locator(".rn-evidence").first.wait_for()
                page.wait_for_timeout(500)
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                file = folder / f"{view}-{width}-{theme}.png"
                picture.quantize(128, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
                print(file.name)
                page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    run_command(main)
