"""Where code uses the names that a change is about: those in its entry, without names that the entry only offers as a
replacement or mentions as the owner of the changed thing."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.code_usage.model import Usage
from retrieval.upgrades.model import UpgradeItem

# Questions read no code, and would wait for its import.
if TYPE_CHECKING:
    from retrieval.code_usage.code import CodeUsage

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
_PLACE = re.compile(
    r"\b(?:in|from|of|on|under|with(?:in)?|inside|for|by|via|using|like|see)\s+(?:(?:the|a|an|module|package|class|function|method)\s+)*[`'\"*~:.]*$",
    re.IGNORECASE,
)
_OWNS = re.compile(r"[`*]*(?:['\u2019]s\b|(?:\s+\w+)?\s+(?:no longer|now) (?:has|exports?|holds?|takes?|accepts?)\b)")


def usages_in(code: "CodeUsage", item: UpgradeItem, names: Sequence[str]) -> tuple[Usage, ...]:
    """Return the places where code uses the names that an item is about; `names` are the product's."""
    return code.usages_of(item.symbols, product=names, places=places_of(item.summary.text, item.symbols))


def subjects_of(text: str, symbols: Sequence[str]) -> tuple[str, ...]:
    """Return the `symbols` about which `text` says more than "use it instead"; all if none would be left.

    >>> subjects_of("`np.round_` is removed, use `np.round` instead.", ["np.round_", "np.round"])
    ('np.round_',)
    """
    offered = [match.span("offer") for pattern in (_OFFERED, _TO_BE_USED) for match in pattern.finditer(text)]

    def is_only_offered(symbol: str) -> bool:
        places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(symbol)}(?!\w)", text)]
        return bool(places) and all(any(start <= place < end for start, end in offered) for place in places)

    return tuple(symbol for symbol in symbols if not is_only_offered(symbol)) or tuple(symbols)


def places_of(text: str, symbols: Sequence[str]) -> frozenset[str]:
    """Return the `symbols` that `text` names only as the container or owner of something else.

    >>> places_of("The `proxies` argument of `Client` is removed.", ["proxies", "Client"])
    frozenset({'Client'})
    """
    return frozenset(
        symbol
        for symbol in symbols
        if (matches := [*re.finditer(rf"(?<![\w.]){re.escape(symbol)}(?!\w|\.\w)", text)])
        and all(_PLACE.search(text, 0, each.start()) or _OWNS.match(text, each.end()) for each in matches)
    )
