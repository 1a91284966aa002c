"""What is due for products that are pinned (`retrieval.products.pins`): each is answered as an upgrade from its release
to the newest stable one.
"""

from collections.abc import Sequence
from dataclasses import replace

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue import tell_newest
from retrieval.answers.news import draft_news
from retrieval.composing import Draft, Statement
from retrieval.findings import Findings
from retrieval.model import Form, Status
from retrieval.quoting.safe_text import safe

_STATED, _NAMED = 6, 3
"""Statements of all products together, and of how many the lead speaks. A matter of display."""


def draft_due(findings: Findings) -> Draft | None:
    """For each product that is pinned what came after; None for a question that isn't a list of pins."""
    pinned = {pin.product: pin.version for pin in findings.query.pins if pin.product}
    if not pinned:
        return None
    lacking = tuple(dict.fromkeys(safe(pin.name) for pin in findings.query.pins if not pin.product))
    absent = f"No notes of {_few(lacking, ', ')} are in the library." if lacking else ""
    due: list[tuple[CatalogueProduct, Version, Version]] = []
    current: list[Statement] = []
    for name, version in pinned.items():
        (product,) = findings.index.products_named((name,))
        newest = next((release.version for release in stable_releases(product.releases)), None)
        if newest is not None and newest > version:
            due.append((product, version, newest))
        else:
            current += _state_newest(findings, product)
    clauses: list[str] = []
    stated: list[Statement] = []
    for product, version, newest in due:
        name = f"**{safe(product.name)} {newest}**"
        if len(clauses) >= _STATED:
            clauses.append(name)
            continue
        query = replace(
            findings.query,
            products=(product.name,),
            constraint=VersionConstraint.between(version, newest),
            form=Form.SHOULD_UPGRADE,
            symbols=(),
        )
        draft = draft_news(replace(findings, query=query))
        draft = draft or Draft(Status.ANSWERED, "Nothing urgent:", _state_newest(findings, product))
        if len(pinned) == 1:
            return replace(draft, lead=" ".join(filter(None, (absent, draft.lead))))
        # What is before the colon is whether to upgrade.
        words = draft.lead.partition(":")[0]
        clauses.append(f"{name}: {words[:1].lower()}{words[1:]}")
        told = draft.statements[: max(1, _STATED // len(pinned))]
        stated += [replace(said, text=f"**{safe(product.name)}**: {said.text}", group="") for said in told]
    lead = f"{_few(clauses, '; ')}." if clauses else ""
    return Draft(Status.ANSWERED, " ".join(filter(None, (lead, absent))), (*stated, *current)[:_STATED])


def _state_newest(findings: Findings, product: CatalogueProduct) -> tuple[Statement, ...]:
    newest = tell_newest(findings, product)
    return (Statement(*newest),) if newest and newest[1] else ()


def _few(words: Sequence[str], mark: str) -> str:
    more = len(words) - _NAMED
    return mark.join(words[:_NAMED]) + (f" and {more} more" if more > 0 else "")
