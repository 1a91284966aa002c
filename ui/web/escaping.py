"""The one place where text of documents and people becomes HTML."""

import html

from ui.rendering.words import printable


def escape(text: str) -> str:
    """`text` as HTML text or attribute, without what drives a screen or turns the direction of writing.

    Braces and dollars are escaped too, which Gradio's HTML component reads as a template.
    """
    escaped = html.escape(printable(text), quote=True)
    return escaped.replace("{", "&#123;").replace("}", "&#125;").replace("$", "&#36;")
