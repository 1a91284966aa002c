"""What is shown, to take along: as Markdown on the clipboard or in a file, and as an address that shows it again."""

import re
from urllib.parse import quote, urlencode

from ui.web.escaping import escape

_UNSAFE_IN_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def render_export(markdown: str, *, file_name: str, link: str | None = None) -> str:
    """Buttons that copy and download `markdown`; `link` is the query of a permalink.

    The text stands once on the page, in the address of the download; copying takes it from there.
    """
    address = f"data:text/markdown;charset=utf-8,{quote(markdown, safe='', errors='replace')}"
    permalink = f'<a class="rn-action" href="{escape(link)}">Link to this</a>' if link else ""
    return (
        '<div class="rn-export"><button type="button" class="rn-action" data-copy-markdown>Copy as Markdown</button>'
        f'<a class="rn-action" data-markdown download="{escape(file_name)}" href="{escape(address)}">Download</a>'
        f"{permalink}</div>"
    )


def render_head(title: str, export: str) -> str:
    """The heading of a result, with its export beside it."""
    return f'<div class="rn-result-head"><h2>{escape(title)}</h2>{export}</div>'


def page_query(tab: str, **values: str) -> str:
    """The query of a tab's address: `?tab=upgrade&product=Django`."""
    return f"?{urlencode({'tab': tab, **values})}"


def file_name_of(*parts: str) -> str:
    """A Markdown file's name made of `parts`: `django-4.1-4.2.md`."""
    return f"{'-'.join(filter(None, (_UNSAFE_IN_NAME.sub('-', part).strip('-.').lower() for part in parts)))[:120]}.md"
