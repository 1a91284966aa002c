"""What shape of answer a question asks for, by a table of question forms.

A form is matched on the question's sketch: its words in lower case, with `P` for the product asked about, `V` for
one of its versions, `S` for a code name and `N` for other versions and products. So a form
says "which P version", and "which Python version did pytest 9.0 drop" doesn't fit it.
"""

import re
from collections.abc import Sequence

from corpus.versions import VersionConstraint
from retrieval.model import Intent
from retrieval.question_tokens import Token, TokenKind

_RELEASE = r"(?:P )?(?:minor |major |patch |stable )*(?:versions?|releases?)"
_NEWEST = r"(?:latest|newest|most recent|oldest|earliest|current)"
_OUT = r"(?:release[ds]?|publish(?:ed)?|c[oa]m(?:e|ing)? out|out|ship(?:ped)?|launch(?:ed)?|land(?:ed)?)"
_SHOWN = "documented|described|listed|included|present|supported here"
_PAGES = "(?:pages?|documents?|documentation|docs|files?|guides?|manuals?)"
_NAMED_RELEASE = r"(?:P )?(?:version |release )?V(?: of P)?"
# "The latest version that still supports Python 3.8" asks for a release that has to be found in the notes.
_UNQUALIFIED = r"(?!.*\b(?:that|which|to|with|where|supporting|supports|without|before|prior)\b)"
_ASKING = (
    r"(?:please |so |hey |hi )*(?:do|does|have|has|is|are|can|got|any) (?:you |we |i |the index |it |the |know |got )*"
)
_NOTES = r"(?:have |cover(?:s|ed|ing)? |index(?:ed)? |any |anything |something |some |(?:release )?(?:notes|docs) )"
_DAY = (
    r"(?:(?:in|from|of|since|before|after|during|for|until) )?(?:the )?(?:year )?(?:\w+ )?"
    r"(?:\d{4}|(?:last|this|past) \w+)"
)
_MOVING = (
    r"(?:mov|evolv|develop|chang|grow|increas|decreas|declin|shrink|fall|improv)(?:e|s|es|d|ed|n|ing)?"
    r"|grew|shr[au]nk|r[io]se|risen|fell|fallen"
)
_GROWING = r"(?:grow|increas|decreas|shrink)(?:e|s|es|d|ed|n|ing)?|grew|shr[au]nk|r[io]se|risen"
_COMING = (
    r"(?:remov|dropp|deprecat|add|introduc|end|support|releas|land|publish|requir)ed|(?:remove|drop|deprecate|add"
    r"|introduce|end|leave|land|become|disappear|die|expire|stop|cease|arrive|start)s?|go away|gone|available"
    r"|unsupported"
)
_CHANGING = r"\w+[^e]ed|brought|made|began|got|gave|cut|put|(?:was|is|were) the first"

