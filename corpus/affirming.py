"""Whether words state an act plainly. English has few ways to say that something was done and endless ones to say that
it wasn't, so the few are listed here; any other wording of an act, or doubt after it, leaves it open."""

import re
from functools import lru_cache

from corpus.model import Act
from corpus.plain_words import one_line, stated_words

_VERBS = {
    Act.REVERTED: r"revert(?:s|ed|ing)?|roll(?:s|ed|ing)? back|back(?:s|ed|ing)? out|undo(?:es|ne|ing)?|reinstat\w+"
    r"|restor(?:e[sd]?|ing)|re-?(?:add|introduc|enabl)\w*|br(?:ing|ings|inging|ought) back|un-?deprecat\w+"
    r"|(?:is|are|was|were|comes?|came|puts?) back",
    Act.REMOVED: r"remov(?:e[sd]?|ing|als?)|drop(?:s|ped|ping)?|delet(?:e[sd]?|ing|ions?)|discontinu\w+"
    r"|retire[sd]?|withdr(?:aw|awn|ew)|end(?:s|ed|ing)? (?:of )?support|no longer (?:supported|available|exists?"
    r"|included|shipped|supports?|ships?)",
    Act.DEPRECATED: r"(?:soft-?|pending )?deprecat(?:e[sd]?|ing|ions?)",
    Act.REPLACED: r"renam(?:e[sd]?|ing)|replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)",
    Act.FIXED: r"fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|correct(?:s|ed)|repair(?:s|ed)?|solve[sd]|patch(?:es|ed)"
    r"|address(?:es|ed)",
    Act.ADDED: r"add(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|implement(?:s|ed|ing)?|shipp(?:ed|ing)|ships?",
}
VERB = re.compile(
    "|".join(rf"(?P<{act.value}>(?<![\w./-])(?:un-?)?(?:{verbs})(?![\w/(-]|\.\w))" for act, verbs in _VERBS.items()),
    re.IGNORECASE,
)
CODE = re.compile(r"`+[^`]*`+")
SENTENCE_END = re.compile(r"(?<=[.;!?])\s+")
_QUOTED = re.compile(
    r"\"[^\"]+\"|\u201c[^\u201d]+\u201d|\u2018[^\u2019]+\u2019|\u00ab[^\u00bb]+\u00bb|(?<!\w)'[^']+'(?!\w)"
)
_ADVERBS = (
    r"(?:(?:^|\s)(?:not (?:only|just|merely)|also|now|fully|completely|entirely|finally|already|officially|silently"
    r"|simply|then|therefore|thus|all|consequently|previously|permanently|formally|subsequently|both|each|recently"
    r"|properly|automatically|explicitly)){0,5}"
)
_BEFORE_PARTICIPLE = re.compile(
    rf"(?:(?:^|\s)(?:is|are|was|were|gets?|got|will(?:{_ADVERBS}\s+be)|(?:has|have"
    rf"|['\u2019]ve)(?:{_ADVERBS}\s+been)?))?{_ADVERBS}\s{{0,9}}\Z",
    re.I,
)
_OPENING = re.compile(
    r"\A(?>(?:\[[^\]]*\]|\([^()]*\)|[\w`./()!-]{1,99}+:|#?\d[\w.]*|\w+[/-]\d+|[^\w\[(])*)\W*(?:(?:we|it|this|they|i)\b)?\W*",
    re.I,
)
"""Tags, tickets and the subject before the verb of a sentence about a change."""
_DETERMINER = re.compile(
    r"\b(?:the|an?|any|some|these|those|this|that|its|their|our|your|newly|previously|already|using|other)\s+\Z", re.I
)
_LINK = re.compile(r"\b(?:to|an?|the|this|these|its?|of|for)\s*\Z", re.I)
_DOER = re.compile(
    r"\W*(?:i|we|you|they|he|she|it|there|some(?:body|one)|people|users?|everyone|this\s(?!\w))\s+\S", re.I
)
_FAULT = re.compile(
    r"\b(?:bugs?|issues?|problems?|crash\w*|errors?|regressions?|failures?|leaks?|hangs?|deadlocks?|races?|defects?"
    r"|faults?|typos?|exceptions?|warnings?)\b.*",
    re.I,
)
"""A fault and its description, which may contain any verb: "a crash where X wasn't closed was fixed"."""
_NO_NOUN = re.compile(
    r"\b(?:is|are|was|were|be|been|being|ha[sd]|have|having|do|does|did|done|will|would|can|could|may|might|must"
    r"|should|shall|get|see|got|makes?|let|that|which|who|whose|whether|if|unless|until|when|where|why|how|before"
    r"|after|what|no|whatever|none|nobody|nothing|anything|neither|nor|not|never|cannot|few|little|without|instead"
    r"|rather|than|yet|but|thought|said|wrote|felt|knew|meant|heard|thinks?|believes?|claims|says?|hopes?|wish\w*"
    r"|wants?|assumes?|suppose|guess|saying|stating|claiming|suggesting|reading|doubts?|den(?:y|ies)|myths?"
    r"|rumou?rs?)\b|n['\u2019]t\b|(?:^|\s)(?:an?|the|to|of|for|from|with|as|at|by|about|into|on|over|under|almost"
    r"|nearly|half|quite|even|ever|still|soon|maybe|perhaps|once|far|so|too|just|only|least|most|more|less|next"
    r"|these|those|its|their|our|your|some|any|every|\w+ly)\s*\Z"
    r"|(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bof)(?<!\bfor)(?<!\bin)(?<!\bto)(?<!\bwith)(?<![\w-])(?<!^)\s(?!\w*(?:based"
    r"|related|typed|sized|shared|nested|embedded|advanced))[a-z]+ed\b(?!\s+(?:in|by|with|from|on|at|for|to|since|as"
    r"|via|of)\b)",
    re.I,
)
"""Words that show that a phrase isn't only a noun: another verb, a doubt, or a word that can't end a noun phrase."""
_NO_THING = re.compile(
    r"\W*(?:our|their|his|her|my|for|at|by|under|during|contrary|with|within|among|\w+ed (?:the|an?))\s"
    r"|(?!(?:in order )?to\b).*\s(?:i|we|they|you|he|she)\b",
    re.I,
)
_NOUN, _FIX_OF = re.compile(r".*(?:al|ion)s?"), re.compile(r"fix(?:es)?\s+(?:for|to|of)\b", re.I)
# Characters around a verb, and of an entry: many verbs that each read a long sentence whole would be slow.
_AROUND, _READ = 400, 4000
_LABEL_WORDS = 5  # After "Fix": more may be a sentence. Chosen by hand, never fitted.
_PAST = re.compile(r".*(?:ed|wn|ew|s|ble|back|out|ought|support)|undone")
_SAID_OF_NOUN = re.compile(r"\s(?:is|are|was|were|has|have|had|will|did|does|proved|turned|\w+ed)\b")
_CLAUSE_END = re.compile(
    r"[.;:!?,]\s+|\s(?P<joins>and|or|but|so|because|since|while|although)\s|\s[\u2013\u2014-]+\s", re.I
)
_BEHIND = re.compile(
    r"\b(?:but|however|though|although|alas|unfortunately|then again|still (?:there|in|works?|supported|available"
    r"|exists?)|yet|except|until|scratch that|strike that|never ?mind|on second thoughts?|correction|erratum"
    r"|corrigendum|sorry|oops|whoops|kidding|not really|or not|nope|(?:is|was|were|are) (?:wrong|false|untrue|lifted"
    r"|undone|reinstated)|by mistake|in error|mistaken\w*|premature\w*|kept|left (?:in|alone|as)|stays?|remains?"
    r"|revert\w*|back(?:s|ed|ing)? out|roll(?:s|ed|ing)? back|(?:put|br(?:ing|ought|ings)|came|comes) (?:\w+ )?back"
    r"|reinstat\w+|restor\w+|und(?:o|id|one)|withdr[ae]w\w*|called off|cancell?ed|postponed|(?:declin|reject|refus"
    r"|veto)\w*(?=[.;:,]|\Z|\s(?:the|this|that|it|by|as)\b)|later|no such|or so|chang\w+ (?:our|my|their) minds?"
    r"|thought better|un-?(?:remov|deprecat|fix|dropp|renam|add)\w+|for (?:an?|about|some|one) (?:\w+ )?(?:moment"
    r"|while|minutes?|hours?|days?|weeks?|time)|on paper|in theory|in name|in (?:the|an?) (?:\w+ )?(?:sense|branch"
    r"|fork|prototype|draft|plan)|(?:to|on|from|in|of) (?:the |our |an? )?(?:(?:\w+ )?list|things|backlog|roadmap"
    r"|agenda|plans?|candidates))\b|[!?](?:\s|\Z)|\.\.\.(?:\s|\Z)|[.,;:(\u2013\u2014-]\s?(?:(?:we|he|she|nobody"
    r"|who)\s|(?:it|they|this|that|there|here)(?:\s(?:was|is|are|were|has|ha[ds]|did|does|came|turned)\b|['\u2019]))",
    re.I,
)
"""Words after a verb that reverse, limit or withdraw its statement."""
_REASON = re.compile(r"\s(?:as|because|since|due to)\s.*", re.I)
_DENIES = re.compile(
    r"(?:(?<!\bdo )\bnot|\b(?:never|cannot)|\b(?!don)\w+n['\u2019]t|\b(?:it|they|we|he|she)(?!\s(?:to|in|on|at|from"
    r"|with|for|and|or)\b))(?:\s|['\u2019])",
    re.I,
)
"""Words of another clause that deny the act or return to it; unused after "fixed", where they describe the fault."""
_ONLY, _PAUSE = re.compile(r"(?<![\w-])only\b", re.I), re.compile(r"[.;!,:(\u2013\u2014-](?=\s|\w|\Z)")
CORRECTS = re.compile(
    r"\W*(?:correction|errat|corrigend|scratch|strike|sorry|oops|whoops|wait\b|nope|no[,:.]|not really|or rather"
    r"|actually|on second|never ?mind|(?:just )?kidding|ps\b|update:|edit:|(?:\S+ )?(?:the|this|that) (?:(?:above"
    r"|previous|last|preceding|foregoing) )?(?:line|entry|item|note|bullet|point|statement|above)\b)",
    re.I,
)
"""The beginning of an entry that corrects the one before it."""
_HEDGE = re.compile(
    r"\b(?:far from|(?:anything|all|nothing) but|yet to|close to|short of|as good as|next to|barely|hardly|scarcely"
    r"|almost|nearly|refrain\w*|fail(?:s|ed)? to|contrary to|scratch that)\b",
    re.I,
)
_MAKES = re.compile(
    r"\b(?:ma(?:de|k(?:es?|ing))|becom(?:es?|ing)|became|switch(?:e[sd]|ing)?|flip\w*|turn(?:s|ed|ing)?)\b", re.I
)
"""The verbs of a changed default, which has no verb of its own."""


