"""The words by which release notes say what a change does, as patterns.

Each is read over text whose sentences end in semicolons (`in_clauses`).
"""

import re
from functools import lru_cache

_SENTENCE_END = re.compile(r"\.(?=\s|$)")


def pattern(words: str) -> re.Pattern[str]:
    """Compile a pattern for words whose sentences end in semicolons; `[^;]` stays inside a clause."""
    return re.compile(words, re.IGNORECASE)


@lru_cache(maxsize=8192)
def in_clauses(words: str) -> str:
    """`words` with semicolons for full stops: so a clause's end is one sign, and the dot of a name or version none."""
    return _SENTENCE_END.sub(";", words)


_AT_START = r"^\W*(?:[\w`./()! -]{1,60}(?::|\s-)\s+)?"
"""Where an entry's own words begin: after its mark, and the part of the software that it names."""
PLATFORM = (
    r"(?:python|cpython|pypy|node(?:\.?js)?|java|jdk|jvm|ruby|php|go|rust|gcc|clang|msvc|glibc|numpy|django|postgres\w*"
    r"|mysql|mariadb|oracle|sqlite|redis|windows|macos|mac os\b[^.]{0,3}|os x|linux|ubuntu|debian|centos|rhel|android"
    r"|ios|cuda|rocm|openssl|kubernetes|docker|electron|chrome|safari|firefox|internet explorer|ie|edge|typescript"
    r"|react|vue|svelte|webpack|\.net|perl|erlang|elixir|scala|kotlin|swift|xcode|cmake)"
)
SIGNED = pattern(
    r"^\W{0,6}(?:\w+(?:\([^()]*\))?!:|\[?breaking(?:[ -]changes?)?\]?\W)|\[\W*breaking\W*\]|\(semver-major\)"
    r"|\u2757|\U0001f4a5"
    r"|^\W{0,4}\u26a0",
)
MARKED = pattern(
    r"\bbreaking[ -]changes?\b(?! (?:in|from) (?:the )?(?:upstream|dependenc))|\b(?:backwards?|api)[- ]incompatib"
    r"|\bnot backwards?[- ]compatible|\bbreaks? backwards?[- ]compat|\bincompatible change",
)
_DROPS = r"(?:drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|end(?:s|ed|ing)?|discontinued?)"
REQUIRES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (
        ("support", "compatib"),
        pattern(rf"\b{_DROPS}\b[^;]{{0,40}}\b(?:support|compatibility)\b[^;]{{0,40}}\b{PLATFORM}\b"),
    ),
    (("drop", "remov"), pattern(rf"\b{_DROPS} (?:support for )?(?:the )?{PLATFORM}\s*v?<?=?\s*\d")),
    (("not supported any",), pattern(rf"\b{PLATFORM} v?\d[\w.]* (?:is|are) not supported any ?(?:more|longer)\b")),
    (
        ("no longer",),
        pattern(
            rf"\b{PLATFORM} v?\d[\w.]*(?:\+|(?:,| and| or|/) [\w. ]{{1,20}})?[^;]{{0,30}}\b(?:is|are|was|were)"
            rf" (?:now )?no longer supported|\bno longer supports?\b[^;]{{0,20}}\b{PLATFORM}\b"
        ),
    ),
    (
        ("support for",),
        pattern(rf"\bsupport for (?:\w+ ){{0,3}}{PLATFORM}\b[^;]{{0,60}}\b(?:dropped|removed|discontinued|ended)\b"),
    ),
    (
        ("support",),
        pattern(rf"^\W*{PLATFORM} v?\d[\w.]* support (?:is|was|has been) (?:\w+ )?(?:dropped|removed|discontinued)\b"),
    ),
    (("is the last",), pattern(r"\bis the last (?:\w+ ){0,4}to support\b")),
    ((">=", "~="), pattern(r"\b(?:upgrad|bump|updat|rais|pin|requir)(?:e|es|ed|ing)?\b[^;]{0,50}?[>~]=\s*v?\d")),
    (
        ("minim", "lowest", "bump", "raise", "increas"),
        pattern(
            r"\bminim(?:um|al) (?:\w+ ){0,3}(?:versions?|requirements?|python|node|compiler)\b|\bminimally required\b"
            r"|\b(?:minimum|lowest) (?:supported|required|allowed)\b|\bminimum [\w.-]+ (?:version )?(?:is|was|has|to"
            r"|v?\d)"
            r"|\b(?:bump|raise|increase)(?:s|ed)?\b[^;]{0,30}\b(?:minimum|required|requirement|msrv)\b"
        ),
    ),
    (
        ("requir", "need", "depends on", "mandatory"),
        pattern(
            r"\b(?:is|are) now (?:a )?(?:required|mandatory)\b"
            rf"|\brequires? (?:at least|{PLATFORM}|version|[\w./+-]+ (?:version )?(?:>=?|v?\d+\.\d)|v?\d+\.\d)"
            r"|(?<!no )\b(?:requires?|needs?) (?:an? )?(?:[\w./+-]+ ){1,3}(?:upgrades?\b|updates?\b|v?\d+\.\d)"
            r"|\b(?:building|compiling|installing|installation)\b[^;]{0,30}\brequires?\b"
            r"|\b(?:now )?depends on [^;]{1,30} (?:or|and) (?:later|newer|higher)"
            rf"|\b{PLATFORM} (?:version )?v?\d[\w.]*\+? (?:or (?:later|newer|higher|above) )?(?:is"
            rf"|are) (?:now )?required"
        ),
    ),
)
"""Each with words of which a text must hold one to be looked at: names of platforms are many, and looking for them at
every word is slow.
"""
REMOVES = pattern(
    _AT_START + r"(?:remov(?:e|es|ed|al of|ing)|drop(?:s|ped|ping)?|delet(?:e|es|ed)"
    r"|purged?|rm)\b"
    r"(?! (?:from|into|down))"
    r"|\b(?:has|have|had|is|are|was|were|been|being|got|gets?)(?: (?:now|finally|also|all|both|completely|entirely"
    r"|been))*"
    r" (?:removed|dropped|deleted|discontinued|withdrawn)\b(?! (?:from|in) (?:the )?(?:output|result|list|cache|queue))"
    r"|\bno longer (?:available|exists?|supported|provided|include[sd]?|shipped|published|exported|exposed|part of"
    r"|bundled"
    r"|distributed|ships?|supports?|provides?)\b"
    r"|\b(?:is|are|was|were)(?:n['’]t| not) (?:supported|available) (?:any ?more|any longer)\b"
    r"|\bnow (?:provided|available|shipped|distributed|lives?) (?:by|in|through|from|as (?=an? (?:separate|external)))"
    r" ?(?:an? |the )?(?:\S+ )?(?:plugin|package|extension|add-on|crate|gem|library)\b"
    r"|\b(?:drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|end(?:s|ed)?) (?:\w+ ){0,3}support\b"
    r"|\bsupport (?:for|of) [^;]{1,80}(?<!be )\b(?:removed|dropped|discontinued)\b",
)
DEFAULTS = pattern(
    r"\b(?:the |new |now )*defaults? (?:\w+ ){0,4}(?:is|are|has|have|was|were) (?:now|changed|been changed|switched)"
    r"|\b(?:chang|switch|flip|updat)(?:e|es|ed|ing)\b[^;]{0,40}\bdefaults?\b|\bdefaults?\b[^;]{0,60}\b(?:changed"
    r"|switched)\b"
    r"|\b(?:now|is now|are now) (?:[\w-]+ ){0,4}by default\b|\bby default now\b|\bnow defaults?\b|\bdefaults? (?:now"
    r"|from)\b"
    r"|\bno longer [^;]{0,40}\bby default\b|\b(?:enabled|disabled|turned o(?:n|ff)) by default\b|\bnow the default\b"
    r"|\bnew default\b|\bdefault to\b",
)
FLIPS = pattern(
    _AT_START + r"(?:use|enable|disable|turn|switch|make"
    r"|set)[sd]?\b[^;]{0,80}\bby default\b(?! (?:in|for) "
    r"(?:tests|ci|docs))|\bnow (?:the default\b|defaults? to)|\b(?:has|have) been (?:enabled|disabled|turned o(?:n"
    r"|ff)) by default\b"
    r"|\bstarts? (?:using|to use)\b[^;]{0,60}\bby default\b|^\W*by default\b[^;]{0,80}\b(?:is"
    r"|are) (?:now )?(?:enabled|disabled)\b|\b(?:is|are) now (?:[\w-]+ ){0,3}by default\b",
)
BREAKS = pattern(
    _AT_START + r"(?:chang(?:e|es|ed)|(?:raise|throw|error)s? (?:an?|if|when|on)"
    r"|errors? (?:if|when"
    r"|on))\b"
    r"|\bsignificant(?:ly)? chang|\bchang\w+ significantly|\bno longer\b|" + _AT_START + r"renam(?:e|es"
    r"|ed)\b|\brenam(?:e|es|ed|ing) [^;]{1,60}\b(?:to|into"
    r"|as)\b|\b(?:is|are|was|were|been) renamed\b|\bnow (?:raises?|throws?|errors?|fails?|rejects?|refuses?|disallows?"
    r"|strict"
    r"|an error|a hard error|prohibit\w*|forbids?|always|only)\b|\b(?:is|are) now (?:an? (?:hard )?error|treated"
    r"|disallowed"
    r"|rejected|required|mandatory|private|keyword-only|positional-only|strict\w*|ignored|forbidden|immutable)\b"
    r"|\bwill (?:now )?(?:raise|fail|throw|error)\b|\bmust (?:now )?be\b|\bmust now\b|\bdisallow(?:s|ed)?\b"
    r"|\braises? \S+ instead of\b|\binstead of (?:the )?previous|\bmade (?:private|keyword-only|positional-only)"
    r"|\bturned? into (?:an? )?errors?\b|\breplaced (?:by|with)\b|\bmoved (?:from|to|into)\b"
    r"|\bnow\b[^;]{0,120}\b(?:rather than|instead of)\b"
    r"|\bpreviously\b[^.]{3,120}\b(?:was|were|would|did|could|raised|returned|used|opened|behaved|ignored|accepted)\b",
)
FAILS = pattern(
    r"\bnow (?:raises?|throws?|produces?|causes?|gives?|triggers?)(?: an?)? (?:[\w.`~:]*error|[\w.`~:]*exception"
    r"|(?:\w+ )?failures?)\b|\b(?:is|are) now (?:an? )?(?:hard |fatal |compile[- ]time |type )?errors?\b"
    r"|\bno longer (?:accepts?|accepted|allows?|allowed|valid|permitted|possible|permits?)\b"
    r"|\b(?:is|are) now (?:disallowed|rejected|forbidden|prohibited|illegal|invalid)\b"
    r"|\bnow (?:rejects?|disallows?|refuses?|forbids?|prohibits?)\b|\brefuses to\b"
    r"|^[^;]{1,60}\bstops (?!crash|leak|hang|fail|error|complain|segfault|break|warn)\w+ing\b"
    r"|" + _AT_START + r"(?:stop(?:s|ped)? \w+ing|disallow(?:s|ed)?|prohibit(?:s|ed)?|reject(?:s"
    r"|ed)?"
    r"|forbid(?:s|den)?"
    r"|refuses?d?"
    r"|(?:explicitly |now )?(?:raise|throw)s? (?:an? )?(?:error|exception)"
    r"|fail (?:with|if|when|on)|only supports?|(?:do not|don't) (?:allow|accept|support))\b"
    rf"|\b(?:not|n't|longer) (?:be )?(?:compatible|work) with {PLATFORM} \d",
)
ASKS = pattern(
    r"\b(?:you|users?|applications?|projects?|plugins?|authors?|callers?|code|maintainers?|developers?)\b[^;]{0,60}"
    r"\b(?:must|need(?:s|ed)? to|have to|has to|(?:should|will need to|are advised to|are encouraged to) (?:now )?"
    r"(?:update|upgrade|migrate|change|switch|replace|rebuild|rename|re-?run|set|remove|adjust|use))\b"
    r"|\baction required\b|\bmanual (?:step|migration|intervention)s?\b|\bmust be (?:rebuilt|recompiled|migrated"
    r"|updated)"
    r"|\bneeds? to be (?:rebuilt|recompiled|migrated|updated|changed|renamed|replaced)",
)
DEPRECATES = pattern(
    _AT_START + r"(?:soft[- ])?deprecat(?:e|es|ed|ing|ion of|ions?:)\b"
    r"|\b(?:is|are|was|were|been|being|now|as|marked|marks|formally|officially|becomes?|pending)(?: (?:now|also|as"
    r"|all|both"
    r"|soft|formally|officially|hereby))*[ -](?:soft[- ])?(?:deprecated|deprecation)\b"
    r"|\bdeprecat(?:es|ing|ion of) (?:the |`|\w)|\bscheduled for removal\b|\bwill be removed in\b"
    r"|\bpending deprecation\b"
    r"|\b(?:emit|raise|issue|give|add)(?:s|d|ed)? (?:an? )?(?:\w+)?deprecation ?warnings?\b",
)
FIXES = pattern(
    _AT_START + r"(?:bug ?fix|fix(?:ed|es|ing)?|correct(?:ed|s)?|resolv(?:e|ed|es)"
    r"|prevent(?:s|ed)?"
    r"|avoid(?:s|ed)?|ensure[sd]?|handle[sd]?|restor(?:e|ed|es)|revert(?:ed|s)?|re-?allow(?:ed|s)?|silence[sd]?"
    r"|suppress(?:ed|es)?)\b|\bregressions?\b"
    r"|\binstead of (?:an? |the )?(?:\w+ ){0,2}(?:tracebacks?|crash\w*|panic\w*|hang\w*|segfaults?)\b"
    r"|\binstead of (?:throw|rais)ing (?:an? )?(?:\w+ )?(?:errors?|exceptions?)\b"
    r"|\bpreviously\b[^;]{0,60}\b(?:crash(?:ed)?|hang|hung|threw|throw)\b"
    r"|\bwhich (?:has|have) been (?:corrected|fixed|plugged|rectified|clarified)\b"
    r"|\bused to\b[^;]{1,200}\bwhich has been\b",
)
OWN_HOUSE = pattern(
    r"\b(?:remov(?:e|es|ed|ing)|drop(?:s|ped)?|delet(?:e|es|ed)|renam(?:e|es|ed))\b[^;]{0,60}?\b(?:unused|vendored"
    r"|mentions?|erroneous|incorrect|invalid|wrong|broken|unnecessary"
    r"|unneeded|redundant|dead|duplicated?|superfluous|stale|leftover|useless|extra|extraneous|trailing|typos?|spurious"
    r"|limitations?|restrictions?|workarounds?|hacks?|docs?|documentation|tests?|ci|workflows?|github actions?"
    r"|benchmarks?"
    r"|compat(?:ibility)? code|comments?|whitespace|imports?|readme|translations?|unreachable|sponsors?|internal"
    r"|internals|todo|overhead"
    r"|boilerplate|warnings? (?:when|for|in|from)|private|console|logging|debug|the need"
    r"|(?:dependency|dependence|reliance) on"
    r"|lint\w*|badges?|changelog|examples?|screenshots?|xfails?|repo(?:sitory)?|benchmarks?|upper (?:bounds?|limits?"
    r"|pins?)|caps?|pins?)\b"
    r"|\b(?:us(?:e|age|ing)|uses) of (?:the )?deprecated\b|\bdeprecat\w+ warnings? (?:from|in|with|about|raised"
    r"|caused"
    r"|introduced|due)\b|\breplac(?:e|es|ed|ing) (?:the )?(?:\w+ )?deprecated\b|\binstead of (?:the )?deprecated\b"
    r"|\bdeprecated (?:\w+ ){0,2}usage\b|\bavoid(?:s|ing)? (?:\w+ )?deprecat|\bdeprecated (?:upstream\b|by\b(?! @))"
    r"|\b(?:which|that|who) (?:are |is )?no longer\b|\b(?:is|are) planned\b|\bplan(?:s|ned)? to\b"
    r"|\bwhich (?:is|are|was|were|has been|have been) (?:now )?deprecated\b"
    rf"|\bdeprecated (?:since|in) {PLATFORM}\b"
    r"|^\W*(?:o )?(?:tests?|docs?|ci|style)(?:\([^()]*\))?: "
    r"|\bwe (?:suggest|recommend|encourage)\b[^;]{0,60}\bauthors\b"
    r"|\bmigrate(?:s|d)? (?:from|away|off)\b|\bno longer (?:crash|fail|hang|leak|break|need|attempt|throws?|prevents?"
    r"|produces?|logs?|requires?"
    r"|necessary|raise[sd]?"
    r" (?:an? )?(?:spurious|unexpected|error)|cause|trigger|emit|warn|experimental)",
)
ADDS = pattern(
    _AT_START + r"(?:add(?:s|ed|ing)?|new|introduc\w+|implement\w*|support(?:s|ed)? "
    r"|allow(?:s|ed)?"
    r"|provid\w+|improv\w+|optimi[sz]\w+)\b|\bnow (?:also )?(?:supports?|accepts?|allows?|has|have"
    r"|takes? an optional)\b"
    r"|\b(?:can|may) now\b|\blearn(?:ed|t|s)\b|\b(?:is|are|was|were|been) taught\b",
)

