"""Read the section that headings announce: what breaks, what is removed, what is new.

A title names either a category, which applies to the entries below it ("Bug fixes", "Features removed in 4.2"), or a
single change ("Dropped support for MySQL 5.7").
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from corpus.change_kinds import END_OF_LIFE, PART_END, category_of_tag, kind_abroad, kind_of_heading
from corpus.effects import stated_change
from corpus.happenings import Modality, find_acts
from corpus.model import LISTED, QUIET, Act, Change, Kind, Section
from corpus.plain_words import one_line
from corpus.symbols import find_symbols

_SECTIONS: tuple[tuple[Section, re.Pattern[str]], ...] = tuple(
    (section, re.compile(pattern, re.IGNORECASE))
    for section, pattern in (
        (Section.BREAKS, r"\bbreaking\b|\bbreakages?\b|\bbreak changes?\b|^break$|^(?:what )?breaks\b"
                       r"|\b(?:api|bc) breaks?\b|\bincompatib|\bnot backwards?[- ]compatible"
                       r"|\b(?:backwards?|behaviou?ral) compatibility\b"
                       r"|\bcompatibility (?:notes?|changes?|breaks?|warnings?|issues?)\b"
                       r"|\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?(?:default )?behaviou?r\b"
                       r"|\bport(?:ing)? (?:to|guide|notes?|from)\b|\burgent upgrade|\b(?:may|might|that) (?:need"
                       r"|require)s? (?:your )?(?:action|attention|changes)|\baction(?:s)? (?:is |are )?(?:required"
                       r"|needed)|\brequired actions?\b|\bchange(?:d|s)? defaults?\b|\bdefault changes\b"
                       r"|^major changes$|^upgrade notes?\b|\bnotes? (?:to|for) (?:those|users|people|\w+[eo]rs)\b"),
        (Section.REMOVED_OR_DEPRECATED, r"\bdeprecat\w*\b.*\bremov|\bremov\w*\b.*\bdeprecations?\b"),
        (Section.REMOVED, r"\bremov(?:als?|ed|es|e|ing)\b|\bdropped\b|\bdrops?\b|^gone$|\bexpired deprecation"
                        rf"|{END_OF_LIFE}|\bdiscontinued\b|\bunsupported\b"),
        (Section.DEPRECATED, r"\bdeprecat|\bobsolet"),
        (Section.GUIDE, r"\bupgrad(?:e|ing)\b|\bmigrat(?:e|ing|ion)\b|\bupdating (?:from|to)\b"),
        (Section.ALTERED, r"^changed?$|^changed (?:functionality|features?|behaviou?rs?)$"),
        (Section.INTERFACE, r"\b(?:api|abi|interface|protocol|cli|command[- ]line|schema) changes?\b"),
        (Section.SUMMARY, r"\bhighlight|\boverview\b|\bsummary\b|\btl;?dr\b|\bat a glance\b"),
        (Section.CREDITS, r"^\W*(?:special |many )?thank(?:s|ing|you)?\b|^(?!.*\b(?:for|to) \w+\W*$)\W*+"
                        r"(?:[\w'\u2019]+ ){0,3}(?:contributors|committers|credits|acknowledge?ments?|authors?"
                        r"|sponsors)\b(?!-)"),
        (Section.UNSORTED, r"\bpreview\b|\bnightly\b|\bunstable\b|\bexperimental\b|\bprototype|\bmisc\b"
                         r"|\bpull requests\b|\bprs\b|\bmerged\b|\bcommits\b|\breferences\b"),
        (Section.HOUSEKEEPING, r"\binternals?\b|\bdoc(?:s|umentation)?\b|\bcontribut|\btrivial|\btranslation|\brefactor"
                             r"|\bchores?\b|\btests?\b|\bbuild|\bpackaging|\bstyle|\bci\b|\bdependenc|\bvendor"),
        (Section.FEATURE, r"\bfeats?\b|\bminor changes\b|\buse ?cases?\b"),
    )
)  # fmt: skip
_SECTION_OF_KIND = {kind: Section(kind) for kind in (Kind.SECURITY, Kind.FIX, Kind.FEATURE, Kind.PERFORMANCE)}
_SECTIONS_ABROAD = {Kind.BREAKING: Section.BREAKS, Kind.REMOVAL: Section.REMOVED, Kind.DEPRECATION: Section.DEPRECATED}
_WORDS_ABROAD, _MAX_ABROAD = 3, 40
_MIXABLE = {*_SECTION_OF_KIND.values(), Section.REMOVED, Section.DEPRECATED, Section.HOUSEKEEPING}
_CHANGES = re.compile(r"\bchang(?:es?|ed)\W*$", re.IGNORECASE)
_REST = ("other ", "misc ")
_CATEGORY_WORDS = frozenset(  # Besides those that name a section; "improved" and "building" describe single changes.
    """a action actions added additional additions after all alpha and api apis apr april are aug august b backward
    backwards bc behavior behavioral behaviour beta break breaking breaks c changelog changes code command commands
    compatible core dec december default defaults deprecating details dev developers end enhancement enhancements
    example examples existing expired external facing feature features feb february following for from functionality
    functions general guide guides important improvement improvements in included includes infrastructure issues jan
    january jul july jun june known libraries library maintenance major mar march may methods migrating migrations
    minor miscellaneous module modules need needed new next not notable note notes nov november now oct october of
    on only optimisations optimization optimizations options or other packaging parameters patch pending platform
    platforms porting possible potential pre previous previously private public pull python rc recent refactoring
    release released releases requests require required requirement requirements requires section sep sept september
    since speed support supported syntax system the this to updates updating upgrades upgrading user users v version
    versions warnings what with x your""".split()
)
_GROUPS = frozenset(
    """changes notes updates fixes features improvements enhancements items deprecations removals additions bugs issues
    contributors contributions upgrades documentation refactorings chores tests details""".split()
)
_TAGGED = re.compile(
    r"\W*?(?:(?P<bracketed>(?:\[[\w @/,&*.`-]{1,40}\]\s*){1,3})"
    r"|(?P<shouted>[A-Z]{2,}(?:[ /][A-Z]{2,}){0,2})(?: #\d+)?\s*:"
    r"|(?P<commit>[a-z]{2,10})(?:\((?P<scope>[^()]{0,40})\))?!?:\s"
    r"|(?P<label>(?!Break|Compat)[A-Z][a-z]+(?:[ /][A-Za-z]+)?)(?::| +[-–—])\s)"
)
_LINKED = re.compile(r"\W{0,4}\[[^\n]+\]\((?P<page>[^()#\s]*)#[^()\s]+\)\W*")
_ASIDE = re.compile(r"(?<=\w)\s*\([^()]*\)|\bwhat['\u2019]s new\b", re.IGNORECASE)  # Names no section.
_WORD = re.compile(r"([^\W\d_]+)(?:['’][a-z]+)?")
_ENDS = (Section.REMOVED, Section.DEPRECATED)
_NOT_DONE = frozenset((Modality.PLANNED, Modality.COMING, Modality.DENIED))
_ELABORATES = frozenset(
    """summary detail details example examples background motivation rationale why before after note notes explanation
    usage faq references contents""".split()
).union(("technical detail", "technical details", "see also", "further reading", "table of contents"))


@lru_cache(maxsize=16384)
def is_category(title: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a title names a kind of change, a release or a part of the software ("Bug fixes"), not a single
    change ("Dropped MySQL 5.7"); `names` are the product's, in lower case."""
    plain = one_line(title).strip(" :.*#=").casefold()
    if not plain or plain in names:
        return True
    words = _WORD.findall(plain)
    content_words = set(words) - _CATEGORY_WORDS - names
    if len(words) <= _WORDS_ABROAD and len(plain) <= _MAX_ABROAD and kind_abroad(plain):
        return True
    is_open = any(word.endswith("ing") or _announced(word) in (None, Section.FEATURE) for word in content_words)
    if not is_open and stated_change(plain) is not Change.REQUIREMENT:
        return True
    parts = plain.replace(" & ", ",").split(",")
    is_group = len(words) <= 6 and words[-1] in _GROUPS and section_of_title(title)
    is_list = len(parts) > 1 and len(words) <= 12 and any(map(section_of_title, parts))
    return bool(is_group or is_list) and not find_symbols(title)


