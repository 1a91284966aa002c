"""Conflicts: a disagreement of sources about the question is added to the answer, the official side first.

Two clauses about one release disagree if, in nearly the same words and under the same limits, they state differing
values of one kind. The judge of two texts can't decide it: to find 30 of our 35 labelled disagreements, it would also
refute 25 of 64 pairs that agree or concern two things.
"""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, product
from typing import NamedTuple

from corpus.affirming import SENTENCE_END
from corpus.happenings import find_acts
from corpus.lexicon import STOP_WORDS, content_words, split_tokens
from corpus.model import Act
from corpus.symbols import find_symbols
from retrieval.blocks import NO_WORDS, words_of
from retrieval.judge.pairs import JudgedItem, bare_number, read_range, split_words
from retrieval.model import Status
from retrieval.question.words import RUNS_ON, share_met
from retrieval.quoting.composing import Dispute, Draft, according_to, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

_LEADING, _CANDIDATES, _ABOUT, _ANSWER, _NEAR = 2, 40, 0.3, 0.9, 0.3
"""How many of the first statements are compared with how many of the likeliest items; least share of the keywords'
weight that both sides must share, if their other words differ also of what the fuller side has, and of the fuller
side's words. Chosen by hand, never fitted."""
_ASKS_DISAGREEMENT = re.compile(
    r"\b(?:(?:dis|n[’']?t |not )(?:quite )?agree|contradict|conflict(?:s|ing)\b|inconsisten|discrepanc|at odds\b"
    r"|(?:says?|said|seen|heard|read|find|found) both\b|both words\b|differently\b)",
    re.IGNORECASE,
)
_NOT_ASSERTED = re.compile(
    r"\?$|^\W*bump|\b(?:previously|formerly|earlier|used to|(?:until|before) th\w*|(?:say|said|report|claim)\w* that"
    r"|will|planned|may|might|could|should|if|when|unless|except|without|(?:about|around|almost|nearly)(?= \d))\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(\b(?:up to|at most|at least|more than|over) )?(?<![\w.#/-])(\d[\d,]*(?:\.\d+(?=\s?[x×%]))?)\s?([x×%](?!\w)"
    r"|(?!redirect|request|status|code|bit|line|release|version)[a-z]{3,})",
    re.IGNORECASE,
)
_DENIAL = r"(?i:\b(?:not?|never|cannot)|n['’]t)\s(?:\w+ ){0,2}?"
_UNSTABLE = "experimental|unstable|prototype|beta|preview"
_STATES = {
    "by default|defaults? to|is the default|opt-in": "disabled|off|opt-in|false",
    f"stable|generally available|production-ready|{_UNSTABLE}": _UNSTABLE,
    "required|mandatory|optional": "optional",
    "(?:un)?support(?:s|ed)?|works?": "unsupported",
}
"""Words for a state, and those of them for its opposite."""
_LEAST, _ALONE = (
    frozenset(s.split()) for s in ("requires required needs need minimum newer later", "only limited initial")
)
_PLATFORMS = RUNS_ON | frozenset("xpu mps cpu gpu tpu wasm amd nvidia".split())
_OF_VALUES = frozenset(
    split_words(
        " ".join((*chain(*_STATES.items(), _LEAST, _ALONE), "enabled true available used release yet new covers"))
    )
)


class Claim(NamedTuple):
    """A value stated in a clause: "up to 8 workers" -> key "up to worker", value "8", shown "up to 8 workers"."""

    key: str
    value: str
    shown: str
    limits: frozenset[str]  # Code names, platforms and other numbers.
    stems: frozenset[str]  # Stems of the other words.


