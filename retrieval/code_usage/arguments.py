"""Which of the names in an entry of release notes it calls arguments, parameters, keywords or options."""

import re
from collections.abc import Sequence

_WORD = r"(?:keyword\s+arg(?:ument)?|kw\s?arg|arg(?:ument)?|param(?:eter)?|keyword|option)s?"
_TOLD = r"(?:(?:keyword|named|optional|boolean|string|constructor|config(?:uration)?|function|init)(?:-only)?\s+)?"
_MARK = r"[`'\"*]{0,3}"
_VALUE = r"(?:=[^\s`,;]{0,40})?"
_NAME = rf"{_MARK}[\w.]+{_VALUE}{_MARK}"
_AND = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*/\s*)"
_BEFORE = re.compile(rf"(?<![\w.(])(?P<names>{_NAME}(?:{_AND}{_NAME}){{0,9}})\s+{_TOLD}{_WORD}(?![\w-])", re.IGNORECASE)
_BEHIND = re.compile(
    rf"(?<![\w-]){_WORD}\s+(?:named\s+|called\s+)?(?P<names>{_NAME}(?:{_AND}{_NAME}){{0,9}})", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*")


def arguments_of(text: str, symbols: Sequence[str]) -> tuple[str, ...]:
    """Those of `symbols` that `text` calls an argument or an option, in their order.

    >>> arguments_of("The `proxies` argument of `Client` is removed.", ["proxies", "Client"])
    ('proxies',)
    """
    spans = [match["names"] for pattern in (_BEFORE, _BEHIND) for match in pattern.finditer(text)]
    told = {name for span in spans for name in _IDENTIFIER.findall(span)}
    # With a value (`shape=None`) it is about that value, not about all who pass the argument.
    return tuple(symbol for symbol in symbols if symbol.rstrip("=.") in told)