SHIFTS = pattern(
    r"\b(?:now|chang\w+|stricter|updated|replac\w+|mov(?:e|es|ed|ing)|switch\w*|renam\w+|instead|rework\w*|rewritten"
    r"|merged"
    r"|split|previously|prior to|used to|formerly|breaking|incompatib\w+|adjust\w*|migrat\w+)\b",
)
TUNES = pattern(
    _AT_START + r"(?:improv\w+|optimi[sz]\w+|speed\w*|faster|reduc\w+|refactor\w*|clean\w*"
    r"|document\w*"
    r"|updat\w+ (?:the )?(?:docs?|documentation|dependenc\w+|translations?|readme|examples?|tests?)|bump\w*|translat\w+"
    r"|clarif\w+|simplif\w+|better|minor|small|internal\w*|use type)\b"
    r"|\b(?:readme|eslint|lint(?:er|ing)?|typos?|type (?:definitions?|hints?|annotations?)|typings?|docstrings?"
    r"|unit tests?"
    r"|test suite|github actions|ci)\b",
)

CLAUSE_END = re.compile(r"[,;.](?=\s|$)")


def find_requirement(clauses: str) -> re.Match[str] | None:
    """Where a text raises a minimum or drops a platform; None where it doesn't."""
    lowered = clauses.casefold()
    for hints, pattern in REQUIRES:
        if any(hint in lowered for hint in hints) and (found := pattern.search(clauses)):
            return found
    return None
