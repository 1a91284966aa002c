"""How the page loads, in Chromium: a real server over the bundled corpus, for a desk and for a mid-range phone.

    python -m evals.lab.page_load [--visits N]

The phone is a quarter as fast, and what it loads comes as Lighthouse's "slow 4G" brings it: 1.6 Mbit/s down, 750 kbit/s
up, 150 ms until a response begins. Chromium adds them to each request, not to making a connection. "Cold" is a browser
that was never here, "warm" one that was and kept what it may keep of files, but nothing of what was asked. The server
has answered a visitor before. Medians of N visits each, times from when the address was entered:

- The question box is *usable* when Enter in it sent a question. The first text box that is shown and enabled gets a
  question and Enter in the same moment; where nothing is sent that holds the question, because what was typed was lost
  or Enter did nothing yet, both are tried again. So it is the time of an Enter that worked. A box that is drawn before
  its script has come doesn't count, and what it is typed into need not know how the page sends.
- The first marker is that of the question which was sent so, while the rest of the page may still be loading.
- The Upgrade page is usable when, opened by its address, its first control is shown, enabled and under nothing else.
- Requests are those that went to the server, and bytes what came of them as the browser tells pages, which counts 300
  for any headers; "in all" is until the network is idle, to a visitor who only looks.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import unquote_plus

from playwright.sync_api import Browser, BrowserContext, Page, Request

from evals.command import render_table, run_command
from evals.lab.screenshots import QUESTION, served_page
from evals.lab.trials import TrialClock, describe_machine
from evals.suites import BUNDLED

_VISITS = 5
_TRY_AGAIN_MS = 250
_BOX = "textarea, input[type=text]"
_CONTROL = "main :is(input, textarea, select, button)"
# Runs before anything of the page. Every frame it looks for what is waited for, and no more once it was seen.
_WATCH = """
(() => {
  const isShown = (found) => found.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isUsable = (control) => {
    if (control.disabled || control.readOnly || !isShown(control)) return false;
    const { left, top, width, height } = control.getBoundingClientRect();
    return control.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  const seen = (selector, isWanted) => new Promise((resolve) => {
    const look = () => {
      const found = [...document.querySelectorAll(selector)].find(isWanted);
      if (found) resolve([found, performance.now()]);
      else requestAnimationFrame(look);
    };
    look();
  });
  const enters = [];
  addEventListener("keydown", ({ key }) => { if (key === "Enter") enters.push(performance.now()); }, true);
  window.pageLoad = {
    enters,
    typeInto: async (selector) => {
      const [box] = await seen(selector, isUsable);
      box.focus();
      box.select();
    },
    usable: async (selector) => (await seen(selector, isUsable))[1],
    shown: async (selector) => (await seen(selector, isShown))[1],
    requests: () => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ transferSize }) => transferSize > 0)
      .map(({ name, startTime, transferSize }) => ({ name, startTime, transferSize })),
    painted: () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  };
})();
"""


@dataclass(frozen=True, slots=True)
class Device:
    """What somebody opens the page with."""

    name: str
    context: Mapping[str, Any]
    """Of the browser's window."""
    slowdown: int = 1
    """How many times slower than this machine it computes."""
    network: Mapping[str, float] | None = None
    """As Chromium emulates it; None: as it is."""


