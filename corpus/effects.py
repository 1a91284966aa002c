"""Patterns for what an entry does to those who upgrade: it removes, breaks, requires, changes a default, asks for an
action, deprecates, or does none of these.

`stated_change` is strict: the words must say it of the software itself. `named_change` is loose, for lists of
breaking changes. The patterns match text whose sentences end in semicolons.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from corpus.model import Change
from corpus.plain_words import without_names

_SENTENCE_END = re.compile(r"\.(?=\s|$)")


@lru_cache(maxsize=8192)
def _in_clauses(words: str) -> str:
    """Return `words` without names of code, with semicolons for full stops: one character ends every clause, and the
    dot of a version doesn't."""
    return _SENTENCE_END.sub(";", without_names(words, read=_READ_IN_CODE))


def _find_in_clauses(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """Return a function that searches `_in_clauses(words)` for a pattern, in which `[^;]` stays inside a clause."""
    # Compiled when first needed: a process that asks one question needs few of them.
    compiled = cache(lambda: re.compile(pattern, re.IGNORECASE))
    return lru_cache(maxsize=2048)(lambda words: compiled().search(_in_clauses(words)))


_AT_START = r"^(?:[\[(][^\[\]()]{1,40}[\])]\s++){0,3}\W*+(?:[\w`./()! -]{1,60}(?:\]|:|\s-)\s++){0,2}"
"""The beginning of an entry's own words: after its bullet, and a label for part of the software ("[Wheel]", "hub:")."""
_AT_LABEL = rf"(?:{_AT_START}|;\s*+\W{{0,3}}(?=\w+\W{{0,3}}:))"  # Or where a label begins a sentence within it.
_PLATFORM = (
    r"(?:python|cpython|pypy|node(?:\.?js)?|java|jdk|jvm|ruby|php|go|rust|gcc|clang|msvc|glibc|numpy|django|postgres\w*"
    r"|mysql|mariadb|oracle|sqlite|redis|windows|macos|mac os\b[^.]{0,3}|os x|linux|ubuntu|debian|centos|rhel|android"
    r"|ios|cuda|rocm|openssl|kubernetes|docker|electron|chrome|safari|firefox|internet explorer|ie|edge|typescript"
    r"|react|vue|svelte|webpack|\.net|perl|erlang|elixir|scala|kotlin|swift|xcode|cmake)"
)
_TOOL = (
    r"(?:setup\.(?:cfg|py)|makefile|dockerfile|appveyor|travis|tox|flake8\w*|phpstan\w*|rector|eslint\w*|pre-commit)"
)
_READ_IN_CODE = re.compile(
    rf"\A(?:{_PLATFORM}|(?:[^<>=~\s]+(?:\s*[<>=~]=?\s*|\s[\s-]*|))?v?\d[\w.]*\+?|{_TOOL}|\.\w+(?:rc|ignore|\.yml)"
    r"|\.git\w+|[\w.:~]*(?:error|exception|warning)s?(?:\(\))?|breaking(?:[ -]changes?)?)",
    re.IGNORECASE,
)
"""Code that is kept in the text: platforms and versions that may be required, a project's tools, names of errors."""
_HEDGED = r"(?:(?:potential(?:ly)?|possibl[ey]|minor|slightly)[ -])?breaking(?:[ -]changes?)?"
is_signed = _find_in_clauses(
    rf"^\W{{0,6}}(?:[0-9a-f]{{7,40}}\W+)?(?:[^\W_]+(?:\([^()]*\))?!:|(?!(?-i:[Bb]reaking (?!change)[a-z])){_HEDGED}\W)"
    rf"|\[\W{{0,6}}{_HEDGED}\W{{0,6}}\]|\({_HEDGED}\)\W{{0,3}}(?:;|\Z)"
    r"|\(semver-major\)|\u2757|\U0001f4a5|^\W{0,4}\u26a0"
)
"""A sign marks an entry as breaking: `feat!:`, "[BREAKING]", "Potentially breaking:", an exclamation mark."""
is_called_breaking = _find_in_clauses(
    r"\b(?<!no )(?<!not a )(?<!without )breaking[ -]changes?\b(?! (?:are|is|may|might|(?:in|from) (?:the )?(?:upstream"
    r"|dependenc)))|\b(?:backwards?|api)[- ]incompatib|\b(?:not|breaks?) backwards?[- ]compat|\bincompatible change"
)
"""An entry says in so many words that it breaks."""
_DROPS = r"(?:drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|end(?:s|ed|ing)?|discontinued?)"
_REQUIRES = _find_in_clauses(
    rf"\b{_DROPS}\b[^;]{{0,40}}\b(?:support|compatibility)\b[^;]{{0,40}}\b{_PLATFORM}\b|\b{_PLATFORM} v?\d[\w.]*(?:\+"
    rf"| (?:or|and) \w+)? (?:is|are) (?:now )?(?:required|needed|mandatory)\b"
    r"|\b(?:before|older than|earlier than|below|prior to) v?\d[\w.]* (?:(?:is|are|will be) (?:no longer |not |un)"
    r"|(?:do|does|will)(?: not|n['’]t) |no longer |cannot )(?:be )?(?:supported|works?|runs?|used|accepted)\b"
    rf"|\b{_DROPS} (?:support for )?(?:the )?{_PLATFORM}\s*v?<?=?\s*\d|\b{_PLATFORM} v?\d[\w.]*(?:\+|(?:,| and| or|/) "
    rf"[\w. ]{{1,20}})?[^;]{{0,30}}\b(?:(?:is|are|was|were) (?:now )?no longer supported|(?:is|are) not supported any "
    rf"?(?:more|longer))\b|\bsupport for (?:\w+ ){{0,3}}{_PLATFORM}\b[^;]{{0,60}}\b(?:dropped|removed|discontinued"
    rf"|ended)\b|^\W*{_PLATFORM} v?\d[\w.]* support (?:is|was|has been) (?:\w+ )?(?:dropped|removed|discontinued)\b"
    r"|\b(?:building|compiling|install\w+)\b[^;]{0,30}\brequires?\b|\b(?:upgrad|bump|updat|rais|pin|requir)(?:e|es|ed"
    r"|ing)?\b[^;]{0,50}?[>~]=\s*v?\d|\bminim(?:um|al) (?:\w+ ){0,3}(?:versions?|requirements?|python|node|compiler)\b"
    r"|\b(?:minimum|lowest) (?:supported|required|allowed)\b|\b(?:bump|raise|increase)(?:s"
    r"|ed)?\b[^;]{0,30}\b(?:minimum|required|requirement|msrv)\b|\b(?:is|are) now (?:a )?(?:required|mandatory)\b"
    rf"|\brequires? (?:at least|{_PLATFORM}|version|[\w./+-]+ (?:version )?(?:>=?|v?\d+\.\d)|v?\d+\.\d)"
    r"|(?<!no )\b(?:requires?|needs?) (?:an? )?(?:[\w./+-]+ ){1,3}(?:upgrades?\b|updates?\b|v?\d+\.\d)|\b(?:now "
    r")?depends on [^;]{1,30} (?:or|and) (?:later|newer|higher)"
)
_removes = _find_in_clauses(
    _AT_LABEL + r"(?:gone(?=\W{0,3}:)|remov(?:e|es|ed|al of|ing)|drop(?:s|ped|ping)?|delet(?:e|es|ed)|purged?|rm|axed?"
    r"|kill(?:ed)?(?= X\b)|scrap(?:s|ped)|goodbye)\b(?! (?:from|into|down)\b)|^\W*(?!(?:show|list|fix|handle|track|log"
    r"|report|count|ignor|add|restor|allow|keep|highlight)\w*\b)(?:[\w.-]+ ){0,3}(?<!been )(?<!be )(?:removed|dropped"
    r"|deleted)(?=\W*$|[;,]| \(| in favou?r|\b, use| (?:entirely|completely|altogether|for good)\b| from "
    r"(?![^;,]*\b(?:output|results?|lists?|caches?|queues?|logs?|is|are|was|were|will|can|no)\b)[^;,]{1,40}(?:[;,]"
    r"|\Z))|\b(?:is|are) (?:now )?(?:gone|no more)\b(?! than)|\b(?:took|taken|ripped) [^;,]{0,40}\bout\b(?! of)"
    r"|\b(?:has|have|had|is|are|was|were|been|being|got|gets?)(?: (?:now|finally|also|all|both|completely|entirely"
    r"|been)){0,4} (?:removed|dropped|deleted|discontinued|withdrawn)\b(?! (?:from|in) (?:the )?(?:output|result|list"
    r"|cache|queue))|\bno longer (?:available|exists?|supported|provided|include[sd]?|shipped|published|exported"
    r"|exposed|part of|bundled|distributed|ships?|supports?|provides?)\b|\b(?:is|are|was|were)(?:n['’]t| not) "
    r"(?:supported|available) (?:any ?more|any longer)\b|\bnow (?:provided|available|shipped|distributed|lives?) (?:by"
    r"|in|through|from|as (?=an? (?:separate|external))) ?(?:an? |the )?(?:\S+ )?(?:plugin|package|extension|add-on"
    r"|crate|gem|library)\b|\b(?:drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|end(?:s|ed)?) (?:\w+ ){0,3}support\b"
    r"|\bsupport (?:for|of) [^;]{1,80}(?<!be )\b(?:removed|dropped|discontinued)\b"
)
_DEFAULTS = _find_in_clauses(
    r"\b(?:now|no longer) (?:[\w-]+ ){0,6}by default\b|\b(?:enabled|disabled|turned o(?:n|ff)) by default\b|\b(?:chang"
    r"|switch|flip|updat)(?:e|es|ed|ing)\b[^;]{0,40}\bdefaults?\b|\b(?:now|now the|new) defaults?\b"
    r"|\bdefaults?\b[^;]{0,60}\b(?:changed|switched)\b|\bdefaults? (?:\w+ ){0,4}(?:is|are|has|have|was|were) now\b"
    r"|\bdefault to\b"
)
_FLIPS = _find_in_clauses(
    _AT_START
    + r"(?:use|enable|disable|turn|switch|make|set)[sd]?\b[^;]{0,80}\bby default\b(?! (?:in|for) (?:tests|ci|docs))"
    r"|\bnow (?:the default\b|defaults? to)|\b(?:is|are) now (?:opt-(?:in|out)|(?:[\w-]+ ){0,3}by default)\b"
    r"|\bmak(?:es?|ing) [^;]{1,40} the default\b|^[^;]{1,60}\b(?:(?:enables|disables) [^;]{1,60} by default|defaults "
    r"[^;]{1,60} to)\b"
)
_BREAKS = _find_in_clauses(
    _AT_START
    + r"(?:chang(?:e|es|ed)(?!\s*(?:[:\])*|–—]|-\s))|(?:raise|throw|error)s? (?:an?|if|when|on)|renam(?:e|es|ed))\b"
    r"|\bno longer\b|\brenam(?:e|es|ed|ing) [^;]{1,160}\b(?:to|into|as)\b|\b(?:is|are|was|were|been) renamed\b"
    r"|\b(?:is |are )?now (?:raises?|throws?|errors?|fails?|rejects?|refuses?|disallows?|strict\w*|an? (?:hard )?error"
    r"|prohibit\w*|forbids?|always|only|treated|disallowed|rejected|private|keyword-only|positional-only|ignored"
    r"|forbidden|immutable)\b|\bwill (?:now )?(?:raise|fail|throw|error)\b|\bmust be\b|\bdisallow(?:s|ed)?\b|\bmade "
    r"(?:private|keyword-only|positional-only)|\breplaced (?:by|with)\b|\bmoved (?:from|to|into)\b|\b(?:now|raises?"
    r"|returns?)\b[^;]{0,120}\b(?:rather than|instead of|in place of)\b|\b(?:is|are) now (?:in|measured in|given in)\b"
    r"|\((?:was|formerly|previously):? [^()]{1,60}\)|\b(?:previously|(?:prior to|before|until) (?:[\w.]+ "
    r")?v?\d[\w.]*)(?:,|\b)[^;]{3,120}\b(?:was|were|would|did|could|had|raised|returned|used|opened|behaved|ignored"
    r"|accepted)\b"
)
_STOPPED = r"(?!crash|leak|hang|fail|error|complain|segfault|break|warn|enforc|requir|reject|forbid|prevent)\w+ing"
_FAILS = _find_in_clauses(
    r"\b(?:must now|now requires?)\b|\bnow (?:raises?|throws?|reports?|produces?|causes?|gives?|triggers?)(?: an?)? "
    r"(?:[\w.`~:]*(?:error|exception)|(?:\w+ )?failures?)\b|\b(?:is|are) now (?:an? )?(?:hard |fatal |compile[- ]time "
    r"|type )?errors?\b|\bno longer (?:accept(?:s|ed)?|allow(?:s|ed)?|valid|permit(?:s|ted)?|possible)\b|\b(?:is|are) "
    r"now (?:disallowed|rejected|forbidden|prohibited|illegal|invalid)\b|\bnow (?:rejects?"
    rf"|disallows?|refuses?|forbids?|prohibits?)\b|^[^;]{{1,60}}\b(?<!that )(?<!which )(?:stops {_STOPPED}|refuses"
    r"|rejects|disallows|forbids|prohibits|always requires?|is required when)\b|"
    + _AT_START
    + rf"(?:stop(?:s|ped)? {_STOPPED}|disallow(?:s|ed)?|prohibit(?:s|ed)?|reject(?:s|ed)?|forbid(?:s|den)?|restrict(?:s"
    r"|ed)?|enforce[sd]?|refuses?d?|(?:explicitly |now )?(?:raise|throw)s? (?:an? )?[\w.`:~]*(?:error|exception)|fail "
    r"(?:with|if|when|on)|only supports?|(?:do not|don't) (?:allow|accept|support))\b"
    rf"|\b(?:not|n['’]t|no longer) (?:runs?|works?|starts?) on {_PLATFORM}\b",
)
_ASKS = _find_in_clauses(
    r"\b(?:you|users?|applications?|projects?|plugins?|authors?|callers?|code|maintainers?"
    r"|developers?)\b[^;]{0,60}\b(?:must|need(?:s|ed)? to|have to|has to|(?:should|will need to|are advised to|are "
    r"encouraged to) (?:now )?(?:update|upgrade|migrate|change|switch|replace|rebuild|rename|re-?run|set|remove|adjust"
    r"|use))\b|\bplease (?:make sure|take note|update|upgrade|migrate|change|switch|replace|rename|remove|adjust)\b"
)
_deprecates = _find_in_clauses(
    _AT_LABEL + r"(?:soft[- ])?deprecat(?:e|es|ed|ing|ion of|ions?:)\b"
    r"|\b(?:is|are|was|were|been|being|now|as|marked|marks|formally|officially|becomes?|pending)(?: (?:now|also|as|all"
    r"|both|soft|formally|officially|hereby)){0,4}[ -](?:soft[- ])?(?:deprecated|deprecation)\b|\bdeprecat(?:es|ing"
    r"|ion of) (?:the |`|\w)|\b(?:emit|raise|issue|give|add|produce)(?:s|d"
    r"|ed)? (?:an? )?(?:\w+)?deprecat(?:ion|ed) ?warnings?\b",
)
is_mere_fix = _find_in_clauses(
    _AT_START + r"(?:bug ?fix|fix(?:ed|es|ing)?|correct(?:ed|s)?|resolv(?:e|ed|es)|prevent(?:s|ed)?|avoid(?:s|ed)?"
    r"|ensure[sd]?|handle[sd]?|restor(?:e|ed|es)|revert(?:ed|s)?|re-?allow(?:ed|s)?|silence[sd]?|suppress(?:ed|es)?)\b"
    r"|\b(?:is|are|remains?|stays?|keeps?|retains?|fully) (?:(?!no\b|not\b)\w+ ){0,2}(?:backwards?[- ])?compatib"
    r"|\b(?:is|are|was|were|been) (?:now )?(?:fixed|resolved|solved|repaired)\b(?! (?:at|to|by)\b)|\bregressions?\b"
    r"|\baccidentally\b|\bwhich (?:has|have) been (?:corrected|fixed|plugged|rectified|clarified)\b|\binstead of "
    r"(?:an? |the )?(?:\w+ ){0,2}(?:tracebacks?|crash\w*|panic\w*|hang\w*|segfaults?)\b|\binstead of (?:throw"
    r"|rais)ing (?:an? )?(?:\w+ )?(?:errors?|exceptions?)\b|\bpreviously\b[^;]{0,60}\bthrow\b"
)
"""An entry begins as a fix or mentions a regression: breakage that it mentions is in the past."""
is_own_house = _find_in_clauses(
    r"\b(?:remov(?:e|es|ed|ing)|drop(?:s|ped)?|delet(?:e|es|ed)|renam(?:e|es|ed))\b[^;]{0,60}?(?<![-./\w])(?:unused"
    r"|vendored|mentions?|erroneous|incorrect|invalid|wrong|broken|unnecessary|unneeded|redundant|dead|duplicated?"
    r"|superfluous|stale|leftovers?|useless|extra|extraneous|trailing|typos?|spurious|limitations?|restrictions?"
    r"|hacks?|work-?arounds?|docs?|documentation|tests?|ci|workflows?|github actions?|benchmarks?|compat(?:ibility)? "
    r"code|comments?|whitespace|imports?|readme|translations?|unreachable|sponsors?|internals?|todo|us(?:e|ages?) of"
    r"|overhead|boilerplate|warnings? (?:when|for|in|from|about|on)|private|console|logging|debug|need|badges?"
    r"|reliance (?:on|to)|dependenc\w+|lint\w*|changelog|release notes|examples?|screenshots?|xfails?|repo(?:sitory)?"
    r"|caps?|pins?|pinned|(?:upper|version) (?:bounds?|limits?|pins?|constraints?)|conflicts? between|references? to"
    r"|requirement to|as not|not used|no[ -]longer[ -]needed|(?:temporary(?: \w+)?|checks?|type (?:annotation"
    rf"|hint)s?|{_TOOL})(?: config\w*)?"
    r"(?=\W{0,2}(?:$|[;,:]| (?:\(|(?:and|as|by|for|from|in|of|on|since|that|to|when)\b))))\b|^\W*(?:(?:the|all|old"
    r"|some) ){0,3}(?:\w+ )?(?:tests?|examples?|docs|documentation|(?:reference|mention)s?|comments?|badges?|warnings?"
    r"|files?) (?:for|of|in|about|to|on)\b[^;]{1,60}\b(?:removed|dropped|deleted)\b|\b(?:leaks?|crash\w*|bugs?|errors?"
    r"|warnings?|flicker\w*|delays?|lag) (?:\w+ ){0,4}(?:is|are) (?:now )?(?:gone|no more)\b|\b(?:remov(?:e|es|ed|ing)"
    r"|drop(?:s|ped)?|delet(?:e|es|ed)) (?:the )?\W?\.(?:\w+(?:rc|ignore)|git\w+|\w+\.yml)\b|\b(?:chang|updat"
    r"|switch)(?:e|es|ed|ing)?\b(?![^;]*\b(?:breaks?|raises?|now returns?)\b)[^;]{0,60}?\b(?:docs?|documentation|type "
    r"(?:annotations?|hints?)|readme|eslint|(?:unit|integration) tests?|test suite|comments?|typos?)\b"
    r"|^\W*(?:\[[^\[\]]*\]\W*)?warns? (?:that|about)\b|(?:\bprevent\w* [^;]{0,120}being|\bthat (?:is|are|was|were|has"
    r"|have)(?: not)?|(?:^|;)(?![^\w;]*renam)[^;]*\b(?:if|when|while|unless) [^;]{0,60}(?:is|are|was|were|be|been"
    r"|being)) (?:been )?(?:removed|dropped|deleted)\b|\b(?:replac(?:e|es|ed|ing)|instead of) (?:the "
    r")?(?:\w+ )?deprecated\b|\b(?:remov|drop)\w*\b[^;]{0,80}\bto (?:prevent|avoid|fix)\b"
    rf"|\bwhich (?:is|are|was|were) (?:now )?deprecated\b|\bdeprecated (?:since|in) {_PLATFORM}\b"
    r"|\b(?:which|that|who) (?:are |is )?no longer\b|\bplan(?:s|ned)? to\b|\bmigrate(?:s|d)? (?:from|away|off)\b"
    r"|^\W*(?:o )?(?:tests?|docs?|ci|style|deps(?=: remov))(?:\([^()]*\))?: |\bno longer (?:crash|fail|hang|leak|break"
    r"|panic|segfault|freez|mis|need|attempt|throws?|prevents?|produces?|logs?|requires?|necessary|cause|trigger|emit"
    r"|warn|experimental|deprecated|(?:print|show|display|report|give)s? (?:\w+ ){0,3}?(?:errors?|warnings?"
    r"|tracebacks?)\b)"
)
"""An entry removes or renames something that concerns only the project: unused imports, tests, restrictions."""
is_addition = _find_in_clauses(
    _AT_START + r"(?:add(?:s|ed|ing)?|new|introduc\w+|implement\w*|support(?:s|ed)? (?![^;]*\b(?:removed|dropped|ended"
    r"|discontinued)\b)|allow(?:s|ed)?|provid\w+|improv\w+|optimi[sz]\w+|to (?:use|try|enable|install) (?:it|them|this"
    r"|these|the|an?))\b|\bnow (?:also )?(?:supports?|accepts?|allows?|has|have|possible|takes? an "
    r"optional)\b(?![^;]{0,99}\binstead of\b)|\b(?:can|may) now\b|\blearn(?:ed|t|s)\b|\b(?:is|are|was|were|been) "
    r"taught\b"
)
"""An entry begins as something new, or by how to enable it: any other change in it is an aside."""
breaks_nobody = _find_in_clauses(
    r"\b(?:can|may) now\b|^(?![^;]*\b(?:requir|urge))[^;]{0,60}\b(?:can|may) be \w+(?:ed|en)\b|\bnow possible\b"
    r"|^[^;]*\btoo\W*$|\btypos?\b|"
    + _AT_START
    + r"(?:the )?(?:documentation|docs|manual|guide|readme|website) (?:is|are|was"
    r"|were|has|have|moved)\b"
)
"""An entry says what is possible now, comes on top, or is about documents."""
is_shift = _find_in_clauses(
    r"\b(?:now|chang\w+|stricter|updated|replac\w+|mov(?:e|es|ed|ing)|switch\w*|renam\w+|instead|rework\w*|rewritten"
    r"|merged|split|previously|prior to|used to|formerly|breaking|incompatib\w+|adjust\w*|migrat\w+)\b"
)
"""The words mention any difference from before."""
_CLAUSE_END = re.compile(r"[,;.](?=\s|$)")
_STRONG = (
    (Change.REQUIREMENT, _REQUIRES),
    (Change.REMOVED, _removes),
    (Change.DEPRECATED, _deprecates),
    (Change.BREAKS, _FAILS),
    (Change.DEFAULT, _FLIPS),
)
_ALL = (*_STRONG[:3], (Change.DEFAULT, _DEFAULTS), (Change.BREAKS, _BREAKS), (Change.ACTION, _ASKS))


@lru_cache(maxsize=8192)
def stated_change(words: str) -> Change | None:
    """Return the change that words state of the software itself; None if they state none, or only of the project's own
    affairs ("removed unused imports"): `stated_change("Dropped support for Python 3.8")` -> `REQUIREMENT`."""
    for change, find in _STRONG:
        if (match := find(words)) and not is_own_house(_clause(match)):
            return change
    return None


def _clause(match: re.Match[str]) -> str:
    """Return the clause around a match: the text from the comma, semicolon or full stop before it to the one after."""
    words = match.string
    before = max((mark.end() for mark in _CLAUSE_END.finditer(words, 0, match.start())), default=0)
    after = _CLAUSE_END.search(words, match.end())
    return words[before : after.start() if after else len(words)]


@lru_cache(maxsize=8192)
def named_change(words: str) -> Change | None:
    """Return a change that words mention, also of behaviour or defaults, or a call to act: the first of `_ALL`."""
    return next((change for change, find in _ALL if find(words)), None)
