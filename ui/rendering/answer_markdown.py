"""An answer as Markdown to paste elsewhere, with each source's telling words, release and address."""

import re

from retrieval.blocks import markdown_of, safe
from retrieval.model import Answer, Citation
from retrieval.quoting.links import is_web_page
from ui.rendering import words
from ui.rendering.markup import visible, without_pings

_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)


def render_markdown(answer: Answer) -> str:
    """Return the answer, caveats, and numbered sources, each with its address on the next line, and a final line end.
    Outside of code, a forge makes no mention, issue reference or link of it, except of those addresses."""
    sources = (f"{_defuse(_source_line(cited))}\n{_source_address(cited)}" for cited in answer.citations)
    parts = (_defuse(markdown_of(answer.blocks)), *map(_defuse, words.caveats(answer)), *sources)
    return visible("\n\n".join(parts)) + "\n"


def _defuse(markdown: str) -> str:
    return "".join(part if n % 2 else without_pings(part) for n, part in enumerate(_CODE.split(markdown)))


def _source_line(cited: Citation) -> str:
    return f"[{cited.n}] {words.provenance(cited)} · {words.document_name(cited)}: {safe(words.telling_words(cited))}"


def _source_address(cited: Citation) -> str:
    return cited.url if cited.url and is_web_page(cited.url) else _defuse(cited.source)
