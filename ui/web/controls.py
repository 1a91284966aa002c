"""Controls that several tabs need, made the one way that the page can use them."""

from typing import Any

import gradio as gr

QUIETLY: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": None, "show_progress": "hidden"}
"""How events are wired: for the page alone, as many at once as come, without Gradio's sign that something is done."""
SHOWN = QUIETLY | {"show_progress": "minimal"}
"""Those that take a while."""


def html_block(value: str, *, elem_id: str | None = None) -> gr.HTML:
    """HTML of our own, without Gradio's styles and scripts; what is put into it is escaped by `ui.web.html`."""
    return gr.HTML(value, elem_id=elem_id, apply_default_css=False)
