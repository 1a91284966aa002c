"""Review: what the notes say of a diff or a claim."""

import gradio as gr

from ui.web.controls import html_block
from ui.web.services import PageServices


def add_review_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    html_block("<p>Soon.</p>")
    del services, page
