"""Text of documents as HTML in which nothing hides: marks that turn the direction of text are shown and do nothing.

What they turn could be read as another text than the one that is quoted. The characters stay where they are, each in a
box of its own that its turning can't leave; control characters, which HTML can't hold, are only named. Line ends of
every kind are one.
"""

import re

from ui.web.escaping import escape

_LINE_END = re.compile("\r\n?")
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible_text(text: str) -> str:
    """`text` as HTML; its styles are those of `.rn-hidden` in document.css."""
    text = _LINE_END.sub("\n", text)
    parts: list[str] = []
    at = 0
    for found in _HIDDEN.finditer(text):
        kept = found[0] if ord(found[0]) > 0xFF else ""
        parts += [
            escape(text[at : found.start()]),
            f'<span class="rn-hidden" data-code="U+{ord(found[0]):04X}">{kept}</span>',
        ]
        at = found.end()
    return "".join([*parts, escape(text[at:])])
