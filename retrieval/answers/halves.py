"""A question for two things ("when was it deprecated, and when removed?"): where what is told answers one of them only,
what answers the other best is told after it.

Each half begins like a question, so that it has an asked thing of its own: "how many commits and contributors" is one.
"""

import re
from dataclasses import replace

from corpus.lexicon import content_words, split_tokens
from corpus.plain_words import one_line
from retrieval.judge.answers import asked_words
from retrieval.judge.model import load_cross_encoder
from retrieval.judge.pairs import named_releases, read_pair, read_range
from retrieval.model import Status
from retrieval.quoting.composing import Draft, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, surround
from retrieval.quoting.quotes import Quote

_WHAT = r"(?:wh(?:at|ich|en|om?|ose|ere|y)|how)(?:['’]?s)?\b"
_IS = r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|should|must)\b"
_JOINT = re.compile(
    r"(?:[,;?]*\s+(?:and|but|plus)|[;?]+)\s+"
    rf"(?=(?:also |then )?(?:(?:[a-z]+ ){{0,2}}?{_WHAT}|{_IS} (?:i|we|you|it|they|there)\b))"
    rf"|,\s+(?=[a-z]+ {_WHAT}|(?:what|how|why)\b)",
    re.IGNORECASE,
)
"""Between two clauses of which the second asks; after a bare comma "which" may as well begin a relative clause."""
_ASKS = re.compile(rf"(?:^|\s){_WHAT}|(?:^|[.:,]\s+){_IS}", re.IGNORECASE)
_JUDGED = 8  # How many of the items that are likeliest to answer, and aren't told, are read beside each half.
_BETTER, _LEAST, _ANSWERED = 1.5, -1.0, 0.0
"""By how many log-odds something must answer a half better than what is told, how well at least, and how well what is
told answers a half that needs nothing else. Chosen by hand, never fitted."""
_SAME_SHARE = 0.6  # Of the words of what is told, in which it would say the same again. Chosen by hand, never fitted.


def split_halves(question: str) -> tuple[str, str] | None:
    """Return the two clauses of a question that each ask for something; None of what asks for one thing."""
    for joint in _JOINT.finditer(question):
        first, second = question[: joint.start()].strip(), question[joint.end() :].strip(" ?")
        if _ASKS.search(first) and min(len(first.split()), len(second.split())) > 1:
            return first, second
    return None


def append_other_half(draft: Draft, findings: Findings) -> Draft:
    """Return the draft, after its statements what answers that half of the question which they don't; as it is where
    they answer both, where nothing surely does, and where one thing is asked for."""
    halves = split_halves(asked_words(findings.query))
    quotes = [quote for statement in draft.statements for quote in statement.quotes]
    if halves is None or draft.status is Status.NOT_FOUND or not quotes:
        return draft
    cores = [replace(quote, core=span) for quote in quotes for span in quote.shown or (quote.core,)]
    products = {quote.passage.document.product for quote in cores}
    likely = (one for one in findings.fitting if not one.item.retracted and not one.item.is_code)
    places = {(quote.passage.document.id, quote.core) for quote in cores}
    among = (one for one in likely if one.passage.document.product in products)
    others = [one for one in among if (one.passage.document.id, one.quote.core) not in places][:_JUDGED]
    judge, releases = load_cross_encoder("answers"), named_releases(findings.query)
    both = (cores, [one.quote for one in others])
    own, rest = ([read_range(one.passage, one.core, findings.index) for one in those] for those in both)
    best, most = None, _BETTER
    for half in map(one_line, _with_subjects(*halves, findings)):
        held = judge.read([read_pair(half, releases, side) for side in own])[:, 0].max()
        # The others are many, and only read where it may matter.
        if rest and held < _ANSWERED:
            odds = judge.read([read_pair(half, releases, side) for side in rest])[:, 0]
            if odds.max() >= _LEAST and odds.max() - held >= most:
                best, most = others[int(odds.argmax())], odds.max() - held
    if best is None or any(_repeats(best.quote, quote, findings) for quote in cores):
        return draft
    quote = quote_item(best, text := findings.text_of(best))
    wide = surround(quote)
    quote = quote if any(map(wide.overlaps, quotes)) else wide
    return replace(draft, statements=(*draft.statements, statement_of(quote, text, tells_day=True)))


def _with_subjects(first: str, second: str, findings: Findings) -> tuple[str, str]:
    """Return the halves, the second one with the names of the first, or else its keywords, which its "it" means."""
    focus, (before, own) = findings.focus, (frozenset(split_tokens(half)) for half in (first, second))
    words = [word for word in focus.names or focus.keywords if word.met_by(before) and not word.met_by(own)]
    return first, " ".join((second, *(word.text for word in words if not word.text[0].isdigit())))


def _repeats(one: Quote, other: Quote, findings: Findings) -> bool:
    first, second = (frozenset(map(str.casefold, content_words(findings.core_of(quote)))) for quote in (one, other))
    return one.shares_core(other) or len(first & second) >= _SAME_SHARE * min(len(first), len(second))
