"""Text of documents as it may stand in an answer."""

import re

from corpus.plain_words import as_code

BIDI_CONTROLS = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""They would turn the direction of what follows them, our own markers too."""
CONTROLS: dict[int, str] = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), "\N{REPLACEMENT CHARACTER}")
CONTROLS |= {ord("\t"): "\t", ord("\n"): "\n"}
"""What drives a terminal, and what to show for it."""
_HARMLESS = CONTROLS | dict.fromkeys(BIDI_CONTROLS, "") | {ord("\r"): "\n"}
_TAG = r"<[A-Za-z/!?][^<>\n]*>"
_CODE = re.compile(
    rf"(?:(?<!`)`++[^`\n]++`++|\[(?:[\[\]]|{_TAG})*\d(?:[\[\]\d]|{_TAG})*\]|{_TAG}|<(?=[A-Za-z/!?])[^\s<>`\[\]]*)+"
)
"""Code spans, and what has to stand in one: markers, whatever may begin a tag, and what would be a marker once a tag or
marker inside it is gone ("[<b>1]", "[[2]3]"). What stands side by side is one span, or the marks between two would be
read as one."""


def safe(text: str) -> str:
    """Text of a document as it may stand in an answer's Markdown, also where a client lets Markdown hold HTML.

    Code spans of single backticks stay. Markers, tags and link syntax are disarmed, wherever they end; controls of
    writing direction are left out, those of a terminal replaced.
    """
    plain = text.translate(_HARMLESS)
    said, end = "", 0
    for code in _CODE.finditer(plain):
        said += _disarm(plain[end : code.start()])
        # A backslash would take the back quote's meaning away.
        said += " " * said.endswith("\\") + as_code(code.group())
        end = code.end()
    return said + _disarm(plain[end:])


def safe_code(line: str) -> str:
    """A line of code of a document as it may stand in an answer's fence or code span."""
    return line.translate(_HARMLESS).replace("`", "'").replace("\n", " ")


def _disarm(text: str) -> str:
    return text.replace("`", "'").replace("](", "] (")
