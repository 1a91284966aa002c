"""What is due for products that are pinned (`retrieval.products.pins`): each is answered as an upgrade from its release
to the newest stable one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.versions import VersionConstraint
from retrieval.answers.catalogue import tell_newest
from retrieval.answers.news import draft_news
from retrieval.drafting import Draft, Statement
from retrieval.findings import Findings
from retrieval.model import Form, Pin, Status
from retrieval.quoting.safe_text import safe

_STATED, _NAMED = 6, 3
"""Statements of all products together, and of how many the lead speaks."""
_PLACED = re.compile(r"\*\*(?=\d)")


def draft_due(findings: Findings) -> Draft | None:
    """For each product that is pinned what came after; None for a question that isn't a list of pins."""
    pinned = {pin.product: pin for pin in findings.query.pins if pin.product}
    if not pinned:
        return None
    lacking = tuple(dict.fromkeys(safe(pin.name) for pin in findings.query.pins if not pin.product))
    absent = f"No notes of {_few(lacking, ', ')} are in the library." if lacking else ""
    due, current = _split(findings, tuple(pinned.values()))
    if len(pinned) == 1 and due:
        draft = _draft_one(findings, *due[0])
        return replace(draft, lead=" ".join(filter(None, (absent, draft.lead))))
    drafts = [(product, _draft_one(findings, product, pin)) for product, pin in due[:_STATED]]
    # What is before the colon is whether to upgrade.
    clauses = [
        f"**{_newest_of(product)}**: {words[:1].lower()}{words[1:]}"
        for product, draft in drafts
        for words in [draft.lead.partition(":")[0]]
    ]
    clauses += [f"**{_newest_of(product)}**" for product, _ in due[_STATED:]]
    lead = f"{_few(clauses, '; ')}." if clauses else ""
    each = max(1, _STATED // len(pinned))
    stated = [_of_product(product, statement) for product, draft in drafts for statement in draft.statements[:each]]
    stated += [statement for product in current for statement in _say_newest(findings, product)]
    return Draft(Status.ANSWERED, " ".join(filter(None, (lead, absent))), tuple(stated[:_STATED]))


def _split(
    findings: Findings, pins: Sequence[Pin]
) -> tuple[list[tuple[CatalogueProduct, Pin]], list[CatalogueProduct]]:
    due, current = [], []
    for pin in pins:
        (product,) = findings.index.products_named((pin.product,))
        newest = next(iter(stable_releases(product.releases)), None)
        if newest is None or newest.version <= pin.version:
            current.append(product)
        else:
            due.append((product, pin))
    return due, current


def _draft_one(findings: Findings, product: CatalogueProduct, pin: Pin) -> Draft:
    newest = stable_releases(product.releases)[0]
    query = replace(
        findings.query,
        products=(product.name,),
        constraint=VersionConstraint.between(pin.version, newest.version),
        form=Form.SHOULD_UPGRADE,
        symbols=(),
    )
    found = draft_news(replace(findings, query=query))
    return found or Draft(Status.ANSWERED, "Nothing urgent:", _say_newest(findings, product))


def _say_newest(findings: Findings, product: CatalogueProduct) -> tuple[Statement, ...]:
    newest = tell_newest(findings, product)
    return (Statement(newest[0], (newest[1],)),) if newest and newest[1] else ()


def _of_product(product: CatalogueProduct, said: Statement) -> Statement:
    name = safe(product.name)
    placed = _PLACED.match(said.text)
    return replace(said, text=f"**{name} {said.text[2:]}" if placed else f"**{name}**: {said.text}", group="")


def _newest_of(product: CatalogueProduct) -> str:
    return f"{safe(product.name)} {stable_releases(product.releases)[0].version}"


def _few(words: Sequence[str], mark: str) -> str:
    more = len(words) - _NAMED
    return mark.join(words[:_NAMED]) + (f" and {more} more" if more > 0 else "")
