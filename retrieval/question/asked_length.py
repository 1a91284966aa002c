"""How much a question has room for: "in two lines", "just the gist".

It is read off the question as typed: what stands around what is asked is taken off it otherwise.
"""

import re

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_PIECE = "(?:line|liner|bullet|bullet point|point|sentence)"
_COUNTED = re.compile(
    rf"(?<![\w.])(?P<count>{'|'.join(_NUMBERS)}|[1-5])(?:-{_PIECE}s?| (?:short )?(?:{_PIECE}s|(?<=one ){_PIECE}))\b"
)
""""The 2.5 line" and "the 3 line" are of releases."""
_SHORTLY = re.compile(
    r"\b(?:briefly|gist|tl;?dr|in a nutshell|(?:in|(?:keep|make) (?:it|this|that)) (?:short|brief)"
    r"|(?:short|brief|quick) (?:answer|list|note|overview|summary|version)|summary of)\b"
    r"|(?:\A|[,.;:?!(-]\s*)(?:just |very |really |a )?(?:short|brief|shortly|summary)"
    r"(?=\W*\Z|[,;:]| (?:please|pls|plz)\b)"
)
"""Only what is said about the answer: "the brief mode", "shorter logs" are what a question is about."""
_FEW = 3


def asked_statements(question: str) -> int | None:
    """How many statements a question asks for; None where it doesn't say."""
    words = question.casefold()
    if counted := _COUNTED.search(words):
        return _NUMBERS.get(counted["count"]) or int(counted["count"])
    return _FEW if _SHORTLY.search(words) else None
