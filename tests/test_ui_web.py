"""The page: hostile documents stay text, citations open, the browser talks to this server alone."""

import asyncio
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from ui_small_index import GADGET, ingest, write_documents

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.embedding import Embedder, open_embedder
from corpus.model import Authority
from corpus.versions import Version
from retrieval.model import Answer, Citation, Conflict, Intent, Interpretation, Status
from ui.http_api import create_app
from ui.live_assistant import LiveAssistant
from ui.question_desk import QuestionDesk
from ui.settings import load_settings
from ui.web.answer_html import escape, render_answer_html, render_coverage_html, render_failure_html
from ui.web.examples import example_questions
from ui.web.page import mount_page
from ui.web.surroundings import Surroundings

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

REPOSITORY = Path(__file__).parents[1]
CHROMIUM, CHROMEDRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{value}}${alert(1)}</mark></details>"
CITATION = Citation(
    n=1,
    document_id=3,
    quote="`spin` is deprecated.",
    source="widget/2.0.md",
    start=40,
    end=61,
    url="https://widget.example/2.0#:~:text=spin%20is%20deprecated.",
    title="Widget 2.0",
    product="widget",
    version="2.0",
    date=date(2024, 5, 1),
    authority=Authority.OFFICIAL,
    heading=("Widget 2.0", "Deprecations"),
)
ANSWER = Answer(
    question="Is spin deprecated?",
    status=Status.ANSWERED,
    confidence=0.9,
    answer="**Widget 2.0**: spin is deprecated. [1]",
    citations=(CITATION,),
    passages=(),
    conflicts=(),
    interpretation=Interpretation(("widget",), "2.0", ("spin",), Intent.STATUS),
    notes=(),
    elapsed_ms=12.0,
)
AROUND = {1: Surroundings("Before it. ", " After it.", True, False)}


