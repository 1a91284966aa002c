"""What the measurement of the page calls usable, on a page whose times are known: Chromium and a server of our own."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from page_browser import running_browser

from evals.lab.page_load import DESK, measure_loads, median_load, render_loads

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SCRIPT_COMES_MS, ANSWER_TAKES_MS = 700, 300
PAGE = f"""<!doctype html><link rel="icon" href="data:,"><h1>Ask</h1>
<textarea hidden></textarea><textarea disabled></textarea><textarea id="box"></textarea><div id="answer"></div>
<nav><a aria-current="page">Upgrade</a></nav><main><input disabled id="product"></main>
<script>
setTimeout(() => {{
  product.disabled = false;
  // Whatever was typed before is lost, as where a framework draws the box anew.
  box.value = "";
  box.addEventListener("keydown", async (event) => {{
    if (event.key !== "Enter") return;
    await fetch("/ask", {{ method: "POST", body: JSON.stringify([box.value]) }});
    setTimeout(() => {{ answer.innerHTML = '<a class="rn-marker">1</a>'; }}, {ANSWER_TAKES_MS});
  }});
}}, {SCRIPT_COMES_MS});
</script>"""


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer(PAGE)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer("")

    def _answer(self, content: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, *told: object) -> None:
        pass


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_box_is_usable_once_an_enter_in_it_sends_what_was_typed(browser: "Browser", address: str) -> None:
    for load in measure_loads(browser, DESK, address):
        assert 0 < load["painted_ms"] < SCRIPT_COMES_MS <= load["usable_ms"]
        assert load["marker_ms"] >= ANSWER_TAKES_MS
        assert load["upgrade_ms"] >= SCRIPT_COMES_MS
        assert (load["requests_until_usable"], load["requests"]) == (1, 1)
        assert len(PAGE) < load["transferred_bytes"] < len(PAGE) + 500


def test_the_table_has_the_median_of_each_figure() -> None:
    figures = (
        "painted_ms", "usable_ms", "requests_until_usable", "marker_ms", "upgrade_ms", "requests", "transferred_bytes",
    )  # fmt: skip
    told = ((200, 900, 10, 400, 2000, 12, 40_000), (300, 700, 12, 500, 1000, 14, 60_000))
    loads = [dict(zip(figures, one, strict=True)) for one in told]
    table = render_loads({"desk, cold": median_load([*loads, loads[0]])})
    assert table.endswith("| desk, cold | 10 | 12 | 40 kB | 0.20 s | 0.90 s | 0.40 s | 2.00 s |")
