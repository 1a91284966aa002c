"""Map the categories of changelogs to the eight kinds.

The heading decides if it is clear ("Bug fixes"), in the languages that most notes are written in; if it joins two
categories or names none, the words of the text decide.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from corpus.happenings import ISSUES, Modality, first_act, place_of
from corpus.model import Act, Kind
from corpus.plain_words import one_line, without_names
from corpus.versions import Version

END_OF_LIFE = r"\bend of (?:life|support)(?!\W{1,3}(?:(?:on|in) )?(?:[A-Z][a-z]+ )?\d)"  # Not of the release itself.
_HEADINGS = {
    Kind.BREAKING: r"\bbreak(?:ing|s|age)?\b|\b(?:backwards?|forward)?[- ]?incompatib|\bupgrad\w*\b.*\bnotes?\b"
    r"|\bmigrat(?:e|ing|ion (?:guide|notes?|from|to))\b",
    Kind.SECURITY: r"\bsecurity|\bvulnerabilit|\bCVE[- ]",
    Kind.REMOVAL: r"\bremov(?:als?|ed|es|e)\b|\b(?:dropped|gone|retired|discontinued|withdrawn|taken out|farewell)\b"
    r"|\bexpired deprecation|" + END_OF_LIFE,
    Kind.DEPRECATION: r"\bdeprecat|\bobsolet",
    Kind.PERFORMANCE: r"\bperf(?:ormance)?\b|\bspeed|\bfaster\b",
    Kind.FIX: r"\bbug|\bdefects?\b|\bfix(?:es|ed)?\b|\bregression",
    Kind.FEATURE: r"\bfeature|\badded\b|\bnew\b|\bimprove|\benhance|\bhighlight|\badditions?\b",
    Kind.OTHER: r"\bchanged?\b|\bchanges\b|\binternal|\bdoc(?:s|umentation)?\b|\bmisc|\bcontribut|\bdependenc"
    r"|\btranslation|\brefactor|\bchore|\btests?\b|\bbuild|\bpackaging|\bother\b|\bstyle",
}
_ABROAD = {
    Kind.BREAKING: r"inkompatib|incompatib|\brupture|несовместим|不兼容|非兼容|破坏性|互換性のない|破壊的|호환되지",
    Kind.SECURITY: r"\bsicherheit|\bsécurité|\bseguridad|\bsegurança|\bsicurezza|\bbeveiliging|безопасн|安全|脆弱性"
    r"|セキュリティ|漏洞|보안|\bbezpiecze|\bzabezpiecz|\bbezpečnost|\bsikkerhed|\bsikkerhet|\bsäkerhet|\bgüvenlik",
    Kind.FIX: r"\bbehoben|fehlerbehebung|\bkorrig|\bcorrig|\bcorreg|\bcorrec[ct]ion|\bcorre[çz]|\bopgelost|исправл"
    r"|\bnapraw|\bpoprawion|\bopraven|\brettet|\båtgärdat|\bdüzelt|修复|修復|修正|不具合|バグ|수정",
    Kind.REMOVAL: r"\bentfernt|\bentfällt\b|\bsupprimé|\beliminad|\beliminó|\brimoss|\bverwijderd|\bremovid"
    r"|\busunięt|\bodstraněn|\bodebrán|\bfjernet|\bborttag|\bkaldırıl|удален|удалён|移除|删除|刪除|削除|廃止|サポートを?終了|제거|삭제",
    Kind.DEPRECATION: r"\bveraltet|\babgekündigt|\bobsolèt|\bdépréci|\bobsolet[ao]|\bverouderd|\bprzestarzał|устаре"
    r"|\bdeprecato|\bzastaral|\bforældet|弃用|废弃|棄用|非推奨|사용 중단",
    Kind.FEATURE: r"\bhinzugefügt|\bneu(?:e[srn]?|erungen)?\b|\bajout|\bnouve|\bañadid|\bnuev|\baggiunt|\btoegevoegd"
    r"|\bnieuwe?\b|\badicionad|\bnovidades\b|добавлен|\bdodan|\bpřidán|\btilføjet|\btillagt|\beklendi|新增|追加|新機能|추가",
    Kind.OTHER: r"\bgeändert|\bänderungen|\bmodifié|\bcambi(?:ad|os)|\balterad|\bgewijzigd|变更|変更|변경",
}
"""Words for the kinds in other languages."""
_DENIED_ABROAD = re.compile(
    r"\b(?:nicht|kein\w*|wird|werden|pas|sera|seront|será|não|niet|wordt|не|будет|будут)\b|ません|ない|予定|不会|未|将|예정",
    re.IGNORECASE,
)
_TEXTS = {
    Kind.SECURITY: r"\bCVE[- ]\d|\bvulnerabilit|\bsecurity (?:issue|fix|release|problem|hole|bug|flaw)",
    Kind.BREAKING: r"\bbreaking\b|\bbackwards?[- ]incompatib|\bno longer (?:accept|work|return|allow|support)",
    Kind.REMOVAL: r"\b(?:has|have|was|were|is|are) (?:now )?(?:been )?removed\b|^\W*remov(?:ed?|al)\b"
    r"|\b(?:drop(?:ped|s)?) support|\bsupport (?:\S+ ){0,6}(?:is|was|has been) (?:dropped|removed)"
    r"|\bno longer (?:supported|available|published)",
    Kind.DEPRECATION: r"\bdeprecat",
    Kind.PERFORMANCE: r"\b(?:speed[- ]?ups?|faster|performance)\b",
    Kind.FIX: r"^\W*(?:bug ?fix|fix(?:ed|es)?)\b|\bfix(?:ed|es) (?:a|an|the)\b",
    Kind.FEATURE: r"^\W*(?:add(?:ed|s)?|new|support|allow|introduc\w+)\b|\bnew\b|\bnow supports?\b",
}
_OF_HEADING, _OF_TEXT, _OF_OTHERS = (
    {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in patterns.items()}
    for patterns in ({kind: f"{text}|{_ABROAD.get(kind, text)}" for kind, text in _HEADINGS.items()}, _TEXTS, _ABROAD)
)
_HIGHLIGHTS = re.compile(
    r"\b(?:highlights?|summary|overview|headlines?|key (?:features|changes|takeaways)|major|top-level)\b", re.IGNORECASE
)
PART_END = re.compile(r"\band\b|[&/,+]")
_CHANGELOG = re.compile(r"\b(?:change ?log|release notes|history|what['\u2019]s new)\b", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:changes|features|improvements|enhancements)\b", re.IGNORECASE)
_RESOLVED = re.compile(
    r"\b(?:fix(?:ed|es)|(?:re)?solved|closed|corrected|addressed|removed|lifted|no longer)\b", re.IGNORECASE
)
_PLANS = re.compile(
    r"\b(?:future|planned|upcoming|forthcoming|scheduled|intended|announced|proposed)\s+(?:[\w-]+,?\s+){0,4}"
    r"(?:removals?|deprecations?|changes|incompatib\w+|work|plans?|directions?|features|requirements?|drops?"
    r"|end of (?:life|support))"
    r"|\b(?:removals?|deprecations?|changes)\s+(?:scheduled|planned|announced|ahead|to come)\b|\broadmap\b"
    r"|^\W*(?:planned|scheduled|announced|coming|expected) (?:for|in|with)\b"
    r"|^\W*(?:the )?(?:future(?: releases?)?|plans?|planned|upcoming|what['\u2019]s (?:next|coming)"
    r"|coming (?:soon|next|up)|looking (?:ahead|forward)|next steps)\W*$",
    re.IGNORECASE,
)
_TAGS: Mapping[str, tuple[str, Kind]] = {
    tag: (category, kind)
    for tags, category, kind in (
        ("breaking", "Breaking changes", Kind.BREAKING),
        ("bug bugfix regression fix", "Fixed", Kind.FIX),
        ("feature usecase new add", "New", Kind.FEATURE),
        ("chg mod", "Changed", Kind.OTHER),
        ("performance", "Faster", Kind.PERFORMANCE),
        ("deprecated dep", "Deprecated", Kind.DEPRECATION),
        ("removed del rem", "Removed", Kind.REMOVAL),
        ("security sec", "Security", Kind.SECURITY),
        ("optim perf", "Faster", Kind.PERFORMANCE),
        ("revert", "Reverted", Kind.OTHER),
        ("cleanup regtest regtests reorg examples scripts release", "Internal", Kind.OTHER),
    )
    for tag in tags.split()
}
"""Tags of directives and of lines, each with the heading that lists such entries, and their kind."""
_TAGGED = re.compile(r"\W*(?P<tag>[A-Z]{3})[:\]]:?\s+(?=\S)")


def is_highlight(title: str) -> bool:
    """Return whether a heading announces a release's highlights or a summary of it."""
    return bool(_HIGHLIGHTS.search(title))


