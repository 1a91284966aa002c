"""The page at `/`: a header and a tab for each thing that people come for.

Gradio draws the controls; what comes from documents is HTML of our own (`ui/web/*_html.py`), escaped there.
"""

from importlib.resources import files

import gradio as gr
from fastapi import FastAPI
from starlette.routing import Mount

from ui.problems import install_problem_handlers
from ui.web.ask_tab import add_ask_tab
from ui.web.controls import html_block
from ui.web.library_tab import add_library_tab
from ui.web.page_paths import PagePaths
from ui.web.quality_tab import add_quality_tab
from ui.web.review_tab import add_review_tab
from ui.web.services import PageServices
from ui.web.upgrade_tab import add_upgrade_tab

_TITLE = "relnotes"
_HEAD = (
    '<header class="rn-head"><h1>relnotes</h1>'
    "<p>Ask about software release notes. Every answer is quoted word for word and linked to its source.</p></header>"
)
_TABS = (
    ("Ask", "ask", add_ask_tab),
    ("Upgrade", "upgrade", add_upgrade_tab),
    ("Review", "review", add_review_tab),
    ("Library", "library", add_library_tab),
    ("Quality", "quality", add_quality_tab),
)
_STYLES = ("base", "ask", "upgrade", "review", "library", "quality")
_SCRIPTS = ("base", "ask")
_SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "Arial", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace")


def mount_page(app: FastAPI, services: PageServices) -> None:
    """Serve the page for every path of `app` that no route of it has."""
    gr.mount_gradio_app(
        app,
        _build_page(services),
        path="/",
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        theme=_theme(),
        css="\n".join(_asset(f"styles/{name}.css") for name in _STYLES),
        head="".join(f"<script>{_asset(f'scripts/{name}.js')}</script>" for name in _SCRIPTS),
        max_file_size="1kb",
    )
    # As a mount at "/", the page would also catch a wrong method on our own paths and answer 404 for 405.
    mount = app.router.routes.pop()
    assert isinstance(mount, Mount)
    install_problem_handlers(mount.app)  # type: ignore[arg-type]  # Gradio's app is a FastAPI
    app.router.default = PagePaths(mount.app)


def _build_page(services: PageServices) -> gr.Blocks:
    with gr.Blocks(title=_TITLE, analytics_enabled=False, fill_width=True) as page:
        html_block(_HEAD)
        with gr.Tabs(elem_id="rn-tabs"):
            for label, name, add_tab in _TABS:
                with gr.Tab(label, id=name):
                    add_tab(services, page)
    return page


def _theme() -> gr.themes.Base:
    return gr.themes.Base(font=_SANS, font_mono=_MONO, neutral_hue="slate", radius_size="md")


def _asset(name: str) -> str:
    return files("ui.web").joinpath(name).read_text(encoding="utf-8")