class _Outline(HTMLParser):
    """Tags in order, and the text inside each kind of tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: dict[str, str] = {}
        self.attributes: list[tuple[str, str | None]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            self.texts[tag] = self.texts.get(tag, "") + data


def outline(markup: str) -> _Outline:
    parser = _Outline()
    parser.feed(markup)
    parser.close()
    assert not parser._open
    return parser


def test_answer_html_is_a_marker_and_a_card() -> None:
    assert render_answer_html(ANSWER, AROUND) == (
        '<div class="rn-answer rn-answered"><p><strong>Widget 2.0</strong>: spin is deprecated. '
        '<button type="button" class="rn-marker" data-card="rn-source-1" aria-controls="rn-source-1" '
        'aria-label="Show source 1">[1]</button></p></div>'
        '<section class="rn-sources" aria-label="Sources"><h2>Sources</h2>'
        '<details class="rn-card" id="rn-source-1"><summary><span class="rn-n">[1]</span> '
        '<span class="rn-title">Widget 2.0</span> <span class="rn-about">widget 2.0 · '
        '<time datetime="2024-05-01">2024-05-01</time></span> '
        '<span class="rn-badge rn-official">official</span></summary>'
        '<p class="rn-heading">Widget 2.0 › Deprecations</p>'
        '<blockquote tabindex="0">… Before it. <mark>`spin` is deprecated.</mark> After it.</blockquote>'
        '<p class="rn-place">widget/2.0.md, characters 40–61 · '
        '<a href="https://widget.example/2.0#:~:text=spin%20is%20deprecated." target="_blank" '
        'rel="noopener noreferrer">Open the original</a></p></details></section>'
        '<p class="rn-meta">Understood as: intent status · product widget · version 2.0 · symbols spin · '
        "confidence 90% · 12 ms</p>"
    )


def test_hostile_text_stays_text_wherever_it_stands() -> None:
    citation = replace(
        CITATION,
        quote=HOSTILE,
        title=HOSTILE,
        source=HOSTILE,
        product=HOSTILE,
        version=HOSTILE,
        heading=(HOSTILE,),
        url=f"https://widget.example/{HOSTILE}",
    )
    answer = replace(
        ANSWER,
        question=HOSTILE,
        answer=f"**{HOSTILE}**: {HOSTILE} `{HOSTILE}` [1]\n\n- {HOSTILE}\n\n```\n{HOSTILE}\n```",
        citations=(citation,),
        conflicts=(Conflict(HOSTILE, (1, 1)),),
        interpretation=Interpretation((HOSTILE,), HOSTILE, (HOSTILE,), Intent.FACT),
        notes=(HOSTILE,),
    )
    markup = render_answer_html(answer, {1: Surroundings(HOSTILE, HOSTILE, False, False)})
    found = outline(markup)
    assert {"script", "img"}.isdisjoint(found.tags)
    assert found.tags.count("mark") == found.tags.count("details") == 1
    assert found.texts["mark"] == HOSTILE
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert not re.search(r"[{}$]", markup)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//widget.example", None])
def test_only_web_addresses_are_linked(url: str | None) -> None:
    assert "<a " not in render_answer_html(replace(ANSWER, citations=(replace(CITATION, url=url),)), AROUND)


@pytest.mark.parametrize("text", ["Not found in the notes.", "The index covers widget 2.0."])
def test_not_found_begins_with_not_found(text: str) -> None:
    answer = replace(ANSWER, status=Status.NOT_FOUND, answer=text, citations=())
    found = outline(render_answer_html(answer, {}))
    assert found.texts["div"].startswith("Not found")
    assert found.texts["div"].count("Not found") == 1
    assert "details" not in found.tags


def test_partial_says_so_in_words() -> None:
    assert "Partly answered" in render_answer_html(replace(ANSWER, status=Status.PARTIAL), AROUND)


def test_conflicts_open_both_sides() -> None:
    markup = render_answer_html(replace(ANSWER, conflicts=(Conflict("the date", (1, 2)),)), AROUND)
    assert re.findall(r'data-card="rn-source-(\d)"', markup) == ["1", "1", "2"]
    assert "the date: " in html.unescape(markup)


@pytest.mark.parametrize("authority", Authority, ids=str)
def test_authority_is_a_word_not_a_colour(authority: Authority) -> None:
    markup = render_answer_html(replace(ANSWER, citations=(replace(CITATION, authority=authority),)), AROUND)
    assert f">{authority.value}</span></summary>" in markup


def test_undated_and_unversioned_sources_say_so() -> None:
    bare = replace(CITATION, version=None, date=None, heading=(), title="")
    found = outline(render_answer_html(replace(ANSWER, citations=(bare,)), AROUND))
    assert found.texts["summary"] == "[1] widget/2.0.md widget · undated official"


def _product(name: str, *versions: str, passages: int = 1) -> CatalogueProduct:
    releases = tuple(CatalogueRelease(Version.parse(version), None, ()) for version in versions)
    return CatalogueProduct(name, (), releases, documents=1, passages=passages)


COVERAGES: dict[str, tuple[tuple[CatalogueProduct, ...], str]] = {
    "nothing": ((), "The index is empty. Add release notes with relnotes ingest."),
    "one release": ((_product("widget", "2.0"),), "Covers widget\xa02.0 · 1 document"),
    "a range": ((_product("widget", "2.0", "1.5"),), "Covers widget\xa01.5–2.0 · 1 document"),
    "no versions": ((_product("widget"),), "Covers widget · 1 document"),
    "largest first": (
        (_product("a", "1.0"), _product("b", "2.0", passages=9)),
        "Covers b\xa02.0, a\xa01.0 · 2 documents",
    ),
    "many": (
        tuple(_product(name, "1.0") for name in "abcdefgh"),
        "Covers a\xa01.0, b\xa01.0, c\xa01.0, d\xa01.0, e\xa01.0, f\xa01.0 and 2 more products · 8 documents",
    ),
}


@pytest.mark.parametrize(("products", "line"), COVERAGES.values(), ids=COVERAGES.keys())
def test_coverage_line(products: tuple[CatalogueProduct, ...], line: str) -> None:
    assert outline(render_coverage_html(products)).texts["p"] == line


def test_examples_fit_the_index() -> None:
    assert example_questions([_product("widget", "3.0rc1", "2.0", "1.5")]) == (
        "What is new in widget 2.0?",
        "What was deprecated in widget 2.0?",
        "What breaks when I upgrade widget from 1.5 to 2.0?",
        "Which versions of widget are covered?",
    )
    assert example_questions([]) == ()


def test_examples_reach_the_second_product() -> None:
    asked = example_questions([_product("widget", "2.0", "1.5", passages=9), _product("gadget", "3.0", "2.0")])
    assert asked == (
        "What is new in widget 2.0?",
        "What was deprecated in widget 2.0?",
        "What is new in gadget 3.0?",
        "What was deprecated in gadget 3.0?",
    )


def test_examples_ask_about_releases_with_features() -> None:
    asked = example_questions([_product("widget", "2.0.1", "2.0.0", "1.5.3", "1.5")])
    assert asked[:1] == ("What is new in widget 2.0.0?",)
    assert asked[2:3] == ("What breaks when I upgrade widget from 1.5 to 2.0.0?",)
    assert example_questions([_product("widget", "2.0.1")])[0] == "What is new in widget 2.0.1?"


def test_failure_message_is_escaped() -> None:
    assert render_failure_html("<b>") == '<div class="rn-answer rn-failure"><p>&lt;b&gt;</p></div>'


@pytest.mark.parametrize("text", [HOSTILE, "a & b", "{{x}}", "${x}"])
def test_escaping_loses_nothing(text: str) -> None:
    assert html.unescape(escape(text)) == text


PAIRS = (
    ("text", "bg"),
    ("text", "panel"),
    ("text", "warn-tint"),
    ("soft", "bg"),
    ("soft", "panel"),
    ("accent", "bg"),
    ("accent", "panel"),
    ("accent", "accent-tint"),
    ("accent-strong", "accent-tint"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("mark-text", "mark"),
)


@pytest.mark.parametrize("scheme", [":root", ".dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_contrast_is_aa(scheme: str, text: str, ground: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    css = (REPOSITORY / "ui" / "web" / "page.css").read_text(encoding="utf-8")
    block = css.partition(f"{scheme} {{")[2].partition("}")[0]
    colours = dict(re.findall(r"--rn-([a-z-]+): (#[0-9a-f]{6});", block))
    lighter, darker = sorted((_luminance(colours[text]), _luminance(colours[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_page_names_no_other_host() -> None:
    for name in ("page.css", "page.js"):
        asset = (REPOSITORY / "ui" / "web" / name).read_text(encoding="utf-8")
        assert not re.search(r"https?://|@import|url\(", asset)


@pytest.fixture(scope="module")
def page(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("paths")
    ingest(write_documents(folder / "documents"), index=folder / "index", embedder=default_embedder)
    assistants = LiveAssistant(folder / "index", open_embedder=lambda: default_embedder)

    async def build() -> FastAPI:
        # In a running loop: without one, Gradio makes loops that it never closes.
        desk = QuestionDesk(max_questions=4, timeout_s=30)
        app = create_app(assistants, desk)
        mount_page(app, assistants, desk)
        return app

    app = asyncio.run(build())
    with TestClient(app, base_url="http://localhost:7860", raise_server_exceptions=False) as client:
        yield client
    assistants.close()


UNUSED_PATHS: dict[str, tuple[str, str, int]] = {
    "upload": ("POST", "/gradio_api/upload", 404),
    "progress of an upload": ("GET", "/gradio_api/upload_progress?upload_id=x", 404),
    "file": ("GET", "/gradio_api/file=/etc/hostname", 404),
    "another host": ("GET", "/gradio_api/proxy=https://a.example/", 404),
    "second way to an event": ("POST", "/gradio_api/run/submit", 404),
    "call by number": ("POST", "/gradio_api/call/0", 404),
    "recording": ("POST", "/gradio_api/process_recording", 404),
    "wrong method": ("GET", "/gradio_api/queue/join", 405),
    "longer name than a file has": ("GET", "/static/" + "x" * 5_000, 404),
    "writing to the page": ("POST", "/", 405),
}


@pytest.mark.parametrize(("method", "path", "status"), UNUSED_PATHS.values(), ids=UNUSED_PATHS.keys())
def test_what_the_page_does_not_use_is_refused(page: TestClient, method: str, path: str, status: int) -> None:
    response = page.request(method, path, json={"data": []} if method == "POST" else None)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("path", ["/", "/config", "/theme.css", "/gradio_api/info"])
def test_what_the_page_uses_is_served(page: TestClient, path: str) -> None:
    assert page.get(path).status_code == 200


@pytest.mark.parametrize(
    ("asked", "said"),
    [(("x" * 2_001, "", ""), "2,000 characters"), (("x", "", "1" * 201), "a filter 200"), (("x" * 2_000, "", ""), "")],
    ids=["question", "filter", "longest question"],
)
def test_limits_hold_on_the_events_of_the_page(page: TestClient, asked: tuple[str, str, str], said: str) -> None:
    functions = page.get("/config").json()["dependencies"]
    submit = next(function["id"] for function in functions if len(function["inputs"]) == 3)
    event = {"data": list(asked), "fn_index": submit, "session_hash": "test", "trigger_id": None}
    assert page.post("/gradio_api/queue/join", json=event).status_code == 200
    answered = page.get("/gradio_api/queue/data", params={"session_hash": "test"}).text
    assert "process_completed" in answered
    assert ("rn-failure" in answered) == bool(said)
    assert said in answered


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not (CHROMIUM.is_file() and CHROMEDRIVER.is_file()):
        pytest.skip("Chromium isn't installed (Debian: chromium and chromium-driver)")
    folder = tmp_path_factory.mktemp("page")
    embedder = open_embedder(cache_dir=load_settings().cache_dir)
    documents = write_documents(folder / "documents")
    ingest(REPOSITORY / "corpus" / "documents", documents, index=folder / "index", embedder=embedder)
    command = [sys.executable, "-c", "from ui.cli import main; main()", "serve", "--port", "0", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        [*command, "--index", str(folder / "index")], stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["address"]
        server.terminate()


@pytest.fixture
def chrome() -> "Iterator[Chrome]":
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,1400"):
        options.add_argument(flag)
    # Its own services apart, the browser reaches this machine only: what the page asks for elsewhere shows in the log.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = Chrome(options=options, service=Service(str(CHROMEDRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


def _ask(chrome: "Chrome", address: str, question: str) -> "WebElement":
    """Open the page, type into its first text box, press Enter, and wait for the answer."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    chrome.get(address)
    patience = WebDriverWait(chrome, 20)
    boxes = patience.until(
        lambda page: page.find_elements(By.CSS_SELECTOR, "textarea, input[type=text], input:not([type])")
    )
    patience.until(lambda page: page.find_elements(By.CSS_SELECTOR, ".rn-coverage"))
    boxes[0].send_keys(question, Keys.ENTER)
    patience.until(lambda page: page.find_elements(By.CSS_SELECTOR, "#rn-answer .rn-answer"))
    return chrome.find_element(By.ID, "rn-answer")