def kind_of_heading(title: str) -> Kind | None:
    """Return the kind that a heading names: `OTHER` for housekeeping ("Internal", "Docs"), None if it names none."""
    return next(iter(_kinds_of_heading(title)), None)


@lru_cache(maxsize=1024)  # A document has few titles, and each above many entries.
def _kinds_of_heading(title: str) -> tuple[Kind, ...]:
    return tuple(kind for kind, pattern in _OF_HEADING.items() if pattern.search(title))


def kind_abroad(words: str) -> Kind | None:
    """Return the kind of change that words in another language report; None if there is none, or they deny it."""
    affirmed = None if _DENIED_ABROAD.search(words) else words
    return next((kind for kind, pattern in _OF_OTHERS.items() if affirmed and pattern.search(affirmed)), None)


def kind_of_passage(heading: Sequence[str], text: str, *, tags: str = "") -> Kind:
    """Return the kind of a passage: by its `tags`, else its innermost heading that names one, else its words."""
    for tag in tags.replace(",", " ").split():
        if tag in _TAGS:
            return _TAGS[tag][1]
    for title in reversed(heading):
        kinds = _kinds_of_heading(title)
        if {Kind.REMOVAL, Kind.DEPRECATION} <= set(kinds):
            kind = kind_of_text(text)
            return kind if kind in kinds else Kind.REMOVAL
        named = kind_of_heading(title)
        if named not in (None, Kind.OTHER):
            return named or Kind.OTHER
        if named is Kind.OTHER:
            kind = kind_of_text(text)
            return kind if kind in (Kind.SECURITY, Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION) else Kind.OTHER
    return kind_of_text(text)