def split_stated(words: str) -> list[str]:
    """Return the sentences of `words`, with X for code and without struck-out text."""
    return SENTENCE_END.split(one_line(CODE.sub("X", stated_words(words))))


@lru_cache(maxsize=8192)
def affirms(words: str, *acts: Act, after: str = "") -> bool:
    """Return whether words plainly state the first of `acts` that they have a verb for, and neither they nor the text
    `after` them withdraw it; without such a verb ("`spin()`"), whether they don't hedge."""
    sentences, later = split_stated(words[:_READ]), " ".join(split_stated(after))
    if any(map(CORRECTS.match, (*sentences[1:], *split_stated(after)))):
        return False
    for act in acts:
        is_fix, readings = act is Act.FIXED, []
        for sentence in sentences:
            for verb in _MAKES.finditer(sentence) if act is Act.DEFAULT else VERB.finditer(sentence):
                if act is Act.DEFAULT or verb.lastgroup == act.value:
                    readings.append((is_plain(sentence, *verb.span()), sentence[verb.end() :]))
        if tails := [tail for plain, tail in readings if plain]:
            tail = _REASON.sub("", tails[0])
            remainder = " ".join(
                (tail.partition(", which ")[0] if act is Act.REPLACED else tail, *sentences[1:], ".", later)
            )
            return not (_BEHIND.search(remainder) or _HEDGE.search(sentences[0]) or (not is_fix and _denies(remainder)))
        if any(plain is False or not is_fix for plain, _ in readings):
            return False
    return not _HEDGE.search(" ".join(sentences))