@pytest.mark.browser
@pytest.mark.slow
def test_a_question_is_answered_with_its_quote_marked_by_keyboard_alone(address: str, chrome: "Chrome") -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    answer = _ask(chrome, address, "How much faster is batched eigendecomposition on CUDA in PyTorch 2.12?")
    marker = answer.find_element(By.CSS_SELECTOR, "button.rn-marker")
    card = answer.find_element(By.ID, str(marker.get_attribute("data-card")))
    mark = card.find_element(By.TAG_NAME, "mark")
    assert marker.text == "[1]"
    assert not mark.is_displayed()
    marker.send_keys(Keys.ENTER)
    assert mark.is_displayed()
    documents = (REPOSITORY / "corpus" / "documents" / "pytorch").iterdir()
    assert any(str(mark.get_property("textContent")) in document.read_text(encoding="utf-8") for document in documents)
    assert {"PyTorch", "2.12"} <= set(card.find_element(By.CLASS_NAME, "rn-about").text.split())
    assert card.find_element(By.CLASS_NAME, "rn-badge").text == "digest"
    assert chrome.switch_to.active_element.tag_name == "summary"
    chrome.switch_to.active_element.send_keys(Keys.ENTER)
    assert not mark.is_displayed()
    assert answer.get_attribute("aria-live") == "polite"


