"""The first response: the whole Ask tab is there before Gradio runs, whose scripts wait to be started."""

import gzip
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from ui.web.shell.page_shell import PageShell

GRADIO = (
    '<!doctype html><html><head><meta property="og:title" content="Gradio" />\n'
    '<meta\n\t\t\tproperty="og:description"\n content="x" /><meta name="twitter:card" content="x" />'
    '<script>window.gradio_config = {"components": []};</script>'
    '<script>const x = "static/iframeResizer.contentWindow.js";'
    '</script><script type="module" crossorigin src="./assets/index-x.js"></script>'
    '<link rel="stylesheet" crossorigin href="./assets/index-x.css"></head>'
    "<body><gradio-app></gradio-app></body></html>"
)


async def gradio(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers as Gradio does."""
    await HTMLResponse(GRADIO)(scope, receive, send)


@pytest.fixture
def client() -> TestClient:
    return TestClient(PageShell(gradio, styles=".rn-x{}", scripts="const ours = 1;"))


def test_the_page_has_a_head_and_a_header_of_its_own(client: TestClient) -> None:
    page = client.get("/").text
    head, _, body = page.partition("</head>")
    assert "og:" not in page
    assert "twitter:" not in page
    for part in ("<title>relnotes</title>", '<meta name="description"', '<link rel="icon"', ".rn-x{}", "const ours"):
        assert part in head
    assert body.index("<h1>relnotes</h1>") < body.index('<textarea id="rn-question"') < body.index("<gradio-app")
    assert not re.search(r"(?:src|href)=\"https?:", page)


def test_gradio_waits_to_be_started(client: TestClient) -> None:
    page = client.get("/").text
    assert "gradio_config" not in page
    assert "iframeResizer" not in page
    assert not re.search(r"<script[^>]+src=|<link rel=.stylesheet", page)
    assert '<meta name="rn-gradio-script" content="./assets/index-x.js">' in page
    assert '<meta name="rn-gradio-style" content="./assets/index-x.css">' in page


def test_it_is_made_once(client: TestClient) -> None:
    assert client.get("/").content == client.get("/?q=x").content


@pytest.mark.parametrize(
    ("whence", "said"),
    [("same-origin", "ours"), ("none", "ours"), ("same-site", None), ("cross-site", None), ("", None)],
)
def test_scripts_learn_whence_a_visitor_comes(client: TestClient, whence: str, said: str | None) -> None:
    assert client.get("/?q=x", headers={"Sec-Fetch-Site": whence}).headers.get("server-timing") == said


@pytest.mark.parametrize(("accepted", "encoding"), [("gzip, br", "gzip"), ("br", None), ("", None)])
def test_it_is_compressed_for_those_who_take_it(client: TestClient, accepted: str, encoding: str | None) -> None:
    with client.stream("GET", "/", headers={"Accept-Encoding": accepted}) as response:
        raw = b"".join(response.iter_raw())
    assert response.headers.get("content-encoding") == encoding
    assert int(response.headers["content-length"]) == len(raw)
    assert response.headers["vary"] == "Accept-Encoding, Sec-Fetch-Site"
    assert b"<h1>relnotes</h1>" in (gzip.decompress(raw) if encoding else raw)


def test_a_page_of_another_shape_is_passed_on() -> None:
    app = FastAPI()
    app.get("/", response_class=HTMLResponse)(lambda: "<p>plain</p>")
    assert TestClient(PageShell(app, styles="", scripts="")).get("/").text == "<p>plain</p>"