_CATALOGUE_FORMS = (
    rf"\b(?:which|what) {_RELEASE}(?: of P)? (?:do|have|can|are)"
    rf" (?:you|we|i|covered|indexed|available|there|here|known|in the|{_SHOWN})\b",
    rf"\b(?:which|what) {_RELEASE}(?: of P)? (?:exist|do the|does the (?:P )?(?:docs|documentation|index|corpus))\b",
    rf"\bhow many (?:different )?{_RELEASE}(?: of (?:the )?P(?: docs?| documentation| pages?)?)?"
    rf"(?: do| are| have| can| exist|$)",
    rf"^(?:please |can you |could you )*(?:list|name|enumerate|show|give)(?: me| us)?(?: all| every| the| of| available"
    rf"| indexed| known| documented| different)* {_RELEASE}\b(?!.*\b(?:add|remov|chang|deprecat|fix|introduc)\w*)",
    rf"^(?:which|what) {_RELEASE}(?: of P)? (?:came|comes?|are|were|was|is|follow(?:s|ed))(?: out| released| there"
    r"| newer| older| later| earlier)* (?:after|before|since|between|than|following) (?:P )?V(?: and (?:P )?V)?$",
    rf"^(?:which|what|how many|list (?:the |all )*)(?: P)? ?{_PAGES}\b"
    r".*\b(?:exist|there|available|have|indexed|covered|cover|documented|belong)\b.*\b[PV]$",
    rf"^(?:which|what|how many) {_PAGES} (?:of|for|about|on) (?:P )?(?:V )?(?:are|is|do|exist)\b",
    rf"^(?:is there (?:a |an |any )*|do (?:you|we) have (?:a |an |any |the )*)(?:P )?V {_PAGES}(?: yet)?$",
    r"^do(?:es)? the (?:P )?(?:docs|documentation|index|corpus) (?:include|cover|have|contain|describe) (?:P )?V$",
    rf"^for (?:which|what|how many) {_RELEASE}(?: of P)? (?:is|are) there\b",
    rf"^(?:what|which) (?:is|was) the (?:first|last) (?:documented |available |indexed )+{_RELEASE}(?: of P)?$",
    rf"^(?:(?:is|are) there (?:a |an |any )*|do (?:you|we) have (?:a |an |any |the )*){_PAGES}"
    r" (?:for|on|of|about) (?:P )?V$",
    rf"^(?:what|which) (?:is|was) (?:the )?{_NEWEST} (?:P |stable )*(?:versions?|releases?)(?: of P)?"
    r" (?:before|prior to|older than|below|after|since|newer than) (?:P )?V$",
    r"^(?:what|which) (?:is|was) the (?:versions?|releases?)(?: of P)?"
    r" (?:right )?(?:before|prior to|preceding|after|following) (?:P )?V$",
    rf"^(?:is|was) (?:P )?(?:version |release )?V (?:of P )?(?:the |your )?{_NEWEST}(?: P| stable| version| release"
    r"| of| one| indexed| documented)*$",
    rf"^(?:is|was|has|were) {_NAMED_RELEASE}(?: release)? (?:been |ever )*(?:yanked|withdrawn|pulled|retracted)$",
    rf"\b(?:which|what) {_RELEASE}(?: of P)?(?: \w+(?: than| to)? V(?: (?:and|to|through) V)?)? (?:do|have|can|are)"
    r" (?:you|we|i|covered|indexed|available|there|here|known|in the)\b",
    rf"\bhow many {_RELEASE}(?: of P)?(?: do| are| have| can| were|$| did P (?:have|get|make|see|ship|publish)\b)",
    rf"\bhow many {_RELEASE}(?: of P)? {_OUT}\b",
    rf"\b(?:which|what) {_RELEASE}(?: of P)? (?:have been |were |was |has been )?{_OUT}\b",
    rf"^(?:which|what) P (?:have been |were |was |has been )?{_OUT} {_DAY}$",
    rf"^(?:(?:which|what|is|was) )*(?:the )?(?:P )?(?:previous|prior|preceding|next) {_RELEASE}(?: of P)?$",
    rf"^what (?:came|comes|was|is)(?: out| right| just| directly| immediately)* (?:before|after)"
    rf" (?:the )?{_NAMED_RELEASE}$",
    rf"^(?:(?:which|what)(?: is| was| one is)? )?the {_RELEASE}(?: of P)?(?: right| just| directly| immediately)*"
    rf" (?:before|after) (?:the )?{_NAMED_RELEASE}$",
    rf"^(?:all |the |list |show |me )*(?:P )?(?:versions|releases)(?: of P)? {_DAY}$",
    r"^(?:please )?(?:list|show|all)(?: me| all| the)* (?:P )?(?:versions|releases)(?: of P)?$",
    rf"^(?:the )?P {_NEWEST} (?:versions?|releases?)$",
    rf"^{_ASKING}{_NOTES}+(?:about |for |on |of )?(?:the )?(?:P|{_NAMED_RELEASE})(?: (?:release )?notes)?$",
    rf"^{_ASKING}(?:P|{_NAMED_RELEASE}) (?:(?:release )?notes (?:in )?)?(?:here|covered|indexed|available)$",
    r"^(?:so )?what (?:can|could) (?:i|we) ask(?: you)?(?: about)?$|^what do you know(?: about)?$",
    rf"\b(?:first|last) {_RELEASE}(?: of P)? (?:you (?:have|know)|in (?:your|the|this) index|indexed|covered)$",
    rf"^(?:did|have|has) (?:they|P|we) (?:ever |already )*(?:release|publish|ship)d? (?:a |the )?{_NAMED_RELEASE}$",
    rf"^(?:is|was) there (?:ever |a |an |any |already )*{_NAMED_RELEASE}(?: release| version)?$",
    rf"\b(?:what|which) (?:date|day|month|year) (?:was|did|is|were) (?:the )?{_NAMED_RELEASE}(?: release)? {_OUT}$",
    rf"^when (?:is |will )?(?:the )?{_NAMED_RELEASE}(?: release)? (?:be )?(?:due|expected|planned|coming)$",
    rf"^which (?:one |{_RELEASE} (?:of P )?)?(?:is|came|was released) (?:the )?(?:newer|older|newest|oldest|latest"
    r"|earlier|later|first)\b.*\bV\b.*\bV$",
    r"^(?>.*?\b(?:which|what) (?:products|projects|libraries|documents|docs)\b)"
    r".*\b(?:you|covered|available|indexed|there)\b",
    r"^what (?:do you (?:cover|have|know)\b|is covered)",
    rf"^{_UNQUALIFIED}(?:(?:what|which|whats|is|was|the|and|about) )*{_NEWEST} (?:stable |P |patch |minor |major )*"
    r"(?:versions?|releases?|P)(?: P)?(?: (?:of|in|for|from) .*| (?:do )?you (?:have|know)| available| out)?$",
    rf"\bwhich {_RELEASE} (?:of P )?is (?:the )?{_NEWEST}$",
    rf"^(?:is there (?:a |an |already )*{_NAMED_RELEASE}|does {_NAMED_RELEASE} exist"
    rf"|(?:is|has) (?:the )?{_NAMED_RELEASE}(?: release)? (?:been )?(?:already )?"
    rf"(?:out|released|available|published|covered|indexed|included|{_SHOWN}))(?: yet| already| here)?$",
    rf"^do you (?:have|cover|know)(?: about)? (?:the )?{_NAMED_RELEASE}(?: release)?(?: notes)?$",
    r"^is there (?:anything|an?y? \w+) newer than (?:P )?V$",
    r"^(?>.*?\brelease date\b).*\b[PV]$|\bV release date$",
    rf"\bwhen (?:was|did|is|were|has) (?:the )?{_NAMED_RELEASE} (?:been |was )?{_OUT}$",
    rf"^when (?:was|did|is|has) (?:the )?{_NEWEST} (?:P|(?:P )?(?:version|release))(?: of P)?"
    rf" (?:been )?{_OUT}$",
    rf"\b{_NAMED_RELEASE} (?:been )?(?:{_OUT} )?(?:before|after|earlier|later|older|newer)\b.*\bV$",
)
_SECURITY_FORMS = (r"\bcves?\b|\bvulns?\b|\bvulnerab\w+|\bsecurity\b|\bexploit\w*",)
_COMPARE_FORMS = (
    r"^(?>.*?\b(?:compar(?:e|ed|ing|ison)|differences? between)\b).*\bV\b.*\bV\b",
    r"\bV (?:vs|versus|compared to|over|against) (?:P )?V\b",
)
_COURSE_FORMS = (
    rf"^(?>.*?\bhow (?:much )?(?:did|has|have|does|do)\b).*\b(?:{_MOVING})\b",
    rf"^(?>.*?\b(?:did|has|have)\b).*\b(?:{_GROWING})\b",
)
_MOVERS = re.compile(r"\b(?:i|we) (?:go|jump|move|switch|bump)\b|\b(?:upgrad|migrat)\w*")
_SINCE_WHEN_FORMS = (
    rf"\b(?:since|as of) (?:when|which|what)\b|\b(?:until|till|up to) (?:which|what) (?:P|{_RELEASE})\b",
    r"\bhow long (?:has|have|had)\b",
    r"\bwhen (?:did|was|were|has|have)\b|\bwhen (?:can|could|may|might) (?:\S+ ){1,3}(?:first|finally|start)\b",
    rf"\bwhen (?:does|do|is|are) (?:\S+ ){{0,8}}(?:{_COMING})\b",
    rf"\b(?:in|from|with|by|at) (?:which|what) {_RELEASE}\b",
    rf"\b(?:which|what) {_RELEASE}(?: of(?: P| the| V)+)? (?:first |finally |already )?(?:{_CHANGING})\b",
    rf"^(?:the )?first (?:P|{_RELEASE})\b|^which {_RELEASE}$",
    r"\b(?:\w+[^e]ed|gone|out) when\b|\bsince$|\bhow old is\b|\b(?:which|what) P (?:first|finally|already)\b",
    r"\b(?:latest|last|first|newest|earliest|oldest) (?:P )?(?:versions?|releases?|P)(?: of P)? (?:still )?"
    r"(?:that|which|to|with|where|supporting|without)\b",
)
_WHATS_NEW_FORMS = (
    r"\b(?:tldr|tl dr|summary|summari[sz]e|overview|recap)\b.*\b[PV]\b",
    r"^(?:so )?what (?:did|does|is) (?:P )?V (?:(?:bring|add|change|introduce|fix)s?|fixes|(?:all )?about)$",
    r"^(?:the |show |give |me |read )*(?:release notes|changelog)(?: for| of)? P V$|^P V (?:release notes|changelog)$",
    r"^(?:so )?what is in (?:the )?(?:P V|V|(?:latest|newest) (?:P|release|version))(?: of P)?$",
    r"\b(?:what is|whats|what s|anything) new\b|\bnew features\b|\bhighlights\b",
    r"\bwhat (?:has |was |were |got )?(?:been )?(?:changed|added|introduced|fixed)(?: in P)?(?: in| with| since"
    r"| after)? (?:the )?(?:P )?V(?: release| series)?$",
)
_UPGRADE_FORMS = (
    r"\bwhat (?:all )?(?:breaks?|broke|will break)\b|\b(?:breaking|incompatible) changes?\b",
    r"\b(?:upgrad|migrat)\w*\b",
    r"\b(?:moving|going|jump(?:ing)?|switch(?:ing)?|bump(?:ing)?|move|go) (?:from |to |P |straight )*V\b",
)
_STATUS_FORMS = (
    r"^(?:so )?what (?:did|does) (?:P )?V (?:remove|drop|deprecate)s?$",
    r"\bdeprecat\w+|\bobsolete\b|\bend of life\b|\beol\b|\b(?:status|state) of\b|\bgone\b|\bremoved\b",
    r"^(?:(?:so|hey|hi|all) )*(?:is|are|does|do|will|did)\b.*\b(?:still|already|any ?more)\b",
    r"^(?:(?:so|hey|hi|all) )*(?:is|are|has|have|did)\b.*\b(?:experimental|prototype|beta|alpha|(?:un)?stable)$",
    r"^(?:is|are)\b.*\b(?:stable|experimental|prototype|beta) or\b|\bleft (?:beta|preview)\b",
)
_LIST_FORMS = (
    r"^(?:please |can you |could you )*(?:list|enumerate)\b",
    r"\ball (?:the |of the )?(?:\w+ )?"
    r"(?:changes|deprecations|features|fixes|removals|options|settings|functions|apis|platforms|improvements|bugs)\b",
    r"\bwhich (?:\w+ )?(?!versions|releases|was|does|has|this)\w{3,}(?<!s)s"
    r" (?:are|were|was|got|did|do|have|will|can|disappear|change|now|no)\b",
)
_NEWER_OR_OLDER = re.compile(
    r"\b(?:(?P<older>older|earlier|previous)|(?P<newer>newer|later)|other|another|every|all) (?:\w+ )?"
    r"(?:versions?|releases?|lines?|series|branch\w*)\b|\b(?P<onward>later|afterwards|since then)$"
)
_COMPARES_WITH_NEIGHBOUR = re.compile(
    r"\b(?:than|from|to|over|vs|versus|with|against|and|since) (?:the |its )?"
    r"(?:previous|prior|preceding|next|following) (?:P )?(?:version|release|one)\b"
)


