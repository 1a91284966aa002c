"""What is due for products that are named with the release of each and nothing else: "numpy 1.26, pandas 2.1", a pasted
requirements.txt or the dependencies of a package.json.

Each is answered as an upgrade from its release to the newest stable one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from corpus.versions import Version, VersionConstraint
from retrieval.answers.news import draft_news
from retrieval.drafting import Draft, Statement
from retrieval.findings import Findings
from retrieval.known_products import KnownProducts
from retrieval.model import Form, Status
from retrieval.question_tokens import Token, TokenKind, tokenize_question
from retrieval.relative_releases import stable_releases
from retrieval.safe_text import safe

_STATED = 6
"""Of all products together."""
_APART, _SECTION = frozenset(",;?!."), frozenset("{[]")
_SIGNS = frozenset(("=", "==", "~=", ">=", "@", "^", "~"))


@dataclass(frozen=True, slots=True)
class _Pin:
    name: str
    product: str
    """Empty where it isn't indexed."""
    version: Version


def draft_due(findings: Findings) -> Draft | None:
    """For each product that is pinned what came after; None for a question that isn't a list of pins."""
    known = KnownProducts.of(findings.index.products)
    pins = _read_pins(tokenize_question(findings.query.text, known).tokens)
    pinned = {one.product: one for one in pins if one.product}
    if not pinned:
        return None
    drafts = [_draft_one(findings, pin) for pin in pinned.values()]
    lead = " ".join(f"{draft.lead.partition(';')[0].removeprefix('Yes: ').rstrip('.:')}." for draft in drafts)
    each = max(1, _STATED // len(drafts))
    statements: list[Statement] = [said for draft in drafts for said in draft.statements[:each]]
    lacking = " or ".join(dict.fromkeys(safe(one.name) for one in pins if not one.product))
    more = f" No notes of {lacking} are indexed." if lacking else ""
    return Draft(Status.ANSWERED, lead + more, tuple(statements[:_STATED]))


def _draft_one(findings: Findings, pin: _Pin) -> Draft:
    (product,) = findings.index.products_named((pin.product,))
    newest = next(iter(stable_releases(product.releases)), None)
    if newest is None or newest.version <= pin.version:
        return Draft(Status.ANSWERED, f"No stable release after **{safe(product.name)} {pin.version}** is indexed", ())
    query = replace(
        findings.query,
        products=(pin.product,),
        constraint=VersionConstraint.between(pin.version, newest.version),
        form=Form.SHOULD_UPGRADE,
        symbols=(),
    )
    found = draft_news(replace(findings, query=query))
    return found or Draft(Status.ANSWERED, f"The newest is **{safe(product.name)} {newest.version}**", ())


def _read_pins(tokens: Sequence[Token]) -> tuple[_Pin, ...]:
    """The pins of which a text consists; none where it says anything else, or names one release without a sign of a
    pin ("django 5.1")."""
    pins: list[_Pin] = []
    name: Token | None = None
    is_signed = False
    for token in tokens:
        if token.kind is TokenKind.MARK:
            is_signed |= token.text in _SIGNS
            if token.text in _APART and name is not None:
                return ()
            name = None if token.text in _SECTION else name
        elif token.version is None and name is None:
            name = token
        elif token.version is None or name is None:
            return ()
        else:
            pins.append(_Pin(name.text, name.product, token.version))
            name = None
    return tuple(pins) if name is None and (len(pins) > 1 or is_signed) else ()