def append_conflict(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with the first disagreement about the question after its answer; unchanged if there is none. If
    the question asks for a disagreement, the two sides are the answer, even if the draft has none."""
    is_asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    if draft.status is Status.NOT_FOUND and not (is_asked and draft.by_confidence):
        return draft
    statements = draft.statements
    quoted = [quote for statement in statements for quote in statement.quotes[:1] if not quote.retracted]
    likely = [item.quote for item in findings.fitting[:_CANDIDATES] if not item.item.retracted]
    items = {id(quote): read_range(quote.passage, quote.core, findings.index) for quote in (*quoted, *likely)}
    for pair in chain(product(quoted[:_LEADING], likely), combinations(likely, 2)):
        first, second = sides = sorted(pair, key=lambda quote: -quote.passage.document.authority.weight)
        is_one = first.passage.document.id == second.passage.document.id
        if first.shares_core(second) or (is_one and not is_asked and pair[0] not in quoted):
            continue
        read = [items[id(side)] for side in sides]
        strict = find_disagreement(*read)
        about = strict if strict or is_one else find_disagreement(*read, of_one_subject=True)
        if not about or not _is_about(sides, findings, disputed=is_asked, strict=bool(strict)):
            continue
        pro = statement_of(first, findings.text_of(first), tells_day=True)
        contra = statement_of(second, findings.text_of(second))
        speaker = contra.speaker.with_small_initial()
        if contra.speaker != according_to(second) and not speaker.text.endswith(")"):
            speaker += f" ({second.passage.document.authority.value})"
        before = words_of(f"{'The notes disagree with themselves' if is_one else 'Sources disagree'} about {about}. ")
        contra = replace(contra, before=before + "Against it, ", speaker=speaker, code=())
        disputes = (*draft.disputes, Dispute(about, (first, second)))
        if is_asked:
            return Draft(Status.ANSWERED, NO_WORDS, (pro, contra), draft.notes, disputes)
        # Keep the side that answers, unless the other one has more authority.
        sided = [[s for s in statements if any(map(side.shares_core, s.quotes))] for side in sides]
        rest = [statement for statement in statements if statement not in chain(*sided)]
        if statements[0] not in chain(*sided):
            return replace(draft, statements=(*rest, pro, contra), disputes=disputes)
        answer = statements[0] if statements[0] in sided[0] else pro
        return replace(draft, statements=(answer, *rest, contra), disputes=disputes)
    return draft


def _is_about(sides: list[Quote], findings: Findings, *, disputed: bool, strict: bool) -> bool:
    """Return whether two quotes share the question's words, or their sections if a disagreement is asked for."""
    spans = [(quote.passage, quote.passage.span if disputed else quote.core) for quote in sides]
    texts = [" ".join((*passage.heading, span.slice(findings.index.text_of(passage)))) for passage, span in spans]
    tokens, focus = [frozenset(split_tokens(text)) for text in texts], findings.focus
    shared, most = tokens[0] & tokens[1], max(share_met(focus.keywords, side) for side in tokens)
    least = _ABOUT * (not disputed) if strict else max(_ABOUT, _ANSWER * most)
    is_named = all(name.met_by(shared) for name in focus.names)
    return is_named and bool(focus.words or strict) and share_met(focus.keywords, shared) >= least


def find_disagreement(item: JudgedItem, other: JudgedItem, *, of_one_subject: bool = False) -> str | None:
    """Return the first disagreement of two items of one release, as "np.safe_eval: deprecated or removed", or None. If
    they are known to be `of_one_subject`, their other words may differ."""
    if item.product != other.product or not item.release or item.release != other.release:
        return None
    for first, second in product(read_claims(item), read_claims(other)):
        if first.key != second.key or first.value == second.value or first.limits != second.limits:
            continue
        least, most = sorted((first.stems, second.stems), key=len)
        is_same = least == most or (least <= most and len(least) >= max(_NEAR * len(most), 1 + (first.key != "act")))
        if (is_same and least) or (of_one_subject and first.key not in ("act", "platforms")):
            words = [w for w in content_words(item.text) if least & most & {*split_tokens(w)[:1]} and w[0].isalpha()]
            values = " or ".join(filter(None, (first.shown, second.shown)))
            return ": ".join(filter(None, (" ".join(words[:6]), values)))
    return None


@lru_cache(maxsize=4096)
def read_claims(item: JudgedItem) -> tuple[Claim, ...]:
    """Return the values that the clauses of an item state of its release."""
    claims: list[Claim] = []
    for clause in SENTENCE_END.split(re.sub(r"\s\([^()]*\)", "", item.text)):
        if _NOT_ASSERTED.search(clause) or Act.FIXED in (acts := dict(find_acts(clause))):
            continue
        is_denied = bool(re.search(_DENIAL, clause))
        words, symbols = frozenset(map(str.casefold, split_words(clause))), find_symbols(clause)
        release = bare_number(item.release.label) if item.release else ""
        numbers, platforms = {w for w in words if w[0].isdigit() and bare_number(w) != release}, words & _PLATFORMS
        values = [("act", act.value, act.value) for act in (Act.REMOVED, Act.DEPRECATED) if symbols and act in acts][:1]
        for state, opposite in _STATES.items() if not acts else ():
            match = re.search(rf"({_DENIAL})?\b(?:{state})\b", clause, re.IGNORECASE)
            if match and bool(match[1]) == is_denied:
                is_off = bool(re.search(rf"\b(?:{opposite})\b", clause, re.IGNORECASE))
                values.append((state, str(is_off != is_denied), ""))
        if not acts and not is_denied:
            for bound, number, unit in _FIGURE.findall(clause):
                if unit not in STOP_WORDS:
                    key = f"{bound}{unit}".casefold().replace("×", "x").removesuffix("s")
                    values.append((key, number, f"{bound}{number}{unit if len(unit) == 1 else f' {unit}'}"))
            values += [("least", number, number) for number in numbers if words & _LEAST]
        if platforms and words & _ALONE:
            values.append(("platforms", " ".join(sorted(platforms)), " and ".join(sorted(platforms))))
        for key, value, shown in values:
            gone = _OF_VALUES.union(
                platforms if key == "platforms" else (), acts and ("remove", "removed", "deprecated", "dropped")
            )
            limits = {*map(str.casefold, symbols), *platforms, *numbers} - gone - {value, f"{value}x"}
            about = " ".join(word for word in content_words(clause) if word.casefold() not in gone | numbers)
            stems = frozenset(split_tokens(about)) - {*split_tokens(item.product)}
            claims.append(Claim(key, value.replace(",", ""), shown, frozenset(limits), stems))
    return tuple(claims)