@pytest.mark.browser
@pytest.mark.slow
def test_the_page_talks_to_its_own_server_alone(address: str, chrome: "Chrome") -> None:
    _ask(chrome, address, "What is new in PyTorch 2.9?")
    messages = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    hosts = {urlsplit(url).netloc for url in asked if not url.startswith("data:")}
    assert hosts == {urlsplit(address).netloc}
    assert [entry["message"] for entry in chrome.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.browser
@pytest.mark.slow
def test_not_found_says_so(address: str, chrome: "Chrome") -> None:
    answer = _ask(chrome, address, "How do I bake sourdough bread?")
    assert answer.text.startswith("Not found")


@pytest.mark.browser
@pytest.mark.slow
def test_markup_in_a_document_is_shown_not_run(address: str, chrome: "Chrome") -> None:
    from selenium.webdriver.common.by import By

    answer = _ask(chrome, address, "Where is the cache of Gadget kept in 3.1?")
    marks = [str(mark.get_property("textContent")) for mark in answer.find_elements(By.TAG_NAME, "mark")]
    assert any("<script>window.owned = true</script>" in mark and mark in GADGET for mark in marks)
    assert chrome.execute_script("return window.owned === undefined")


@pytest.mark.browser
@pytest.mark.slow
def test_dark_follows_the_system(address: str, chrome: "Chrome") -> None:
    grounds = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        _ask(chrome, address, "What is new in PyTorch 2.9?")
        grounds.append(chrome.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(255, 255, 255)", "rgb(18, 22, 29)"]
