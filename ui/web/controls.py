"""Controls that several tabs need, made the one way that the page can use them."""

import gradio as gr


def html_block(value: str = "", *, elem_id: str | None = None) -> gr.HTML:
    """HTML of our own, without Gradio's styles and scripts; what is put into it is escaped by whoever renders it."""
    return gr.HTML(value, elem_id=elem_id, js_on_load=None, apply_default_css=False)