def _denies(remainder: str) -> bool:
    """Return whether the text after a verb limits the act, or denies it or takes it up again in another clause."""
    pause = _PAUSE.search(remainder)
    return bool(_ONLY.search(remainder) or (pause and _DENIES.search(remainder, pause.start())))


def is_plain(sentence: str, start: int, end: int) -> bool | None:
    """Return whether a sentence plainly states the act of its verb at `[start, end)`: "Remove X", "We removed X", "X
    was removed". None if the verb is beside the act that it states ("Update X to fix Y")."""
    shift = max(0, start - _AROUND)
    sentence, start, end = sentence[shift : end + _AROUND], start - shift, end - shift
    if any(quote.start() < start < quote.end() and " " in quote[0] for quote in _QUOTED.finditer(sentence)):
        return False
    left, verb, right = sentence[:start], sentence[start:end].casefold(), sentence[end:]
    *_, (begin, joins) = ((0, None), *((mark.end(), mark["joins"]) for mark in _CLAUSE_END.finditer(left)))
    before = left[begin:]
    phrase = before[: len(before) - len(aux[0])] if (aux := _BEFORE_PARTICIPLE.search(before)) else before
    subject = _OPENING.sub("", phrase, count=1)
    if joins and not before.strip():
        # In "Deprecated and removed X" the second verb is as plain as the first.
        last = next(reversed(list(VERB.finditer(left))), None)
        is_pair = last and not left[last.end() : begin].casefold().replace(joins.casefold(), "").strip(" ,")
        if (joins.casefold() not in ("and", "or") and "not only" not in left) or (last and is_pair):
            return bool(last and is_pair and is_plain(sentence, *last.span()))
    is_free = not (_DOER.match(phrase) or _NO_NOUN.search(_LINK.sub("", phrase)))
    is_deed = verb.endswith("ing")
    if is_deed or _NOUN.fullmatch(verb) or _FIX_OF.match(verb + right):
        has_verb = _SAID_OF_NOUN.search(_CLAUSE_END.split(right)[0] if is_deed else right)
        if not _LINK.sub("", _OPENING.sub("", before, count=1)).strip():
            return not has_verb and not (_FIX_OF.match(verb + right) and len(right.split()) > _LABEL_WORDS)
        if is_deed and re.search(r"\b(?:by|while|for|we(?: a|['\u2019])re)\s+(?:\w+\s+)?\Z", before):
            return True
        return None if is_free and not re.search(r"\b(?:from|against|of)\s+\Z", before) and not has_verb else False
    if not subject:
        return True
    if not _PAST.fullmatch(verb):
        if re.search(r"\b(?:did|we)\b[^,]*\Z", before) and not _NO_NOUN.search(re.sub(r"\b(?:did|will)\b", "", before)):
            return True
        return None if is_free and not re.match(r"\S+\s+to\s*\Z", _OPENING.sub("", before, count=1)) else False
    if _DETERMINER.search(before):
        return None
    is_mended = before != phrase and re.match(r"fix|resolv|correct|solve|address|repair|patch", verb)
    thing = _FAULT.sub("fault", phrase) if is_mended else phrase
    return not (_DOER.match(thing) or _NO_NOUN.search(thing) or _NO_THING.match(thing))
