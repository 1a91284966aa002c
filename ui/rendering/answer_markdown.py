"""An answer to be pasted elsewhere: its Markdown with the quotes as they are, nothing escaped or broken up.

Who pastes it has read it, and decides what a place makes of the words of a document.
"""

from retrieval.blocks import markdown_of
from retrieval.model import Answer, Citation
from retrieval.quoting.links import is_web_page
from ui.rendering import words
from ui.rendering.markup import visible


def render_markdown(answer: Answer) -> str:
    """Return the answer, caveats, and numbered sources, each quote in a block, with a final line end."""
    parts = (markdown_of(answer.blocks), *words.caveats(answer), *map(_source, answer.citations))
    return visible("\n\n".join(parts)) + "\n"


def _source(cited: Citation) -> str:
    quote = "\n".join(f"> {line}".rstrip() for line in cited.quote.split("\n"))
    place = cited.url if cited.url and is_web_page(cited.url) else cited.source
    return f"[{cited.n}] {words.document_name(cited)} · {words.provenance(cited)}\n\n{quote}\n\n{place}"
