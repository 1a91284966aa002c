"""The page: hostile documents stay text, citations open, the browser talks to this server alone."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from gradio.routes import App
from ui_small_index import unconnected_library

from corpus.embedding import Embedder
from ui.http.api import create_app
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import load_server_settings
from ui.web.page import _MAX_SESSIONS, mount_page
from ui.web.services import PageServices
from ui.web.shell.visitors import _MAX_CHARACTERS, _MAX_OF_VISITOR, _MAX_UNREAD, UnreadEvents

REPOSITORY = Path(__file__).parents[1]
TEXTS_ON = {
    "bg": "text soft accent good bad",
    "panel": "text soft accent",
    "warn-tint": "text soft warn",
    "accent-tint": "accent accent-strong bad",
    "good-tint": "good",
    "bad-tint": "bad",
    "accent": "on-accent",
    "accent-strong": "on-accent",
    "mark": "mark-text",
}


@pytest.mark.parametrize("scheme", [":root", ".dark"])
def test_contrast_is_aa(scheme: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    css = (REPOSITORY / "ui" / "web" / "styles" / "base.css").read_text(encoding="utf-8")
    block = css.partition(f"{scheme} {{")[2].partition("}")[0]
    colours = dict(re.findall(r"--rn-([a-z-]+): (#[0-9a-f]{6});", block))
    for ground, texts in TEXTS_ON.items():
        for text in texts.split():
            darker, lighter = sorted((_luminance(colours[text]), _luminance(colours[ground])))
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (text, ground)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_page_names_no_other_host() -> None:
    assets = [path for kind in ("*.css", "*.js") for path in (REPOSITORY / "ui" / "web").rglob(kind)]
    assert assets
    for path in assets:
        assert not re.search(r"https?://|@import|url\(", path.read_text(encoding="utf-8")), path.name


@pytest.fixture(scope="module")
def page(own_index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with mounted(own_index, default_embedder) as client:
        yield client


@contextmanager
def mounted(index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    """The page over an index."""
    assistants = LiveAssistant(index, open_embedder=lambda: default_embedder)

    async def build() -> FastAPI:
        # In a running loop: without one, Gradio makes loops that it never closes.
        desk = QuestionDesk(max_questions=4, timeout_s=30)
        app = create_app(assistants, desk)
        library = unconnected_library(index, default_embedder)
        mount_page(app, PageServices(assistants, desk, load_server_settings(index=index), library))
        return app

    app = asyncio.run(build())
    with TestClient(app, base_url="http://localhost:7860", raise_server_exceptions=False) as client:
        yield client
    assistants.close()


def test_a_full_line_of_events_is_told_as_such(
    default_embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.web.page._MAX_QUEUED", 0)
    with mounted(tmp_path / "index", default_embedder) as page:
        refused = page.post("/gradio_api/queue/join", json=load_event(page, "x"))
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
        assert page.get("/config").status_code == 200


def test_visitors_without_number_fill_no_memory(page: TestClient) -> None:
    assert gradio_app(page).state_holder.capacity == _MAX_SESSIONS


def test_of_a_visitor_nothing_is_kept_of_what_they_saw(page: TestClient) -> None:
    review(page, "widget.spin is deprecated.", visitor="first")
    sessions = gradio_app(page).state_holder
    assert sessions["first"].state_data == {}
    assert list(sessions["first"].components) == []


def test_whoever_is_away_for_long_is_forgotten(page: TestClient) -> None:
    sessions = gradio_app(page).state_holder
    ages = {"now": 0, "hours": 2, "closed": 2, "days": 30}
    for visitor, hours in ages.items():
        sessions[visitor].is_closed = visitor == "closed"
        sessions.time_last_used[visitor] -= timedelta(hours=hours)
    sessions.delete_all_expired_state()
    assert [visitor for visitor in ages if visitor in sessions] == ["now", "hours"]


def test_of_what_was_read_nothing_is_kept_but_an_empty_line(page: TestClient) -> None:
    review(page, "widget.spin is deprecated.", visitor="reader")
    queue = gradio_app(page).get_blocks()._queue
    # The line itself goes with the visitor, a minute later: what they send meanwhile would be dropped with it.
    assert queue.pending_messages_per_session["reader"].empty()
    assert queue.pending_event_ids_session["reader"] == set()
    assert queue.event_analytics == {}


def test_what_nobody_reads_is_kept_for_few_visitors_and_not_for_long(page: TestClient) -> None:
    queue = gradio_app(page).get_blocks()._queue
    for number in range(_MAX_UNREAD + 20):
        assert page.post("/gradio_api/queue/join", json=load_event(page, f"unread{number}")).status_code == 200
    assert len(queue.pending_messages_per_session) <= _MAX_UNREAD
    assert len(queue.pending_event_ids_session) <= _MAX_UNREAD
    assert f"unread{_MAX_UNREAD + 19}" in queue.pending_messages_per_session


def test_one_visitor_has_few_events_at_once(page: TestClient) -> None:
    statuses = [page.post("/gradio_api/queue/join", json=load_event(page, "many")).status_code for _ in range(40)]
    assert set(statuses) == {200, 503}
    assert statuses.count(200) == _MAX_OF_VISITOR


def test_what_is_unread_goes_after_a_minute_and_what_is_being_read_stays(page: TestClient) -> None:
    pending = gradio_app(page).get_blocks()._queue.pending_event_ids_session
    clock = iter([0, 0, 50, 50, 70, 1_000, 1_000, 1_000])
    unread = UnreadEvents(gradio_app(page).get_blocks()._queue, now=lambda: float(next(clock)))

    async def visit() -> None:
        for visitor in ("early", "late"):
            pending[visitor] = {"an event"}
            assert await unread.admit(visitor)
        async with unread.reading("late"):
            assert await unread.admit("late")
            assert "early" not in pending
            assert await unread.admit("another")
            assert "late" in pending
        assert "late" in pending

    asyncio.run(visit())


def test_texts_that_wait_are_bounded_together(page: TestClient) -> None:
    queue = gradio_app(page).get_blocks()._queue
    unread = UnreadEvents(queue)
    event = SimpleNamespace(data=SimpleNamespace(data=["x" * _MAX_CHARACTERS, None]))
    assert asyncio.run(unread.admit("first"))
    queue.event_ids_to_events["large"] = event
    try:
        assert not asyncio.run(unread.admit("first"))
    finally:
        del queue.event_ids_to_events["large"]


@pytest.mark.parametrize("path", ["/", "/config", "/theme.css?v=1", "/gradio_api/app_id", "/manifest.json"])
def test_no_other_site_may_read_what_gradio_answers(page: TestClient, path: str) -> None:
    asked = {"Host": "notes.example", "Origin": "https://evil.example", "X-Forwarded-Host": "evil.example"}
    response = page.get(path, headers=asked)
    assert response.status_code == 200
    assert not [name for name in response.headers if name.startswith("access-control-")]
    assert "evil.example" not in response.text


def load_event(page: TestClient, visitor: str) -> dict[str, Any]:
    """An event such as the page begins with."""
    functions = page.get("/config").json()["dependencies"]
    number = next(function["id"] for function in functions if function["backend_fn"] and not function["inputs"])
    return {"data": [], "fn_index": number, "session_hash": visitor}


def gradio_app(page: TestClient) -> App:
    """Gradio's own app, below all that we put around it."""
    served: Any = page.app.router.default  # type: ignore[attr-defined]
    while not isinstance(served, App):
        served = served._page if hasattr(served, "_page") else served._app
    return served


