"""What an answer says before the words of its first quote: what became of the thing, and yes or no where that is asked.

Who reads "No" without a reason is misled, so a doubt says nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.plain_words import readable
from corpus.versions import Version
from retrieval.drafting import OPINION, Opening, Statement, announced, attribution, is_for_later, is_unreleased
from retrieval.findings import Findings
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.quotes import GOES, WARNS, ItemScore, Quote
from retrieval.quoting.statements import states_something
from retrieval.search.item_forms import is_code
from retrieval.verification.reading import Reading, read_text, split_statements
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
_SURE, _SURELY = 0.5, 0.7
_ABOUT, ALL = 0.5, 0.85
"""Of the weight of the question's words: "Add Redcarpet" says nothing of Redcarpet on Windows; and what brought a thing
names it, as what was added to it later may too."""
_NEAR = 0.6
"""What decides must be this near to the question, as a share of the best one's cosine: what names the thing in passing
says nothing of it. Likely to answer as the question puts it ("does it read …?") it needn't be: it may say no."""
_GOING = frozenset({Act.REMOVED, Act.DEPRECATED})
_MENDS = frozenset({Act.FIXED, Act.SECURED, Act.FASTER})
"""What mends a thing says only in passing that it is there."""
_STAYS = re.compile(
    r"\b(?:use(?! of)|using|instead|in favou?r of|(?:replaced|superseded) (?:by|with)|rather than|still|only)\b", re.I
)
"""What stands behind it isn't what went, but what takes its place or stays."""
_GOES_ON = re.compile(r"\b(?:still|only|can|continues?|remains?|keeps?)\b", re.I)
_OWNER = re.compile(r"(?<!support)(?<!removal)(?<!deprecation)(?<!use)(?<!usage) (?:of|from)\b", re.I)
"""What follows has only a part that the status is said of: "removed the flag of the command"."""
_VERSION = re.compile(r"(?:version|release)s?$", re.I)
_TURN = re.compile(r"\s(?:but|while|whereas|although|though)\s", re.I)
_WORD = re.compile(r"[\w'’-]+")
_BEFORE_ADJECTIVE = frozenset("the a an any all some these those other previously already long its".split())


def lead(
    findings: Findings, one: ItemScore, quote: Quote, verdict: bool | None = None, *, keeps_tickets: bool = False
) -> Statement:
    """The first statement of an answer: what is said of the quote of an entry, with its day and what opens it."""
    text = findings.text_of(quote)
    said = Statement(announced(quote, text, keeps_tickets=keeps_tickets), (quote,))
    if quote.passage.document.authority in OPINION or quote.retracted:
        return said
    # "**Lamp 2.0** drops the glow" names its release in its own sentence.
    is_placed = said.text.removeprefix(attribution(quote)).startswith((":", " ("))
    tells_trouble = findings.query.form.tells_trouble
    # A question without a telling word isn't about anything.
    is_about = tells_trouble or bool(findings.focus.telling and share_met(_words_of(findings), one.tokens) >= _ABOUT)
    is_status = is_placed and is_about and not is_code(text, one.item.span)
    words = _read(findings, one)
    act = _told(one, words) if is_status else None
    is_mended = act not in _MENDS or tells_trouble or findings.query.act in _MENDS
    # What became of another thing that the entry names is told in its own words.
    asked = _words_of(findings)
    clauses = _saying(words, act) if act and act in _GOING & words.statuses and not tells_trouble else ()
    # "Dropped 2.4; 2.6 still works" is the end of 2.4 alone.
    names = _holds if _goes_on(words, asked) else _names_one
    is_said = not clauses or any(names(_without_owner(clause), asked) for clause in clauses)
    # "Yes" to one status isn't followed by another one.
    says_act = is_mended and is_said and (not verdict or act is findings.query.act)
    return replace(said, opening=Opening(verdict, STATUS.get(act, "") if act and says_act else ""))


def decide(findings: Findings) -> tuple[ItemScore, bool | None]:
    """What answers as things are now, and whether what is asked is so: the newest entry that surely says so, or that
    is as much on it as what answers best. "Not yet" stays true in the words of its release alone."""
    best = findings.fitting[0]
    found = [
        (scored, verdict)
        for scored in findings.fitting
        if scored.passage.release
        and scored.passage.document.product == best.passage.document.product
        and scored.passage.document.authority not in OPINION
        and scored.cosine >= _NEAR * best.cosine
        and not scored.item.retracted
        and not is_unreleased(scored.passage)
        and ((verdict := _verdict(findings, scored)) is not None or _is_on_it(findings, scored, best))
    ]
    # What a candidate says may still change: a release decides before it.
    found.sort(
        key=lambda pair: (not _is_candidate(pair[0]), pair[0].passage.release_order, pair[0].score), reverse=True
    )
    if not found or not found[0][1]:
        return found[0] if found else (best, None)
    # No older entry says "yes" past what tells that something of these names went.
    is_older = found[0][0].passage.release_order < best.passage.release_order
    names_it = share_met(_words_of(findings), best.tokens) >= ALL
    if is_older and names_it and _told(best, _read(findings, best)) in GOES:
        return best, None
    # What was there before is told by how it came better than by what was added to it.
    return max(takewhile(lambda pair: pair[1], found), key=lambda pair: pair[0].score)