DESK = Device("desk", {"viewport": {"width": 1440, "height": 900}})
PHONE = Device(
    "phone",
    {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True},
    slowdown=4,
    network={"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8},
)


Load = Mapping[str, float]
"""What one visitor met, or the medians of several: milliseconds since the address was entered, counts and bytes.

`painted_ms` is until the first contentful paint, `usable_ms` until an Enter in the question box sent what was typed,
`marker_ms` from that Enter to the answer's first marker, `upgrade_ms` until the Upgrade page could be used.
"""


@contextmanager
def _opened(visitor: BrowserContext, device: Device, address: str) -> Iterator[Page]:
    """The page at an address, of which nothing need have come yet; who comes next finds nothing of it but files."""
    page = visitor.new_page()
    page.add_init_script(_WATCH)
    chromium = visitor.new_cdp_session(page)
    chromium.send("Emulation.setCPUThrottlingRate", {"rate": device.slowdown})
    if device.network is not None:
        chromium.send("Network.emulateNetworkConditions", {"offline": False, **device.network})
    page.goto(address, wait_until="commit")
    try:
        yield page
    finally:
        storage = {"origin": page.evaluate("origin"), "storageTypes": "cookies,local_storage,indexeddb,cache_storage"}
        chromium.send("Storage.clearDataForOrigin", storage)
        page.close()


def _look(visitor: BrowserContext, device: Device, address: str) -> dict[str, float]:
    """Open the page and wait until nothing more comes."""
    with _opened(visitor, device, address) as page:
        page.wait_for_load_state("networkidle")
        requests = page.evaluate("pageLoad.requests()")
        return {
            "painted_ms": page.evaluate("pageLoad.painted()"),
            "requests": len(requests),
            "transferred_bytes": sum(request["transferSize"] for request in requests),
        }


def _ask(visitor: BrowserContext, device: Device, address: str) -> dict[str, float]:
    """Open the page and ask as soon as it can be done."""
    asks: list[str] = []

    def hear(request: Request) -> None:
        if QUESTION in unquote_plus(request.url + (request.post_data or "")):
            asks.append(request.url)

    with _opened(visitor, device, address) as page:
        page.on("request", hear)
        while not asks:
            page.evaluate(f"pageLoad.typeInto('{_BOX}')")
            page.keyboard.insert_text(QUESTION)
            page.keyboard.press("Enter")
            tried = time.monotonic()
            while not asks and time.monotonic() - tried < _TRY_AGAIN_MS / 1000:
                page.wait_for_timeout(10)
        marker = page.evaluate("pageLoad.shown('.rn-marker')")
        enters, requests = page.evaluate("[pageLoad.enters, pageLoad.requests()]")
        # On a busy machine another one may have been pressed before the request was heard of.
        sent = min(request["startTime"] for request in requests if request["name"] == asks[0])
        usable = max((enter for enter in enters if enter <= sent), default=enters[0])
        before = [request for request in requests if request["startTime"] < min(usable, sent)]
        return {"usable_ms": usable, "requests_until_usable": len(before), "marker_ms": marker - usable}


def _open_upgrade(visitor: BrowserContext, device: Device, address: str) -> dict[str, float]:
    with _opened(visitor, device, f"{address}/upgrade") as page:
        return {"upgrade_ms": page.evaluate(f"pageLoad.usable('{_CONTROL}')")}


def measure_loads(browser: Browser, device: Device, address: str) -> tuple[Load, Load]:
    """One cold load of the page on a device, and one warm one, each put together from visitors who do one thing."""
    loads: list[dict[str, float]] = [{}, {}]
    for visit in (_look, _ask, _open_upgrade):
        visitor = browser.new_context(**device.context)
        try:
            # Whoever comes a second time finds the files of a whole load.
            loads[0] |= visit(visitor, device, address)
            if visit is not _look:
                _look(visitor, device, address)
            loads[1] |= visit(visitor, device, address)
        finally:
            visitor.close()
    return loads[0], loads[1]


def median_load(loads: Sequence[Load]) -> Load:
    """The median of each figure."""
    return {name: median(load[name] for load in loads) for name in loads[0]}


def render_loads(loads: Mapping[str, Load]) -> str:
    """A Markdown table of loads by what they are called."""
    header = (
        "", "requests until usable", "in all", "transferred", "first paint", "question box usable",
        "from Enter to the first marker", "Upgrade usable",
    )  # fmt: skip
    return render_table(
        header,
        (
            (
                name,
                f"{load['requests_until_usable']:.0f}",
                f"{load['requests']:.0f}",
                f"{load['transferred_bytes'] / 1000:,.0f} kB",
                *(f"{load[f'{what}_ms'] / 1000:.2f} s" for what in ("painted", "usable", "marker", "upgrade")),
            )
            for name, load in loads.items()
        ),
    )


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=_VISITS, help="how many of each kind (default: %(default)s)")
    options = parser.parse_args()
    clock = TrialClock.start()
    loads: dict[str, list[Load]] = {}
    with served_page(BUNDLED.documents) as (browser, address):
        # The first visitors of a server wait for what it then keeps.
        measure_loads(browser, DESK, address)
        for _ in range(options.visits):
            for device in (DESK, PHONE):
                cold, warm = measure_loads(browser, device, address)
                loads.setdefault(f"{device.name}, cold", []).append(cold)
                loads.setdefault(f"{device.name}, warm", []).append(warm)
    busy = f"{clock.load:.1f} to {TrialClock.start().load:.1f}"
    print(render_loads({name: median_load(visits) for name, visits in loads.items()}))
    print(f"\n{clock.began:%Y-%m-%d}, {options.visits} visits each, {describe_machine()}, load {busy}.")
    return 0


if __name__ == "__main__":
    run_command(main)
