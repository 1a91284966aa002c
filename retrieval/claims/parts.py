"""The parts of a claim that can be true or false apart: "Muon was added in 2.9 and supports only 2D parameters".

A part without a subject gets that of the part before it. Only word order is used, so a sentence is cut only before
words that are surely a statement of their own; otherwise it is checked whole.
"""

import re

_ADVERBS = r"(?:(?:also|now|then|still|even|only|therefore|finally|it|they|this)\s+)*"
_AUXILIARY = (
    r"(?:is|are|was|were|has|have|had|can(?:not)?|could|will|won['’]t|does|do|did|doesn['’]t|don['’]t|isn['’]t|aren['’]t"
    r"|wasn['’]t|no longer|must|may|should)"
)
_STEMS = (
    r"(?:add|remov|deprecat|introduc|support|requir|need|chang|renam|fix|mov|rais|return|default|us|work|includ|allow"
    r"|accept|provid|replac|increas|reduc|improv|enabl|disabl|expos|implement|limit|bump|contain|offer|emit|warn|lower"
    r"|outperform|stabili[sz]|switch|gain|treat|ignor|reject|handl|load|cover|restor|releas|extend|convert|report"
    r"|validat|serv|install|generat|show|print|depend|redirect|start|end|lift|retir|promot|updat|upgrad|discontinu|mark"
    r"|publish|land|unif(?:y|i)|simplif|appl)"
)
_IRREGULAR = (
    r"(?:drops?|dropped|ships?|shipped|runs?|ran|brings?|brought|gets?|got|becomes?|became|makes?|made|comes?|came|lets?"
    r"|keeps?|kept|sets?|cuts?|stops?|stopped|splits?|takes?|took|gives?|gave|loses?|lost|throws?|threw|goes|went|begins?"
    r"|began|holds?|held|builds?|built|reads?|writes?|puts?|grew|fell|rose|needs?)"
)
_FINITE = rf"(?:{_AUXILIARY}|{_STEMS}(?:e?s|ed|ies|ied|e)|{_IRREGULAR})"
_VERB = re.compile(rf"(?<![\w.-]){_FINITE}(?![\w.(-])", re.IGNORECASE)
_OPENS_WITH_VERB = re.compile(rf"{_ADVERBS}{_FINITE}(?![\w.(-])", re.IGNORECASE)
_OWN_SUBJECT = re.compile(
    rf"[^\s;,]+(?:\s+[^\s;,]+){{0,4}}?\s+{_AUXILIARY}(?![\w-])|[\w.`():]*[_`)\w]\s+(?:(?:still|also|now)\s+)?(?:{_STEMS}e?s|{_IRREGULAR})(?![\w-])",
    re.IGNORECASE,
)
# Blanks are matched possessively and only from the first one: with backtracking, 2,000 of them took 47 seconds.
_JOINT = re.compile(
    r"(?:(?<!\s)\s++|(?=[,;]))"
    r"(?:,\s*+(?:and|but|while|whereas|yet)\s++|;\s++|(?<=\s)(?:and|but|while|whereas)\s++)",
    re.IGNORECASE,
)
_PRONOUNS = frozenset(("it", "they", "this", "these", "both"))
_PLACE = re.compile(
    r"(?:in|since|as of|with|starting with|from|before|until)\s[^,]{1,40}\d[^,]{0,20},\s+", re.IGNORECASE
)
"""A place at the beginning that holds for all parts of a claim: "In PyTorch 2.9, …"."""


def split_parts(claim: str) -> tuple[str, ...]:
    """Return the parts of a claim, in order: "X was added in 2 and needs Y" -> `("X was added in 2", "X needs Y")`."""
    parts: list[str] = []
    rest = claim.strip()
    place = _PLACE.match(rest)
    while (cut := _first_cut(rest)) is not None:
        left, right = rest[: cut.start()].strip(), rest[cut.end() :].strip()
        parts.append(left)
        if _OPENS_WITH_VERB.match(right):
            rest = f"{_subject(left)} {_without_pronoun(right)}"
        else:
            rest = f"{place[0]}{right}" if place else right
    return (*parts, rest)


def _first_cut(text: str) -> re.Match[str] | None:
    """Return the match of the first words that join two statements, or None."""
    for joint in _JOINT.finditer(text):
        right = text[joint.end() :]
        if _subject(text[: joint.start()]) and (_OPENS_WITH_VERB.match(right) or _OWN_SUBJECT.match(right)):
            return joint
    return None


def _subject(text: str) -> str:
    """Return the words before the first known verb; empty if there is no verb, or nothing before it."""
    verb = _VERB.search(text)
    return text[: verb.start()].strip() if verb else ""


def _without_pronoun(text: str) -> str:
    opening, _, rest = text.partition(" ")
    return rest if rest and opening.casefold() in _PRONOUNS else text


def has_verb(text: str) -> bool:
    """Return whether a text contains a known finite verb."""
    return _VERB.search(text) is not None


def with_subject_of(earlier: str, claim: str) -> str:
    """Return a claim with a pronoun at its start ("It also needs …") replaced by the earlier subject, if both exist."""
    subject, bare = _subject(earlier), _without_pronoun(claim)
    return f"{subject} {bare}" if subject and bare != claim else claim