def _is_on_it(findings: Findings, one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry that decides nothing tells more of all that is asked than the best one: later, or a warning."""
    if share_met(findings.focus.telling, one.tokens) < ALL:
        return False
    is_newer = one.passage.release_order > best.passage.release_order and one.act not in _MENDS
    return is_newer or _told(one, _read(findings, one)) in WARNS


def _is_candidate(one: ItemScore) -> bool:
    version = Version.try_parse(one.passage.release or "")
    return version is not None and version.is_prerelease


def _read(findings: Findings, one: ItemScore) -> Reading:
    return read_text(readable(findings.words_of(one)))


def _words_of(findings: Findings) -> Sequence[QuestionWord]:
    return findings.focus.names or findings.focus.telling


def _told(one: ItemScore, words: Reading) -> Act | None:
    """What an entry says happened: as it was read by example, where its own words don't tell another thing."""
    stated, act = words.statuses, one.act
    # The entry's own words weigh more against them than an act that may be its neighbours'.
    least = _SURE if act in stated or not stated else _SURELY
    if one.item.act is act and one.item.certainty < least:
        act = Act.OTHER
    if act in stated or not stated:
        return act
    return next(iter(stated)) if len(stated) == 1 and act is Act.OTHER else None


def _verdict(findings: Findings, one: ItemScore) -> bool | None:
    """Whether what is asked is so; None where the entry may be about another thing, or doesn't decide it."""
    names_it = share_met(_words_of(findings), one.tokens) >= ALL
    if not names_it and one.act is not Act.REQUIRES:
        return None
    words, asked = _read(findings, one), findings.query.act
    act = _told(one, words)
    if act is Act.REQUIRES:
        return _is_enough(findings, one, words)
    if not names_it:
        return None
    if asked is Act.DEPRECATED:
        reverts = Act.REVERTED in words.statuses
        is_so = _is_said_of_names(findings, one, words, Act.REVERTED if reverts else Act.DEPRECATED)
        return not reverts if is_so else None
    if Act.REVERTED in words.statuses and words.statuses.isdisjoint(_GOING):
        return False
    if asked is Act.DEFAULT or act in _MENDS or act in WARNS:
        return None
    if act in GOES and _is_said_of_names(findings, one, words, Act.REMOVED):
        return False
    stems = frozenset(token for word in findings.focus.telling for token in word.tokens)
    # "Do not change the pane" denies nothing; what is so no longer was so before.
    ends = "no longer" in words.text.casefold()
    if ends and any(word.stem in stems and NOT in word.reached for word in words.words):
        return False
    is_new = act is Act.ADDED and one.item.certainty >= _SURELY and not words.turns
    # What is asked to be so still came before what may have ended it.
    is_asked_anew = asked in (None, Act.ADDED) and "still" not in findings.query.search_text.casefold().split()
    is_about = share_met(findings.focus.telling, one.tokens) >= _ABOUT and states_something(words.text)
    return True if is_new and is_asked_anew and is_about else None


def _is_said_of_names(findings: Findings, one: ItemScore, words: Reading, status: Act) -> bool:
    """Whether a clause says the status of all that is asked about: not of what takes its place, of what has it as a
    part or of another thing of the sentence; and not for later."""
    asked = _words_of(findings)
    is_said = any(
        _holds(clause, asked) and _names_one(_without_owner(clause), asked) for clause in _saying(words, status)
    )
    return (
        is_said
        and not _goes_on(words, asked)
        and not (status in _GOING and is_for_later(words.text, one.passage, status))
    )


def _goes_on(words: Reading, asked: Sequence[QuestionWord]) -> bool:
    return any(_GOES_ON.search(clause) and _names_one(clause, asked) for clause in _clauses(words))


def _clauses(words: Reading) -> tuple[str, ...]:
    return tuple(clause for said in split_statements(words.text) for clause in _TURN.split(said))


def _saying(words: Reading, status: Act) -> tuple[str, ...]:
    """The clauses that say a status, up to what takes the place of the thing."""
    said = (_STAYS.split(clause, maxsplit=1)[0] for clause in _clauses(words))
    return tuple(clause for clause in said if _says(clause, status))


def _without_owner(clause: str) -> str:
    return _OWNER.split(clause, maxsplit=1)[0]


def _says(clause: str, status: Act) -> bool:
    """Whether a clause says that something has a status: "the deprecated flag" only names a flag."""
    if _is_turned(read_text(clause), status):
        return False
    pieces = [(piece, STATUS_OF.get(next(iter(split_tokens(piece)), ""))) for piece in _WORD.findall(clause)]
    return any(
        its == status and not (n and (pieces[n - 1][0].casefold() in _BEFORE_ADJECTIVE or pieces[n - 1][1]))
        for n, (_, its) in enumerate(pieces)
    )


def _holds(clause: str, asked: Sequence[QuestionWord]) -> bool:
    """Whether a clause has the words asked about, names whole: `A_B` isn't met by its parts."""
    tokens = frozenset(split_tokens(clause))
    return share_met(asked, tokens) >= ALL and all(word.tokens[0] in tokens for word in asked if len(word.tokens) > 1)


def _names_one(clause: str, asked: Sequence[QuestionWord]) -> bool:
    tokens = frozenset(split_tokens(clause))
    return any(word.met_by(tokens) for word in asked)


def _is_turned(words: Reading, status: Act) -> bool:
    return any(STATUS_OF.get(word.stem) == status and word.reached & {NOT, MAY} for word in words.words)


def _is_enough(findings: Findings, one: ItemScore, words: Reading) -> bool | None:
    """Whether the one version that a question names of something else is at least the one that an entry asks for; the
    entry must name what it is a version of."""
    asked, of = [], None
    for n, word in enumerate(findings.focus.words):
        if (version := Version.try_parse(word.text)) is not None:
            asked.append(version)
            of = next((other for other in reversed(findings.focus.words[:n]) if not _VERSION.match(other.text)), None)
    needed = [version for number in words.numbers if (version := Version.try_parse(number.text)) is not None]
    is_same = of is not None and of.tokens[0] in one.tokens
    return asked[0] >= needed[0] if is_same and len(asked) == len(needed) == 1 else None
