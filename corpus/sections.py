"""What the headings above an entry promise: that it breaks, that it is removed, that it is merely new.

A title either names a category ("Bug fixes", "Features removed in 4.2") or a change of its own ("Dropped support for
MySQL 5.7"). Only categories say what kind the entries below them are.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from corpus.change_kinds import category_of_tag, kind_of_heading
from corpus.model import LISTED, Kind, Section
from corpus.plain_words import one_line
from corpus.symbols import find_symbols

_SECTIONS: tuple[tuple[Section, re.Pattern[str]], ...] = tuple(
    (section, re.compile(pattern, re.IGNORECASE))
    for section, pattern in (
        (Section.BREAKS, r"\bbreaking\b|\bbreakages?\b|^(?:what )?breaks\b|\b(?:backwards?|forwards?)?[- ]?incompatib"
                       r"|\bnot backwards?[- ]compatible|\bcompatibility (?:notes?|changes?|breaks?|warnings?"
                       r"|issues?)\b|\b(?:backwards?|behaviou?ral) compatibility\b|^compatibility$"
                       r"|\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?(?:default )?behaviou?r\b"
                       r"|\bport(?:ing)? (?:to|guide|notes?|from)\b|\burgent upgrade|\b(?:may|might|that) (?:need"
                       r"|require)s? (?:your )?(?:action|attention|changes)|\baction(?:s)? (?:is |are )?(?:required"
                       r"|needed)|\brequired actions?\b|\bchange(?:d|s)? defaults?\b|\bdefault changes\b"
                       r"|\bknown incompatib|^major changes$"
                       r"|^upgrade notes?\b|\bnotes? (?:to|for) (?:those|users|people|\w+[eo]rs)\b"),
        (Section.REMOVED_OR_DEPRECATED, r"\bdeprecat\w*\b.*\bremov|\bremov\w*\b.*\bdeprecations?\b"),
        (Section.REMOVED, r"\bremov(?:als?|ed|es|e|ing)\b|\bdropped\b|\bdrops?\b|\bexpired deprecation"
                        r"|\bend of (?:life|support)|\bdiscontinued\b|\bunsupported\b"),
        (Section.DEPRECATED, r"\bdeprecat|\bobsolet"),
        (Section.GUIDE, r"\bupgrad(?:e|ing)\b|\bmigrat(?:e|ing|ion)\b|\bupdating (?:from|to)\b"),
        (Section.ALTERED, r"^changed?$|^changed (?:functionality|features?|behaviou?rs?)$"),
        (Section.INTERFACE, r"\b(?:api|abi|interface|protocol|cli|command[- ]line|schema) changes?\b"),
        (Section.SUMMARY, r"\bhighlight|\boverview\b|\bsummary\b|\btl;?dr\b|\bat a glance\b"),
        (Section.HOUSEKEEPING, r"\bperf(?:ormance)?\b|\boptimi[sz]|\bpreview\b|\bnightly\b|\bunstable\b"
                             r"|\bexperimental\b|\bprototype|\binternals?\b"
                             r"|\bdoc(?:s|umentation)?\b|\bmisc\b|\bcontribut|\btrivial|\btranslation|\brefactor"
                             r"|\bchores?\b|\btests?\b|\bbuild|\bpackaging|\bstyle|\bci\b|\bthanks?\b"
                             r"|\backnowledg|\bauthors?\b|\bcredits?\b|\bpull requests\b|\bprs\b|\bmerged\b"
                             r"|\bcommits\b|\breferences\b|\bdependenc|\bvendor"),
        (Section.FEATURE, r"\bfeats?\b|\bminor changes\b|\buse ?cases?\b"),
    )
)  # fmt: skip
_SECTION_OF_KIND = {Kind.SECURITY: Section.SECURITY, Kind.FIX: Section.FIX, Kind.FEATURE: Section.FEATURE}
_CATEGORY_WORDS = frozenset(
    """a action actions added additional additions after all alpha and api apis apr april are aug august authors
    backward backwards behavior behavioral behaviour beta breaking bug bugfix bugfixes bugs build builds c change
    changed changelog changes chore chores ci code command commands commits compatibility compatible contributor
    contributors core dec december default defaults dependencies dependency deprecate deprecated deprecating
    deprecation deprecations details developers discontinued docs documentation drop dropped end enhancement
    enhancements example examples existing experimental expired external facing feature features feb february fix
    fixed fixes following for from functionality functions general guide guides highlights important improvement
    improvements in included includes incompatibilities incompatibility incompatible infrastructure internal
    internals issues jan january jul july jun june known libraries library maintenance major mar march may merged
    methods migrate migrating migration migrations minor misc miscellaneous module modules need needed new next
    nightly not notable note notes nov november now oct october of on only optimization optimizations options or
    other overview packaging parameters patch pending performance platform platforms porting possible potential
    potentially pre preview previous previously private prototype prs public pull python rc recent refactoring
    refactors release released releases removal removals remove removed requests require required requirement
    requirements requires section security sep sept september since speed summary support supported syntax system
    test tests thanks the this to translation translations trivial unstable updates updating upgrade upgrades
    upgrading user users v vendored version versions warnings what with x your""".split()
)
_GROUPS = frozenset(
    """changes notes updates fixes features improvements enhancements items deprecations removals additions bugs issues
    contributors contributions upgrades documentation refactorings chores tests details""".split()
)
_GROUP_WORDS = 6
"""A title of at most so many words whose last is a group's ("Contributor-facing changes") names a kind of change.
Chosen by hand, never fitted."""
_TAGGED = re.compile(
    r"\W*?(?:(?P<bracketed>(?:\[[\w @/,&*.-]{1,40}\]\s*){1,3})|(?P<shouted>[A-Z]{3,}(?: [A-Z]{2,}){0,2})(?: #\d+)?\s*:"
    r"|(?P<commit>[a-z]{2,10})(?:\([^()]{0,40}\))?!?:\s)"
)
_LINKED = re.compile(r"\W{0,4}\[[^\n]+\]\((?P<page>[^()#\s]*)#[^()\s]+\)\W*")
_ASIDE = re.compile(r"(?<=\w)\s*\([^()]*\)|\bwhat['\u2019]s new\b", re.IGNORECASE)
"""What is new tells no features from changes."""
_WORD = re.compile(r"([^\W\d_]+)(?:['’][a-z]+)?")
_MARKS = " *_`#=:.?!…"
_ELABORATES = frozenset(
    """summary detail details example examples background motivation rationale why before after note notes explanation
    usage faq references contents""".split()
).union(("technical detail", "technical details", "see also", "further reading", "table of contents"))


@lru_cache(maxsize=16384)
def is_category(title: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a title names a kind of change, a release or a part of the software and no change of its own.

    `names` are the product's, in lower case.
    """
    plain = one_line(title).strip(" :.*#=").casefold()
    if not plain or plain in names:
        return True
    words = _WORD.findall(plain)
    known = [word in _CATEGORY_WORDS or word in names for word in words]
    names_group = len(words) <= _GROUP_WORDS and words[-1:] and words[-1] in _GROUPS and not names_code(title)
    parts = plain.replace(" & ", ",").split(",")
    lists_groups = (
        len(parts) > 1
        and len(words) <= 2 * _GROUP_WORDS
        and not names_code(title)
        and any(map(section_of_title, parts))
    )
    return all(known) or lists_groups or bool(names_group and section_of_title(title) is not None)


