"""What the headings above an entry promise: that it breaks, that it is removed, that it is merely new.

A title either names a category ("Bug fixes", "Features removed in 4.2") or a change of its own ("Dropped support for
MySQL 5.7"). Only categories say what kind the entries below them are.
"""

import re
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache

from corpus.change_kinds import category_of_tag, kind_of_heading
from corpus.model import Kind
from corpus.plain_words import one_line
from corpus.symbols import find_symbols


class Scope(Enum):
    """What a section says of its entries."""

    BREAKS = auto()
    REMOVED = auto()
    DEPRECATED = auto()
    REMOVED_OR_DEPRECATED = auto()
    GUIDE = auto()  # How to move to a release: not every word of it is a change.
    SECURITY = auto()
    FIX = auto()
    FEATURE = auto()
    POINTER = auto()  # A link into a guide to the release, which tells what one must know to move to it.
    SUMMARY = auto()  # Highlights: what other sections tell in full.
    INTERFACE = auto()  # Changes of an interface ("API changes"): what is new as well as what breaks.
    ALTERED = auto()  # Changes in what was there before ("Changed"), improvements among them.
    HOUSEKEEPING = auto()  # Documentation, tests, speed, what is experimental, the project's own build, thanks.
    OPEN = auto()  # Nothing, or "Changed": the entries speak for themselves.


LISTED = frozenset({Scope.BREAKS, Scope.REMOVED, Scope.DEPRECATED, Scope.REMOVED_OR_DEPRECATED})
"""The sections that exist to list what matters to who upgrades."""

_SCOPES: tuple[tuple[Scope, re.Pattern[str]], ...] = tuple(
    (scope, re.compile(pattern, re.IGNORECASE))
    for scope, pattern in (
        (Scope.BREAKS, r"\bbreaking\b|\bbreakages?\b|^(?:what )?breaks\b|\b(?:backwards?|forwards?)?[- ]?incompatib"
                       r"|\bnot backwards?[- ]compatible|\bcompatibility (?:notes?|changes?|breaks?|warnings?"
                       r"|issues?)\b|\b(?:backwards?|behaviou?ral) compatibility\b|^compatibility$"
                       r"|\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?(?:default )?behaviou?r\b"
                       r"|\bport(?:ing)? (?:to|guide|notes?|from)\b|\burgent upgrade|\b(?:may|might|that) (?:need"
                       r"|require)s? (?:your )?(?:action|attention|changes)|\baction(?:s)? (?:is |are )?(?:required"
                       r"|needed)|\brequired actions?\b|\bchange(?:d|s)? defaults?\b|\bdefault changes\b"
                       r"|\bknown incompatib|^major changes$"
                       r"|^upgrade notes?\b|\bnotes? (?:to|for) (?:those|users|people|\w+[eo]rs)\b"),
        (Scope.REMOVED_OR_DEPRECATED, r"\bdeprecat\w*\b.*\bremov|\bremov\w*\b.*\bdeprecations?\b"),
        (Scope.REMOVED, r"\bremov(?:als?|ed|es|e|ing)\b|\bdropped\b|\bdrops?\b|\bexpired deprecation"
                        r"|\bend of (?:life|support)|\bdiscontinued\b|\bunsupported\b"),
        (Scope.DEPRECATED, r"\bdeprecat|\bobsolet"),
        (Scope.GUIDE, r"\bupgrad(?:e|ing)\b|\bmigrat(?:e|ing|ion)\b|\bupdating (?:from|to)\b"),
        (Scope.ALTERED, r"^changed?$|^changed (?:functionality|features?|behaviou?rs?)$"),
        (Scope.INTERFACE, r"\b(?:api|abi|interface|protocol|cli|command[- ]line|schema) changes?\b"),
        (Scope.SUMMARY, r"\bhighlight|\boverview\b|\bsummary\b|\btl;?dr\b|\bat a glance\b"),
        (Scope.HOUSEKEEPING, r"\bperf(?:ormance)?\b|\boptimi[sz]|\bpreview\b|\bnightly\b|\bunstable\b"
                             r"|\bexperimental\b|\bprototype|\binternals?\b"
                             r"|\bdoc(?:s|umentation)?\b|\bmisc\b|\bcontribut|\btrivial|\btranslation|\brefactor"
                             r"|\bchores?\b|\btests?\b|\bbuild|\bpackaging|\bstyle|\bci\b|\bthanks?\b"
                             r"|\backnowledg|\bauthors?\b|\bcredits?\b|\bpull requests\b|\bprs\b|\bmerged\b"
                             r"|\bcommits\b|\breferences\b|\bdependenc|\bvendor"),
        (Scope.FEATURE, r"\bfeats?\b|\bminor changes\b|\buse ?cases?\b"),
    )
)  # fmt: skip
_SCOPE_OF_KIND = {Kind.SECURITY: Scope.SECURITY, Kind.FIX: Scope.FIX, Kind.FEATURE: Scope.FEATURE}
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
        len(parts) > 1 and len(words) <= 2 * _GROUP_WORDS and not names_code(title) and any(map(scope_of_title, parts))
    )
    return all(known) or lists_groups or bool(names_group and scope_of_title(title) is not None)


def names_code(title: str) -> bool:
    """Whether a title holds a name of code, as a part of the software does."""
    return bool(find_symbols(title))


@lru_cache(maxsize=16384)
def scope_of_title(title: str) -> Scope | None:
    """What a title promises of the entries below it; None where it promises nothing."""
    plain = _ASIDE.sub(" ", one_line(title)).strip()
    kind = kind_of_heading(plain)
    own = next((scope for scope, pattern in _SCOPES if pattern.search(plain)), None)
    return own if own is not None or kind is None else _SCOPE_OF_KIND.get(kind)


def scope_of_tag(words: str) -> Scope | None:
    """What the tags before an entry's words promise: "[BREAKING]", "BUG #884:", "docs(api): …"; None without any."""
    found = _TAGGED.match(words)
    if found is None:
        return None
    tags = [tag.strip("[] ") for tag in re.findall(r"\[[^\[\]]*\]", found["bracketed"] or "")]
    tags += filter(None, (found["shouted"], found["commit"]))
    scopes = [
        scope for tag in tags if tag.replace(" ", "").isalpha() and (scope := scope_of_title(category_of_tag(tag)))
    ]
    return next((scope for scope in scopes if scope in LISTED), scopes[0] if scopes else None)


def scope_of_link(words: str) -> Scope | None:
    """POINTER for an entry that is a link to a part of a guide for moving to the release; None for any other."""
    found = _LINKED.fullmatch(words)
    return Scope.POINTER if found and scope_of_title(found["page"].rpartition("/")[2]) is Scope.GUIDE else None


def scope_of(heading: Sequence[str], names: frozenset[str]) -> Scope:
    """What the headings of a section promise, outermost first: the innermost list, or else the innermost category."""
    inner_scope = Scope.OPEN
    for title in reversed(heading):
        scope = scope_of_title(title)
        if scope is None:
            continue
        if is_category(title, names):
            if scope in LISTED:
                return scope
            inner_scope = scope if inner_scope is Scope.OPEN else inner_scope
    return inner_scope
