"""Pairs of words of which one denies the other, beyond those of status: "rejects" for "accepts"."""

from functools import lru_cache

from corpus.lexicon import split_tokens
from retrieval.verification.status_words import OPPOSITES

_GROUPS = """
    allow allows allowed permit permits permitted / forbid forbids forbidden disallow disallows disallowed
    accept accepts accepted / reject rejects rejected refuse refuses refused
    include includes included / exclude excludes excluded omit omits omitted
    always / never
    strict stricter strictly / lenient relaxed looser
    mutable / immutable frozen
    lazy lazily / eager eagerly
    more / less fewer
    succeed succeeds pass passes / fail fails failed
    ignore ignores ignored / respect respects respected honor honors honored honour honours honoured
    raise raises raised / ignore ignores ignored swallow swallows swallowed
    public / private
    sequential sequentially serial serially / parallel concurrently concurrent
    ascending / descending
    synchronous synchronously / asynchronous asynchronously
    positional / keyword-only
    official officially / unofficial unofficially
    full fully complete completely entirely / partial partially
    same identical / different
    before / after
    client / server
    input / output
    read reading / write writing
    left / right
    oldest / newest
    local / global
    static / dynamic
    bundled vendored / external separate separately
    optional / mandatory required
    case-sensitive / case-insensitive
    merge merged / split
    shorter / longer
    enable enables enabled / disable disables disabled
    increase increases increased raise raised / decrease decreases decreased reduce reduces reduced lower lowered
"""


@lru_cache(maxsize=1)
def antonyms() -> dict[str, frozenset[str]]:
    """For each stem those that deny it."""
    table: dict[str, frozenset[str]] = {}
    pairs = [(frozenset((one,)), frozenset((other,))) for one, other in OPPOSITES]
    pairs += [_pair(line) for line in _GROUPS.splitlines() if line.strip()]
    for one, other in pairs:
        for ours, theirs in ((one, other), (other, one)):
            for stem in ours:
                table[stem] = table.get(stem, frozenset()) | theirs
    return table


def _pair(entry: str) -> tuple[frozenset[str], frozenset[str]]:
    one, other = entry.split("/")
    return _stems(one), _stems(other)


def _stems(words: str) -> frozenset[str]:
    return frozenset(split_tokens(word)[0] for word in words.split())
