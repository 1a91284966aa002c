"""The page at `/`: a tab for each thing that people come for.

Ask comes with the first response (`ui.web.shell.page_shell`, `ui.web.ask`); Gradio draws the other tabs, and what comes
from documents is HTML of our own everywhere (`ui.web.html`).
"""

from collections.abc import Iterable

import gradio as gr
from fastapi import FastAPI
from starlette.routing import Mount

from ui.http.library import add_library_paths
from ui.http.problems import install_problem_handlers
from ui.web.ask.endpoints import add_ask_endpoints
from ui.web.document import add_document_page
from ui.web.html import read_asset
from ui.web.library.tab import add_library_tab
from ui.web.quality import add_quality_page
from ui.web.review.tab import add_review_tab
from ui.web.services import PageServices
from ui.web.shell.events import PageEvents
from ui.web.shell.page_shell import TITLE, PageAssets, PageShell
from ui.web.shell.paths import PagePaths
from ui.web.shell.visitors import PageSessions
from ui.web.upgrade.tab import add_upgrade_tab

_TABS = (
    ("upgrade", add_upgrade_tab),
    ("review", add_review_tab),
    ("library", add_library_tab),
)
_MAX_QUEUED = 256
"""Events that wait for one of Gradio's forty threads, those of the desk not counted; one more is told to come again."""
_MAX_SESSIONS = 256
"""Visitors of Gradio's tabs whose state is kept; beyond, whoever was away longest begins anew."""
_LONG_TEXTS = ("rn-review-text", "rn-upgrade-files")
"""The boxes that take as much as a request of the page may have."""
_STYLES = ("base", "source", "ask")
_GRADIO_STYLES = ("upgrade", "review", "library")
_SCRIPTS = (
    *("theme", "events", "base", "tabs"),
    *("conversations", "completion", "ask", "preview", "feedback", "changes", "library"),
)
_SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "Arial", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace")


def mount_page(app: FastAPI, services: PageServices) -> None:
    """Serve the page for every path of `app` that no route of it has, and the pages of documents."""
    add_document_page(app, services.assistants, services.desk)
    add_quality_page(app)
    add_ask_endpoints(app, services)
    add_library_paths(app, services.library, services.settings)
    page = _build_page(services)
    gr.mount_gradio_app(
        app,
        page,
        path="/",
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        theme=_theme(),
        css=_read_all("styles/{}.css", _GRADIO_STYLES),
        max_file_size="1kb",
    )
    # As a mount at "/", the page would also catch a wrong method on our own paths and answer 404 for 405.
    mount = app.router.routes.pop()
    assert isinstance(mount, Mount)
    install_problem_handlers(mount.app)  # type: ignore[arg-type]  # Gradio's app is a FastAPI
    mount.app.state_holder = PageSessions()  # type: ignore[attr-defined]
    mount.app.state_holder.set_blocks(page)  # type: ignore[attr-defined]
    gradio = PageAssets(PageEvents(mount.app, page, long_texts=_LONG_TEXTS))
    styles, scripts = _read_all("styles/{}.css", _STYLES), _read_all("scripts/{}.js", _SCRIPTS)
    app.router.default = PagePaths(PageShell(gradio, styles=styles, scripts=scripts))


def _build_page(services: PageServices) -> gr.Blocks:
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        # Drawn when it is opened first. The bar of these isn't shown: ours has Ask in it too (`scripts/tabs.js`).
        with gr.Tabs(elem_id="rn-gradio-tabs"):
            for name, add_tab in _TABS:
                with gr.Tab(name, id=name, elem_id=f"rn-panel-{name}"):
                    add_tab(services, page)
        page.queue(max_size=_MAX_QUEUED)
        # Gradio would keep who sent each event, for a page that isn't served, and count them all whenever one ends.
        page._queue.ANALYTICS_MAX_EVENTS = 0
        # Only `launch` takes it as an argument, which isn't how we serve the page; Gradio's own 10,000 fill gigabytes.
        page.state_session_capacity = _MAX_SESSIONS
    return page


def _read_all(place: str, names: Iterable[str]) -> str:
    return "\n".join(read_asset(place.format(name)) for name in names)


def _theme() -> gr.themes.Base:
    return gr.themes.Base(font=_SANS, font_mono=_MONO, neutral_hue="slate", radius_size="md")