def review(page: TestClient, text: str, *, visitor: str) -> str:
    """What comes back when a text is sent to be reviewed."""
    described = page.get("/config").json()
    button = next(part["id"] for part in described["components"] if part["props"].get("elem_id") == "rn-review-run")
    event = next(event for event in described["dependencies"] if [button, "click"] in event["targets"])
    sent = {"data": [text, "Detect"], "fn_index": event["id"], "session_hash": visitor, "trigger_id": None}
    assert page.post("/gradio_api/queue/join", json=sent).status_code == 200
    return page.get("/gradio_api/queue/data", params={"session_hash": visitor}).text


UNUSED_PATHS: dict[str, tuple[str, str, int]] = {
    "upload": ("POST", "/gradio_api/upload", 404),
    "progress of an upload": ("GET", "/gradio_api/upload_progress?upload_id=x", 404),
    "file": ("GET", "/gradio_api/file=/etc/hostname", 404),
    "another host": ("GET", "/gradio_api/proxy=https://a.example/", 404),
    "second way to an event": ("POST", "/gradio_api/run/submit", 404),
    "call by number": ("POST", "/gradio_api/call/0", 404),
    "recording": ("POST", "/gradio_api/process_recording", 404),
    "a second description": ("GET", "/gradio_api/info", 404),
    "a visitor's name without an end": ("GET", "/gradio_api/heartbeat/" + "x" * 5_000, 404),
    "scripts of parts that it hasn't": ("GET", "/static/ffmpeg/ffmpeg-core.wasm", 404),
    "wrong method": ("GET", "/gradio_api/queue/join", 405),
    "longer name than a file has": ("GET", "/static/" + "x" * 5_000, 404),
    "writing to the page": ("POST", "/", 405),
}


@pytest.mark.parametrize(("method", "path", "status"), UNUSED_PATHS.values(), ids=UNUSED_PATHS.keys())
def test_what_the_page_does_not_use_is_refused(page: TestClient, method: str, path: str, status: int) -> None:
    response = page.request(method, path, json={"data": []} if method == "POST" else None)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("path", ["/", "/config", "/theme.css", "/gradio_api/app_id"])
def test_what_the_page_uses_is_served(page: TestClient, path: str) -> None:
    assert page.get(path).status_code == 200
