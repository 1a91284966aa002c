"""What every page has around it: policy, style and script by their digests, theme; what others may not read."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from page_app import page_app
from page_html import PageHtml

from corpus.embedding import Embedder

PAGES = ("/", "/upgrade", "/review", "/library", "/api", "/p/widget", "/documents/1", "/p/nothing", "/documents/99")
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@pytest.fixture(scope="module")
def client(own_index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with page_app(own_index, default_embedder, gradio=True) as client:
        yield client


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_and_wears_nothing_but_our_files(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.headers["content-security-policy"] == PAGE_POLICY
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert not re.search(
        r"<script(?! src=\"/assets/relnotes-[0-9a-f]{12}\.js\" defer></script>)|<style|style=|\son\w+=", response.text
    )
    assert not re.search(r"(?:src|href)=\"https?:(?![^\"]*example)", response.text)


@pytest.mark.parametrize("path", ["/v1/documents", "/healthz", "/config", "/openapi.json", "/nothing"])
def test_what_is_no_page_may_do_nothing(client: TestClient, path: str) -> None:
    headers = client.get(path, headers={"Origin": "https://evil.example", "X-Forwarded-Host": "evil.example"}).headers
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")
    assert (headers["cross-origin-resource-policy"], headers["referrer-policy"]) == ("same-origin", "no-referrer")
    assert not [name for name in headers if name.startswith("access-control-")]


def test_a_page_is_three_requests_and_sixty_kilobytes(client: TestClient) -> None:
    for path in ("/", "/review", "/api"):
        page = client.get(path).text
        needed = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
        assert len(needed) == 2
        files = [gzip.compress(client.get(name).content) for name in needed]
        assert sum(map(len, files)) + len(gzip.compress(page.encode())) < 60_000


def test_files_are_named_by_their_content_and_kept_for_good(client: TestClient) -> None:
    for name in re.findall(r'(?:src|href)="(/assets/[^"]+)"', client.get("/").text):
        response = client.get(name)
        assert "immutable" in response.headers["cache-control"]
        assert response.headers["content-type"].split(";")[0] in ("text/css", "text/javascript")
        assert client.get(name.replace("relnotes-", "relnotes-0")).status_code == 404


@pytest.mark.parametrize(("accepted", "encoding"), [("gzip, br", "gzip"), ("br", None), ("", None)])
@pytest.mark.parametrize("path", ["/library", "asset"])
def test_it_is_compressed_for_those_who_take_it(
    client: TestClient, path: str, accepted: str, encoding: str | None
) -> None:
    asset = re.findall(r'href="(/assets/[^"]+)"', client.get("/").text)[0]
    with client.stream("GET", asset if path == "asset" else path, headers={"Accept-Encoding": accepted}) as response:
        raw = b"".join(response.iter_raw())
    assert response.headers.get("content-encoding") == encoding
    assert len(gzip.decompress(raw) if encoding else raw) > 1_000
    assert "Accept-Encoding" in response.headers["vary"]


@pytest.mark.parametrize(
    ("whence", "said"), [("same-origin", "ours"), ("none", "ours"), ("cross-site", None), ("", None)]
)
def test_scripts_learn_whence_a_visitor_comes(client: TestClient, whence: str, said: str | None) -> None:
    assert client.get("/?q=x", headers={"Sec-Fetch-Site": whence}).headers.get("server-timing") == said


@pytest.mark.parametrize(("accept", "kind"), [("text/html,*/*", "text/html"), ("*/*", "application/problem+json")])
def test_what_is_not_there_is_a_page_for_people_and_a_problem_for_programs(
    client: TestClient, accept: str, kind: str
) -> None:
    missing = client.get("/nosuch", headers={"Accept": accept})
    assert (missing.status_code, missing.headers["content-type"].partition(";")[0]) == (404, kind)
    assert "There is nothing at /nosuch." in missing.text
    assert "POST /v1/ask" in PageHtml(client.get("/api").text).text
