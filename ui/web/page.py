"""The page at `/`: a tab for each thing that people come for, under the header that `page_shell` brings.

Gradio draws the controls; what comes from documents is HTML of our own (`ui.web.html`).
"""

from typing import Any

import gradio as gr
from fastapi import FastAPI
from starlette.routing import Mount

from ui.http.library import add_library_paths
from ui.http.problems import install_problem_handlers
from ui.web.ask.tab import add_ask_tab
from ui.web.controls import html_block
from ui.web.document import add_document_page
from ui.web.html import read_asset
from ui.web.library.tab import add_library_tab
from ui.web.quality import QUALITY_PATH, add_quality_page
from ui.web.review.tab import add_review_tab
from ui.web.services import PageServices
from ui.web.shell.events import PageEvents
from ui.web.shell.page_shell import TITLE, PageAssets, PageShell
from ui.web.shell.paths import PagePaths
from ui.web.shell.visitors import PageSessions
from ui.web.upgrade.tab import add_upgrade_tab

_TABS = (
    ("Ask", "ask", add_ask_tab),
    ("Upgrade", "upgrade", add_upgrade_tab),
    ("Review", "review", add_review_tab),
    ("Library", "library", add_library_tab),
)
_MAX_QUEUED = 256
"""Events that wait for one of Gradio's forty threads, those of the desk not counted; one more is told to come again."""
_MAX_SESSIONS = 256
"""Visitors whose conversation is kept; beyond, whoever was away longest begins anew."""
_LONG_TEXTS = ("rn-review-text",)
"""The boxes that take as much as a request of the page may have."""
_STYLES = ("source", "ask", "upgrade", "review", "library")
_SCRIPTS = ("events", "base", "tabs", "addresses", "asked_before", "ask", "changes", "library")
_SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "Arial", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace")


def mount_page(app: FastAPI, services: PageServices) -> None:
    """Serve the page for every path of `app` that no route of it has, and the pages of documents."""
    add_document_page(app, services.assistants, services.desk)
    add_quality_page(app)
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
        css="\n".join(read_asset(f"styles/{name}.css") for name in _STYLES),
        head="".join(f"<script>{read_asset(f'scripts/{name}.js')}</script>" for name in _SCRIPTS),
        max_file_size="1kb",
    )
    # As a mount at "/", the page would also catch a wrong method on our own paths and answer 404 for 405.
    mount = app.router.routes.pop()
    assert isinstance(mount, Mount)
    install_problem_handlers(mount.app)  # type: ignore[arg-type]  # Gradio's app is a FastAPI
    mount.app.state_holder = PageSessions()  # type: ignore[attr-defined]
    mount.app.state_holder.set_blocks(page)  # type: ignore[attr-defined]
    app.router.default = PagePaths(
        PageShell(PageAssets(PageEvents(mount.app, page, long_texts=_LONG_TEXTS)), styles=read_asset("styles/base.css"))
    )


def _build_page(services: PageServices) -> gr.Blocks:
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        with gr.Tabs(elem_id="rn-tabs", overflow_behavior="wrap") as tabs:
            for label, name, add_tab in _TABS:
                with gr.Tab(label, id=name, elem_id=f"rn-tab-{name}"):
                    add_tab(services, page)
        html_block(f'<footer class="rn-foot"><a href="{QUALITY_PATH}">How far to trust answers</a></footer>')
        page.queue(max_size=_MAX_QUEUED)
        # Gradio would keep who sent each event, for a page that isn't served, and count them all whenever one ends.
        page._queue.ANALYTICS_MAX_EVENTS = 0
        # Only `launch` takes it as an argument, which isn't how we serve the page; Gradio's own 10,000 fill gigabytes.
        page.state_session_capacity = _MAX_SESSIONS
        page.load(_open_tab, outputs=tabs, api_visibility="private", show_progress="hidden")
    return page


def _open_tab(request: gr.Request) -> gr.Tabs | dict[str, Any]:
    """The tab that the address names (`/?tab=review`); the first one where it names none."""
    name = request.query_params.get("tab")
    return gr.Tabs(selected=name) if name in {tab for _, tab, _ in _TABS} else gr.skip()


def _theme() -> gr.themes.Base:
    return gr.themes.Base(font=_SANS, font_mono=_MONO, neutral_hue="slate", radius_size="md")
