"""Gradio's files: asked of it once, kept by the browser, and only where the name holds the digest."""

import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from ui.web.shell import page_shell
from ui.web.shell.page_shell import PageAssets


class Gradio:
    """Answers with the path, the headers and the query asked with, and counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(scope["path"])
        headers = dict(scope["headers"])
        accepted = headers.pop(b"accept-encoding", b"").decode()
        status = 404 if "absent" in scope["path"] else 200
        text = f"{scope['path']} {sorted(headers)} {scope['query_string']} {accepted}"
        await PlainTextResponse(text, status_code=status)(scope, receive, send)


KEPT: dict[str, tuple[str, bool]] = {
    "a script named by its digest": ("/assets/index-DphvyggB.js", True),
    "with a number after it": ("/assets/Index-Akn07EZk2.js", True),
    "a style": ("/assets/Index-CDyOSUJJ.css", True),
    "the theme by its digest": ("/theme.css?v=abc", True),
    "the theme": ("/theme.css", False),
    "a name without a digest": ("/assets/logo.js", False),
    "a way round to a name": ("/assets/%2E/index-DphvyggB.js", False),
    "what isn't there": ("/assets/absent-DphvyggB.js", False),
    "the page": ("/", False),
    "its settings": ("/config", False),
}


@pytest.mark.parametrize(("path", "is_kept"), KEPT.values(), ids=KEPT.keys())
def test_only_what_is_named_by_its_digest_is_kept(path: str, is_kept: bool) -> None:
    gradio = Gradio()
    client = TestClient(PageAssets(gradio))
    responses = [client.get(path) for _ in range(2)]
    assert len({response.text for response in responses}) == 1
    assert len(gradio.asked) == (1 if is_kept else 2)
    assert all(("immutable" in response.headers.get("cache-control", "")) == is_kept for response in responses)


def test_each_encoding_is_kept_apart() -> None:
    client = TestClient(PageAssets(Gradio()))
    texts = [
        client.get("/assets/index-DphvyggB.js", headers={"Accept-Encoding": encoding}).text
        for encoding in ("br", "gzip") * 2
    ]
    assert [text.split()[-1] for text in texts] == ["br", "gzip", "br", "gzip"]


ASKED_OTHERWISE: dict[str, tuple[str, dict[str, str]]] = {
    "queries": ("?{}", {}),
    "wishes for an encoding": ("", {"Accept-Encoding": "br;q=1, x-{}"}),
    "origins": ("", {"Origin": "http://{}.example"}),
    "languages": ("?v={}", {"Accept-Language": "x-{}"}),
}


@pytest.mark.parametrize(("query", "headers"), ASKED_OTHERWISE.values(), ids=ASKED_OTHERWISE.keys())
@pytest.mark.parametrize("path", ["/assets/index-DphvyggB.js", "/theme.css"])
def test_one_file_is_kept_once_however_it_is_asked_for(path: str, query: str, headers: dict[str, str]) -> None:
    gradio = Gradio()
    client = TestClient(PageAssets(gradio))
    query = query if path.startswith("/assets") else f"?v=1{query}"
    texts = {
        client.get(
            path + query.format(number),
            headers={"Accept-Encoding": "br"} | {k: v.format(number) for k, v in headers.items()},
        ).text
        for number in range(20)
    }
    # As the first one's words aren't the others', Gradio heard nothing of them.
    assert texts == {f"{path} [] b'' br"}
    assert gradio.asked == [path]


@pytest.mark.parametrize("header", [{"Range": "bytes=0-1"}, {"If-None-Match": '"x"'}], ids=["range", "validation"])
def test_a_part_or_a_check_is_left_to_gradio(header: dict[str, str]) -> None:
    gradio = Gradio()
    client = TestClient(PageAssets(gradio))
    for _ in range(2):
        client.get("/assets/index-DphvyggB.js", headers=header)
    assert len(gradio.asked) == 2


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_shell, "_MAX_KEPT_BYTES", 2 * page_shell._BESIDE_BYTES + 100)
    gradio = Gradio()
    client = TestClient(PageAssets(gradio))
    for _ in range(2):
        for name in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
            assert name in client.get(f"/assets/x-{name}.js").text
    assert len(gradio.asked) == 4
