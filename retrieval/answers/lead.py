"""What an answer says before the words of its first quote: what became of the thing, and yes or no where that is asked.

Both are read from the entry that answers. They are said only where the quote bears them (`retrieval.drafting`); whoever
reads "No" without a reason is misled, so a doubt says nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from corpus.model import Act
from corpus.plain_words import readable
from corpus.versions import Version
from retrieval.drafting import OPINION, Opening, Statement, announced, attribution, is_unreleased
from retrieval.findings import Findings
from retrieval.item_forms import is_code
from retrieval.question_words import QuestionWord, share_met
from retrieval.quotes import ItemScore, Quote
from retrieval.statements import states_something
from retrieval.told_acts import GOES, WARNS, act_of
from retrieval.verification.reading import Reading, read_text
from retrieval.verification.status_words import MAY, NOT, STATUS_OF

STATUS = {
    Act.DEPRECATED: "Deprecated in",
    Act.REMOVED: "Removed in",
    Act.REPLACED: "Replaced in",
    Act.REVERTED: "Reverted in",
    Act.FIXED: "Fixed in",
    Act.SECURED: "Fixed in",
    Act.PLANNED: "Announced in",
}
"""What happened, as it is said before the release."""
_SURE, _SURELY_NEW = 0.5, 0.7
_ABOUT, _ALL = 0.5, 0.85
"""Of the weight of the question's words: "Add Redcarpet" says nothing of Redcarpet on Windows."""
_NEAR = 0.6
"""What decides must be this near to the question, as a share of the best one's cosine: what names the thing in passing
says nothing of it. Likely to answer as the question puts it ("does it read …?") it needn't be: it may say no."""
_OF_WORDS = {
    "removed": Act.REMOVED,
    "deprecated": Act.DEPRECATED,
    "retracted": Act.REVERTED,
    "added": Act.ADDED,
    "fixed": Act.FIXED,
}
_GONE = frozenset(("removed", "deprecated"))
_MENDS = frozenset({Act.FIXED, Act.SECURED, Act.FASTER})
"""What mends a thing says only in passing that it is there."""


def lead(
    findings: Findings, one: ItemScore, quote: Quote, verdict: bool | None = None, *, keeps_tickets: bool = False
) -> Statement:
    """The first statement of an answer: what is said of the quote of an entry, with its day and what opens it."""
    text = findings.index.text_of(quote.passage)
    said = Statement(announced(quote, text, keeps_tickets=keeps_tickets), (quote,))
    if quote.passage.document.authority in OPINION or quote.retracted:
        return said
    # "**Lamp 2.0** drops the glow" names its release in its own sentence.
    is_placed = said.text.removeprefix(attribution(quote)).startswith((":", " ("))
    tells_trouble = findings.query.form.tells_trouble
    is_about = tells_trouble or share_met(_words_of(findings), one.tokens) >= _ABOUT
    is_status = is_placed and is_about and not is_code(text, one.item.span)
    act = _told(one, _read(findings, one)) if is_status else None
    is_mended = act not in _MENDS or tells_trouble or findings.query.act in _MENDS
    return replace(said, opening=Opening(verdict, STATUS.get(act, "") if act and is_mended else ""))


def decide(findings: Findings) -> tuple[ItemScore, bool | None]:
    """What answers as things are now, and whether what is asked is so: the newest entry that surely says so, or that
    is as much on it as what answers best. "Not yet" stays true in the words of its release alone."""
    best = findings.fitting[0]
    found = [
        (one, verdict)
        for one in findings.fitting
        if one.hit.passage.release
        and one.hit.passage.document.product == best.hit.passage.document.product
        and one.hit.passage.document.authority not in OPINION
        and one.cosine >= _NEAR * best.cosine
        and not one.item.retracted
        and not is_unreleased(one.hit.passage)
        and ((verdict := _verdict(findings, one)) is not None or _is_on_it(findings, one, best))
    ]
    found.sort(key=lambda pair: (pair[0].hit.passage.release_order, pair[0].score), reverse=True)
    if not found or not found[0][1]:
        return found[0] if found else (best, None)
    # What was there before is told by how it came better than by what was added to it.
    return max(takewhile(lambda pair: pair[1], found), key=lambda pair: pair[0].score)


def _is_on_it(findings: Findings, one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry that decides nothing tells more of all that is asked than the best one: later, or a warning."""
    is_newer = one.hit.passage.release_order > best.hit.passage.release_order and act_of(one) not in _MENDS
    warns = _told(one, _read(findings, one)) in WARNS
    return (is_newer or warns) and share_met(findings.focus.telling, one.tokens) >= _ALL


def _read(findings: Findings, one: ItemScore) -> Reading:
    return read_text(readable(one.item.span.slice(findings.index.text_of(one.hit.passage))))


def _words_of(findings: Findings) -> Sequence[QuestionWord]:
    return findings.focus.names or findings.focus.telling


def _told(one: ItemScore, words: Reading) -> Act | None:
    """What an entry says happened: as it was read by example, where its own words don't tell another thing."""
    told = {_OF_WORDS[status] for status in words.statuses if status in _OF_WORDS}
    act = act_of(one)
    if one.item.act is act and one.item.certainty < _SURE:
        act = Act.OTHER
    if act in told or not told:
        return act
    return told.pop() if len(told) == 1 and act is Act.OTHER else None


def _verdict(findings: Findings, one: ItemScore) -> bool | None:
    """Whether what is asked is so; None where the entry may be about another thing, or doesn't decide it."""
    words, asked = _read(findings, one), findings.query.act
    act = _told(one, words)
    if act is Act.REQUIRES:
        return _is_enough(findings, words)
    if share_met(_words_of(findings), one.tokens) < _ALL:
        return None
    if asked is Act.DEPRECATED:
        is_so = "deprecated" in words.statuses and not _is_turned(words, "deprecated")
        return "retracted" not in words.statuses if is_so else None
    if "retracted" in words.statuses and words.statuses.isdisjoint(_GONE):
        return False
    if asked is Act.DEFAULT or act in _MENDS or act in WARNS:
        return None
    if act in GOES and "removed" in words.statuses and not _is_turned(words, "removed"):
        return False
    stems = frozenset(token for word in findings.focus.telling for token in word.tokens)
    # "Do not change the pane" denies nothing; what is so no longer was so before.
    ends = "no longer" in words.text.casefold()
    if ends and any(word.stem in stems and NOT in word.reached for word in words.words):
        return False
    is_new = act is Act.ADDED and one.item.certainty >= _SURELY_NEW and not words.turns
    # What is asked to be so still came before what may have ended it.
    is_asked_anew = asked in (None, Act.ADDED) and "still" not in findings.query.search_text.casefold().split()
    is_about = share_met(findings.focus.telling, one.tokens) >= _ABOUT and states_something(words.text)
    return True if is_new and is_asked_anew and is_about else None


def _is_turned(words: Reading, status: str) -> bool:
    return any(STATUS_OF.get(word.stem) == status and word.reached & {NOT, MAY} for word in words.words)


def _is_enough(findings: Findings, words: Reading) -> bool | None:
    """Whether the one version that a question names of something else is at least the one that an entry asks for."""
    asked, needed = (
        [
            version
            for text in texts
            if (version := Version.try_parse(text.lstrip("abcdefghijklmnopqrstuvwxyz"))) is not None
        ]
        for texts in ((word.text for word in findings.focus.words), (number.text for number in words.numbers))
    )
    return asked[0] >= needed[0] if len(asked) == len(needed) == 1 else None
