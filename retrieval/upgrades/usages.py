"""Where code uses what a change is about: the names of its entry, told from those that it only offers in their place,
and which of them it calls arguments or options."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.code_usage.model import Usage
from retrieval.upgrades.model import UpgradeItem

# Questions read no code, and would wait for its import.
if TYPE_CHECKING:
    from retrieval.code_usage.code import CodeUsage

_WORD = r"(?:keyword\s+arg(?:ument)?|kw\s?arg|arg(?:ument)?|param(?:eter)?|keyword|option)s?"
_TOLD = r"(?:(?:keyword|named|optional|boolean|string|constructor|config(?:uration)?|function|init)(?:-only)?\s+)?"
_MARK = r"[`'\"*]{0,3}"
_VALUE = r"(?:=[^\s`,;]{0,40})?"
_NAME = rf"{_MARK}[\w.]+{_VALUE}{_MARK}"
_AND = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*/\s*)"
_NAMES = rf"{_NAME}(?:{_AND}{_NAME}){{0,9}}"
_CALLED = (
    # "The unused args parameter" is about no "unused".
    re.compile(rf"(?<![\w.(])(?=({_NAMES})\s+{_TOLD}{_WORD}(?![\w-]))", re.IGNORECASE),
    re.compile(rf"(?<![\w-]){_WORD}\s+(?:named\s+|called\s+)?({_NAMES})", re.IGNORECASE),
)
_OFFERED = re.compile(
    r"""
    \b(?:in\s+fav(?:o|ou)r\s+of | (?:replaced|superseded|renamed)\s+(?:by|with|to|as)
      | rename[ds]?\s+\S+\s+to
      | (?:migrate|switch|move|change)(?:d|s)?\s+(?:over\s+)?to | instead,?\s+use | prefer(?:ably)?
      | (?:please\s+|now\s+|should\s+|to\s+|can\s+|must\s+|^|[.;:,(]\s*)us(?:e|ing)
      | (?:has|have)\s+moved\s+to | available\s+(?:only\s+)?(?:from|in|as|via|through|under)
      | replacements?\s(?:[^;\n]{1,80}?\s)?(?:is|are)
      | (?:is|are)\s+(?:now\s+)?an?\s+alias(?:es)?\s+(?:of|for))
    \s+(?P<offer>[^.;]{0,10}?\S+(?:(?:(?<=,)|\s+(?:or|and))\s+\S+)*)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_TO_BE_USED = re.compile(
    r"(?<!\S)(?P<offer>[^\s(]+(?:\([^()]{0,80}\)\S*)?)\s+(?:should|can|may|must)\s+(?:now\s+)?be\s+used"
)


def usages_in(code: "CodeUsage", item: UpgradeItem, names: Sequence[str]) -> tuple[Usage, ...]:
    """Return where code uses what an item is about; `names` are the product's."""
    return code.usages_of(item.symbols, product=names, arguments=arguments_of(item.summary.text, item.symbols))


def subjects_of(text: str, symbols: Sequence[str]) -> tuple[str, ...]:
    """Those of `symbols` that `text` says something of other than "use it instead"; all where none would be left.

    >>> subjects_of("`np.round_` is removed, use `np.round` instead.", ["np.round_", "np.round"])
    ('np.round_',)
    """
    offered = [match.span("offer") for pattern in (_OFFERED, _TO_BE_USED) for match in pattern.finditer(text)]

    def is_only_offered(symbol: str) -> bool:
        places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(symbol)}(?!\w)", text)]
        return bool(places) and all(any(start <= place < end for start, end in offered) for place in places)

    return tuple(symbol for symbol in symbols if not is_only_offered(symbol)) or tuple(symbols)


def arguments_of(text: str, symbols: Sequence[str]) -> tuple[str, ...]:
    """Return those of `symbols` that `text` calls an argument or an option, in their order.

    >>> arguments_of("The `proxies` argument of `Client` is removed.", ["proxies", "Client"])
    ('proxies',)
    """
    spans = [span for pattern in _CALLED for span in pattern.findall(text)]
    names = {name for span in spans for name in re.findall(r"[A-Za-z_](?:[\w.]*\w)?", span)}
    # With a value (`shape=None`) it is about that value, not about all who pass the argument.
    return tuple(symbol for symbol in symbols if symbol.rstrip("=.") in names)
