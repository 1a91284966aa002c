"""Upgrade: what breaks between two releases."""

import gradio as gr

from ui.web.controls import html_block
from ui.web.services import PageServices


def add_upgrade_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    html_block("<p>Soon.</p>")
    del services, page
