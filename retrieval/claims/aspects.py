"""Words of status in a sentence, each with the "not" that turns it: added or removed, stable or experimental.

An aspect is a question with a few answers of which one excludes the others; a sentence that gives several answers to
one question (it removes one thing and adds another) is compared by what it shares.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Aspect(StrEnum):
    """A question about software that words of status answer."""

    LIFE = "life"
    STABILITY = "stability"
    DEFAULT = "default"
    NEED = "need"
    DIRECTION = "direction"
    SPEED = "speed"
    MANNER = "manner"
    EXTENT = "extent"


@dataclass(frozen=True, slots=True)
class _Word:
    aspect: Aspect
    value: str
    denied: str
    """What the word says after "not"; empty where that says nothing."""
    pattern: re.Pattern[str]


_DENIAL = re.compile(
    r"(?:\bnot|n['’]t|\bno longer|\bnever|\bcannot|\bwithout|\bno|\bstop(?:s|ped)?|\bceased? to)"
    r"(?: (?:yet|be|been|being|currently|officially|fully|automatically|considered"
    r"|regarded as|treated as|marked(?: as)?|an?|any|the)\b)*\W*$",
    re.IGNORECASE,
)
_DENIAL_REACH = 40
_PLAN = re.compile(
    r"(?:\bwill|\bto|\bmay|\bmight|\bwould|\bshall|\bgoing to|\bplan(?:s|ned)?(?: to| for)?|\bscheduled(?: to| for)?"
    r"|\bgets|\bpending|\bupcoming|\bfuture)(?: (?:also|then|eventually|be|get))*\W*$",
    re.IGNORECASE,
)


def _word(aspect: Aspect, value: str, denied: str, pattern: str) -> _Word:
    return _Word(aspect, value, denied, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE))


_WORDS = (
    _word(
        Aspect.LIFE,
        "removed",
        "kept",
        r"remov(?:e[sd]?|ing|als?)|drop(?:s|ped|ping)?(?!-)|delet(?:e[sd]?|ing)|discontinu(?:e[sd]?|ing)|eliminat(?:e[sd]?|ing)"
        r"|gone|went away|goes away|took away|takes away|refuses?|loses?|lost"
        r"|(?:is|are|now|become|became|becomes) unsupported"
        r"|end(?:s|ed) (?:of )?support|end of support|withdrawn|disappear(?:s|ed)?|retired|cut"
        r"|got rid of|gets rid of|no support|versionremoved|killed",
    ),
    _word(
        Aspect.LIFE,
        "deprecated",
        "kept",
        r"(?:soft-|doc-only )?deprecat(?:e[sd]?|ing|ions?)|obsoleted?|obsoletes|discouraged",
    ),
    _word(
        Aspect.LIFE,
        "added",
        "removed",
        r"add(?:s|ed|ing)?|addition of|introduc(?:e[sd]?|ing|tion)|new|gain(?:s|ed)?|brings|brought|versionadded"
        r"|implement(?:s|ed)?|arrived?|arrives|landed|lands|learn(?:s|ed|t)|appear(?:s|ed)|came with|comes with"
        r"|came in|entered|joined"
        r"|now (?:has|have|can|accepts?|supports?|includes?|ships?|allows?|provides?)",
    ),
    _word(
        Aspect.LIFE,
        "supported",
        "removed",
        r"support(?:s|ed|ing)?|available|accept(?:s|ed)?|allow(?:s|ed)?|includ(?:es?|ed)|provid(?:es?|ed)|ships?|shipped|works?"
        r"|handles?|handled|exists?|possible|compatible",
    ),
    _word(Aspect.LIFE, "recommended", "deprecated", r"recommended|preferred|encouraged"),
    _word(Aspect.LIFE, "kept", "removed", r"still|remains?|kept|keeps|continues? to|stays?"),
    _word(Aspect.LIFE, "fixed", "broken", r"fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|repaired|corrected|patched"),
    _word(Aspect.LIFE, "retracted", "", r"revert(?:s|ed)?|yanked|withdrawn|retracted|backed out|rolled back"),
    _word(
        Aspect.STABILITY,
        "stable",
        "experimental",
        r"stable(?!-| abi| api| branch| release)|stabili[sz](?:e[sd]?|ing|ation)|generally available"
        r"|production[- ]ready|GA(?= )|out of (?:beta|preview)"
        r"|no longer (?:an? )?(?:experimental|beta|prototype|provisional)"
        r"|graduat(?:e[sd]?|ing)",
    ),
    _word(
        Aspect.STABILITY,
        "experimental",
        "stable",
        r"experimental(?:ly)?|beta(?! ?\d)|prototype|(?:tech(?:nical|nology)?|in|as a) preview"
        r"|provisional(?:ly)?|unstable|alpha(?! ?\d)",
    ),
    _word(
        Aspect.DEFAULT,
        "off by default",
        "on by default",
        r"(?:disabled|off|inactive|false|none)[\"'`”’]* by default|opt[- ]in|behind (?:a|an) (?:\w+ )?(?:flag|option)"
        r"|defaults? to `?(?:false|off|disabled|none)",
    ),
    _word(
        Aspect.DEFAULT,
        "on by default",
        "off by default",
        r"by default|the (?:new )?default(?! value)|becomes? default|is default"
        r"|default behaviou?r|defaults? to `?(?:true|on|enabled)|opt[- ]out",
    ),
    _word(
        Aspect.NEED,
        "required",
        "optional",
        r"requir(?:e[sd]?|ing|ement)|mandatory|must|needs?|needed|compulsory|insists?|demands?",
    ),
    _word(Aspect.NEED, "optional", "required", r"optional(?:ly)?|may be omitted|can be omitted"),
    _word(
        Aspect.DIRECTION,
        "raised",
        "",
        r"increas(?:e[sd]?|ing)|rais(?:e[sd]?|ing)(?!\s+(?:\w+\s+){0,2}[`\w.]*(?:error|exception|warning|interrupt|exit))"
        r"|higher|larger|bigger|gr[eo]w(?:s|n)?"
        r"|bump(?:s|ed)?|longer(?<!no longer)",
    ),
    _word(
        Aspect.DIRECTION,
        "lowered",
        "",
        r"decreas(?:e[sd]?|ing)|lower(?:s|ed|ing)?|reduc(?:e[sd]?|ing|tion)|smaller|fewer|shr[aiu]nks?|shorter",
    ),
    _word(
        Aspect.SPEED,
        "faster",
        "slower",
        r"optimi[sz](?:ed|es|ations?)|performance\b.{0,40}\bimproved|improved performance"
        r"|faster|speed(?:s|ed)?[- ]?ups?|quicker|speeds? up|accelerat(?:e[sd]?|ing)",
    ),
    _word(Aspect.MANNER, "automatic", "explicit", r"automatic(?:ally)?|implicit(?:ly)?|by itself|on its own"),
    _word(Aspect.MANNER, "explicit", "automatic", r"explicit(?:ly)?|manual(?:ly)?|by hand|yourself"),
    _word(Aspect.LIFE, "renamed", "", r"renam(?:e[sd]?|ing)"),
    _word(Aspect.EXTENT, "full", "partial", r"fully|full|complete(?:ly)?|entirely|every|all (?:features|of)"),
    _word(Aspect.EXTENT, "partial", "", r"partial(?:ly)?|limited|initial|preliminary|basic|not all|some of"),
    _word(Aspect.SPEED, "slower", "", r"slower|slow(?:s|ed) down|regress(?:es|ed|ion)"),
)
_EXCLUDES = {
    "added": frozenset(("removed", "deprecated")),
    "supported": frozenset(("removed",)),
    "kept": frozenset(("removed",)),
    "removed": frozenset(("added", "supported", "kept", "deprecated")),
    "planned removal": frozenset(("added",)),
    "automatic": frozenset(("explicit",)),
    "explicit": frozenset(("automatic",)),
    "deprecated": frozenset(("added", "removed", "kept", "recommended")),
    "recommended": frozenset(("deprecated", "removed")),
    "fixed": frozenset(("broken",)),
    "broken": frozenset(("fixed",)),
    "stable": frozenset(("experimental",)),
    "experimental": frozenset(("stable",)),
    "on by default": frozenset(("off by default",)),
    "off by default": frozenset(("on by default",)),
    "required": frozenset(("optional",)),
    "optional": frozenset(("required",)),
    "raised": frozenset(("lowered",)),
    "lowered": frozenset(("raised",)),
    "full": frozenset(("partial",)),
    "partial": frozenset(("full",)),
    "faster": frozenset(("slower",)),
    "slower": frozenset(("faster",)),
}
_SAME_AS = (
    frozenset(("added", "supported")),
    frozenset(("kept", "supported")),
    frozenset(("kept", "added")),
    frozenset(("planned removal", "deprecated")),
)
"""What is added is supported, which is what a claim of support asks for."""


@lru_cache(maxsize=4096)
def read_aspects(text: str) -> Mapping[Aspect, frozenset[str]]:
    """What a text without markup says of each aspect; aspects of which it says nothing are left out."""
    told: dict[Aspect, set[str]] = {}
    taken: list[tuple[int, int]] = []
    for word in _WORDS:
        for match in word.pattern.finditer(text):
            if any(start <= match.start() < end for start, end in taken):
                continue
            before = text[max(0, match.start() - _DENIAL_REACH) : match.start()]
            value = word.denied if _DENIAL.search(before) else word.value
            if value == "removed" and _PLAN.search(before):
                value = "planned removal"
            if value:
                told.setdefault(word.aspect, set()).add(value)
            taken.append(match.span())
    life = told.get(Aspect.LIFE, set())
    if life & {"removed", "planned removal", "deprecated", "kept"}:
        # "Removed support for x": the support is what went.
        life -= {"supported"}
    return {aspect: frozenset(values) for aspect, values in told.items()}


def excludes(claimed: str, told: frozenset[str]) -> str | None:
    """The value among `told` that can't be true beside `claimed`; None where one of them says the same, or none does
    otherwise."""
    same = {claimed}.union(*(pair for pair in _SAME_AS if claimed in pair))
    if claimed == "planned removal":
        same.add("removed")
    if same & told:
        return None
    return next(iter(sorted(told & _EXCLUDES.get(claimed, frozenset()))), None)