def elaborates(title: str) -> bool:
    """Return whether a heading announces more about the section above it: "Details", "Why", "What should I do?"."""
    asks = title.rstrip(" *_`").endswith("?") and not find_symbols(title)
    return asks or " ".join(title.strip(" *_`#=:.?!…").casefold().split()) in _ELABORATES


@lru_cache(maxsize=16384)
def section_of_title(title: str) -> Section | None:
    """Return the section that a title announces ("Bug fixes": FIX; "Fixes and features": MIXED); None if none."""
    plain = _ASIDE.sub(" ", one_line(title)).strip()
    section = _announced(plain)
    if section in _MIXABLE:
        title_parts = PART_END.split(plain)
        announced = {_announced(part) or (_CHANGES.search(part) and Section.ALTERED) for part in title_parts} - {None}
        if len(announced) > 1:
            mixed = Section.MIXED if announced.isdisjoint(LISTED) else Section.ALTERED
            return Section.UNSORTED if announced <= QUIET else mixed
    acts = dict(find_acts(f"It is {one_line(title).casefold()}")) if section in _ENDS else {}
    is_open = Act.REVERTED in acts or not _NOT_DONE.isdisjoint(acts.values())
    return None if is_open else section  # "Not removed", "Removed (reverted)", "To be removed in 3.0".


