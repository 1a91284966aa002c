"""The page in a real browser: Debian's Chromium, driven by Playwright, which may speak to this machine alone.

Every visit also checks what holds for the whole page: no request to any other host, no error in the console.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from warm_server import running_serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

CHROMIUM = Path("/usr/bin/chromium")
WIDTHS = {"phone": 390, "tablet": 820, "desk": 1440}


@contextmanager
def running_browser() -> "Iterator[Browser]":
    """Headless Chromium; skips where it isn't installed."""
    if not CHROMIUM.is_file():
        pytest.skip("Chromium isn't installed (Debian: chromium)")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
    # The browser reaches this machine only; what the page asks for elsewhere shows as a request.
    flags = ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=flags)
        try:
            # The one of all visitors who bring nothing of their own, with the page that forgets them: see `visit`.
            browser.new_context().new_page()
            yield browser
        finally:
            browser.close()


@contextmanager
def running_page(index: Path, **environment: str) -> Iterator[str]:
    """A real `relnotes serve` over `index`, and its address."""
    with running_serve(index, **environment) as (_, address):
        yield address


def _is_fault(message: "ConsoleMessage") -> bool:
    """A status that a test provokes is no fault; what breaks the policy, or a script, is."""
    return message.type == "error" and "the server responded with a status" not in message.text


def _forget(shared: "BrowserContext", address: str) -> None:
    """Close what a visitor opened, then clear what it stored, but for scripts that needn't come again."""
    origin = urlsplit(address)._replace(path="", query="", fragment="").geturl()
    blank, *opened = shared.pages
    for one in opened:
        one.close()
    session = shared.new_cdp_session(blank)
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()


@contextmanager
def visit(browser: "Browser", address: str, **context: Any) -> "Iterator[Page]":
    """A fresh visitor at `address`; `context` goes to Playwright (viewport, color_scheme, permissions).

    At the end, no request has left the machine and the console holds no error.
    """
    viewport = context.pop("viewport", {"width": 1100, "height": 1000})
    media = {name: context.pop(name) for name in ("color_scheme", "reduced_motion") if name in context}
    visitor = browser.new_context(**context) if context else browser.contexts[0]
    page = visitor.new_page()
    page.set_default_timeout(60_000)
    page.set_viewport_size(viewport)
    page.emulate_media(**media)
    hosts: set[str] = set()
    errors: list[str] = []
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.on("console", lambda message: errors.append(message.text) if _is_fault(message) else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(address)
        yield page
    finally:
        if context:
            visitor.close()
        else:
            _forget(visitor, address)
    # A download from memory and an icon in the sheet have no host.
    assert hosts - {""} == {urlsplit(address).netloc}
    assert not errors, "; ".join(errors)