def elaborates(title: str) -> bool:
    """Whether a heading announces more of what stands above it: "Details", "Background", "What should I do?"."""
    asks = title.rstrip(" *_`").endswith("?") and not names_code(title)
    return asks or " ".join(title.strip(_MARKS).casefold().split()) in _ELABORATES


def names_code(title: str) -> bool:
    """Whether a title holds a name of code, as a part of the software does."""
    return bool(find_symbols(title))


@lru_cache(maxsize=16384)
def section_of_title(title: str) -> Section | None:
    """What a title promises of the entries below it; None where it promises nothing."""
    plain = _ASIDE.sub(" ", one_line(title)).strip()
    kind = kind_of_heading(plain)
    own = next((section for section, pattern in _SECTIONS if pattern.search(plain)), None)
    return own if own is not None or kind is None else _SECTION_OF_KIND.get(kind)


def section_of_tag(words: str) -> Section | None:
    """What the tags before an entry's words promise: "[BREAKING]", "BUG #884:", "docs(api): …"; None without any."""
    found = _TAGGED.match(words)
    if found is None:
        return None
    tags = [tag.strip("[] ") for tag in re.findall(r"\[[^\[\]]*\]", found["bracketed"] or "")]
    tags += filter(None, (found["shouted"], found["commit"]))
    sections = [
        section
        for tag in tags
        if tag.replace(" ", "").isalpha() and (section := section_of_title(category_of_tag(tag)))
    ]
    return next((section for section in sections if section in LISTED), sections[0] if sections else None)


def section_of_link(words: str) -> Section | None:
    """POINTER for an entry that is a link to a part of a guide for moving to the release; None for any other."""
    found = _LINKED.fullmatch(words)
    return Section.POINTER if found and section_of_title(found["page"].rpartition("/")[2]) is Section.GUIDE else None


def section_of(heading: Sequence[str], names: frozenset[str]) -> Section:
    """What the headings of a section promise, outermost first: the innermost list, or else the innermost category."""
    inner_section = Section.OPEN
    for title in reversed(heading):
        section = section_of_title(title)
        if section is None:
            continue
        if is_category(title, names):
            if section in LISTED:
                return section
            inner_section = section if inner_section is Section.OPEN else inner_section
    return inner_section
