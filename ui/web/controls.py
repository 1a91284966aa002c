"""Controls that several tabs need, made the one way that the page can use them."""

from typing import Any

import gradio as gr

from ui.web.shell.acts import ACT_SCRIPT

QUIETLY: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": None, "show_progress": "hidden"}
"""How events are wired: for the page alone, as many at once as come, without Gradio's sign that something is done."""
SHOWN = QUIETLY | {"show_progress": "minimal"}
"""Those that take a while."""


def html_block(value: str, *, elem_id: str | None = None, acts: bool = False) -> gr.HTML:
    """HTML of our own, without Gradio's styles and scripts; what is put into it is escaped by whoever renders it.

    With `acts`, its buttons that have a `data-act` trigger the event `click` (`ui.web.shell.acts`).
    """
    script = ACT_SCRIPT if acts else None
    return gr.HTML(value, elem_id=elem_id, js_on_load=script, apply_default_css=False)