def sketch_question(tokens: Sequence[Token], products: Sequence[str], owned: Sequence[int]) -> str:
    """The question's form: words in lower case, names as the capital letters that the forms use."""
    places = frozenset(owned)
    words = " ".join(filter(None, (_sketch_token(token, products, i in places) for i, token in enumerate(tokens))))
    return words.replace(" v V", " V")


def _sketch_token(token: Token, products: Sequence[str], is_owned: bool) -> str:
    if token.kind is TokenKind.VERSION:
        return "V" if is_owned else "N"
    if token.kind is TokenKind.PRODUCT:
        return "P" if token.product in products else "N"
    if token.kind is TokenKind.SYMBOL:
        return "S"
    if token.kind is TokenKind.MARK:
        return ""
    return "what is" if token.text.lower() in ("what's", "what\u2019s") else token.word


def find_intent(sketch: str, constraint: VersionConstraint | None) -> Intent:
    """The first intent of which a form fits; a range of versions means UPGRADE, or COMPARE where its course is asked,
    several versions mean COMPARE, where no other form says more; FACT for the rest."""
    is_range = constraint is not None and constraint.low is not None and constraint.high is not None
    is_several = constraint is not None and len(constraint.versions) > 1
    table = (
        (Intent.CATALOGUE, _fits(sketch, _CATALOGUE_FORMS)),
        (Intent.SECURITY, _fits(sketch, _SECURITY_FORMS)),
        (Intent.COMPARE, _fits(sketch, _COMPARE_FORMS) or ((is_range or is_several) and asks_course(sketch))),
        (Intent.SINCE_WHEN, _fits(sketch, _SINCE_WHEN_FORMS)),
        (Intent.WHATS_NEW, _fits(sketch, _WHATS_NEW_FORMS)),
        (Intent.UPGRADE, is_range or _fits(sketch, _UPGRADE_FORMS)),
        (Intent.LIST, _fits(sketch, _LIST_FORMS)),
        (Intent.STATUS, _fits(sketch, _STATUS_FORMS)),
        (Intent.COMPARE, is_several),
    )
    return next((intent for intent, fits in table if fits), Intent.FACT)


def _fits(sketch: str, forms: Sequence[str]) -> bool:
    return any(re.search(form, sketch) for form in forms)


def asks_course(sketch: str) -> bool:
    """Whether the question is how something moved or grew, so that where it began belongs to the answer."""
    return _fits(sketch, _COURSE_FORMS) and not _MOVERS.search(sketch)


def compares_with_neighbour(sketch: str) -> bool:
    """Whether a release is set against the one beside it ("how does 2.9 differ from the previous release?")."""
    return bool(_COMPARES_WITH_NEIGHBOUR.search(sketch))


def carry_constraint(earlier: VersionConstraint | None, sketch: str) -> VersionConstraint | None:
    """What a follow-up keeps of the conversation's constraint: all of it, or what its "older lines" leave of it."""
    wanted = _NEWER_OR_OLDER.search(sketch)
    if wanted is None or earlier is None:
        return earlier
    if not earlier.versions:
        return None
    if wanted["older"]:
        return VersionConstraint.up_to(earlier.versions[-1])
    return VersionConstraint.since(earlier.versions[0]) if wanted["newer"] or wanted["onward"] else None
