"""The one place where text of documents and people becomes HTML."""

import html


def escape(text: str) -> str:
    """`text` as HTML text or attribute; braces and dollars too, which Gradio's HTML component reads as a template."""
    escaped = html.escape(text, quote=True)
    return escaped.replace("{", "&#123;").replace("}", "&#125;").replace("$", "&#36;")