def _announced(words: str) -> Section | None:
    """Return the first section whose pattern matches, else that of the kind that the words name; None if none."""
    section = next((candidate for candidate, pattern in _SECTIONS if pattern.search(words)), None)
    kind = kind_of_heading(words)
    return section or _SECTION_OF_KIND.get(kind or Kind.OTHER) or _SECTIONS_ABROAD.get(kind_abroad(words) or Kind.OTHER)


def section_of_tag(words: str) -> Section | None:
    """Return the section named by an entry's tags ("[BREAKING]", "docs(api): …"), one in `LISTED` first; or None."""
    sections = [section for tag in _tags(words) if (section := section_of_title(category_of_tag(tag)))]
    return next((section for section in sections if section in LISTED), sections[0] if sections else None)


def without_tag(words: str) -> str:
    """Return an entry's words without the tags before them that name a section: "Fixed: `a` was removed"."""
    match = _TAGGED.match(words)
    rest = words[match.end() :] if match and section_of_tag(words) not in (None, Section.HOUSEKEEPING) else words
    return words if rest.count("`") % 2 else rest


def grade_of_tag(words: str) -> int:
    """Return a rank for the severity that an entry's tags state: -1 major, 1 minor, 2 housekeeping, else 0."""
    tags = {tag.casefold() for tag in _tags(words)}
    if section_of_tag(words) is Section.HOUSEKEEPING:
        return 2
    return bool(tags & {"minor", "trivial", "low"}) - bool(tags & {"major", "critical", "severe", "high"})


def _tags(words: str) -> Iterator[str]:
    """Yield the tags before an entry, both of "BUG/MAJOR:"."""
    match = _TAGGED.match(words)
    if match is None:
        return
    tags = [tag.strip("[] ") for tag in re.findall(r"\[[^\[\]]*\]", match["bracketed"] or "")]
    tags += [match["scope"]] * (match["scope"] == Section.SECURITY.value)
    tags += filter(None, (match["shouted"], match["commit"], is_category(match["label"] or "") and match["label"]))
    yield from (part for tag in tags for part in tag.split("/") if part.replace(" ", "").isalpha())


def section_of_link(words: str) -> Section | None:
    """Return POINTER if an entry is only a link into a guide to upgrading; None for any other."""
    match = _LINKED.fullmatch(words)
    return Section.POINTER if match and section_of_title(match["page"].rpartition("/")[2]) is Section.GUIDE else None


def section_of(heading: Sequence[str], names: frozenset[str]) -> Section:
    """Return the section that categories in a heading path announce: the innermost in `LISTED`, else the innermost;
    none above one of another kind, or of the rest."""
    innermost = Section.OPEN
    # A product's name is no category: "Breaking", a news ticker.
    outermost = " ".join(word for title in heading[:1] for word in title.split() if word.casefold() not in names)
    for title in (*reversed(heading[1:]), outermost):
        section = section_of_title(title)
        # "Other changes", "Features": what is below isn't what a heading above lists.
        is_apart = section in _SECTION_OF_KIND.values() or f"{title} ".casefold().startswith(_REST)
        if (section or is_apart) and is_category(title, names):
            innermost = section if section and innermost is Section.OPEN else innermost
            if section in LISTED or is_apart:
                return section if section in LISTED else innermost
    return innermost