def kind_of_text(text: str) -> Kind:
    """Return the kind that the words of a passage or item mention, or the tags before its lines; else `OTHER`."""
    tagged = {_TAGS[tag][1] for line in text.splitlines() if (tag := read_tag(line)[0])}
    text = without_names(text)
    return next((kind for kind, pattern in _OF_TEXT.items() if kind in tagged or pattern.search(text)), Kind.OTHER)


def read_tag(line: str) -> tuple[str, str]:
    """Split off the known tag of three capitals that a line begins with, in lower case; without one, return "" and the
    line: `read_tag("- [NEW] a dark mode")` -> `("new", "a dark mode")`."""
    match = _TAGGED.match(line)
    tag = match["tag"].casefold() if match else ""
    return (tag, line[match.end() :]) if match and tag in _TAGS else ("", line)


def category_of_tag(tag: str) -> str:
    """Return the heading that lists entries with a tag ("Removed" for `DEL`); a tag that isn't known unchanged."""
    known = _TAGS.get(tag.casefold())
    return known[0] if known else tag


def act_of_section(titles: Sequence[str], release: Version | None) -> Act | None:
    """Return KNOWN_ISSUE or PLANNED if `titles`, outermost first, announce that; None for what `release` did."""
    return next((act for title in reversed(titles) if (act := _act_of_title(title, release)) is not Act.OTHER), None)


@lru_cache(maxsize=8192)
def _act_of_title(title: str, release: Version | None) -> Act | None:
    """Return KNOWN_ISSUE or PLANNED if a title announces that, None if something done, OTHER if it shows neither."""
    plain = one_line(without_names(title))
    is_mixed = bool(PART_END.search(plain))
    if _CHANGELOG.search(plain) or place_of(plain, release)[0]:
        return Act.OTHER
    if ISSUES.search(plain) and not _RESOLVED.search(plain):
        return Act.OTHER if is_mixed and _CHANGES.search(plain) else Act.KNOWN_ISSUE
    _, how = first_act(plain, release)
    if how is Modality.PLANNED or _PLANS.search(plain):
        return Act.PLANNED
    return None if how is Modality.DONE and not place_of(plain, release)[1] else Act.OTHER
