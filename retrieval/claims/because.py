"""What is said of a verdict, for people: what differs, and who says so."""

from collections.abc import Sequence

from corpus.index.reader import IndexReader
from retrieval.answers.catalogue_releases import describe_absence
from retrieval.answers.not_found import names_nothing_indexed, uncovered_release
from retrieval.claims.entailment import Slot
from retrieval.claims.evidence import ClaimEvidence, PartVerdict, unknown_names
from retrieval.claims.model import Verdict
from retrieval.drafting import shorten, wording
from retrieval.findings import Findings
from retrieval.quoting.safe_text import safe

_PART_CHARACTERS = 120
_WORDS_CHARACTERS = 240
_NAMED = 3
_DIFFERS = {
    Slot.VERSION: "The release differs.",
    Slot.NUMBER: "The number differs.",
    Slot.STATUS: "What happened differs.",
    Slot.SUBJECT: "What it happened to differs.",
    Slot.REPLACEMENT: "What takes its place differs.",
    Slot.CONDITION: "The condition differs.",
    Slot.DIRECTION: "The direction differs.",
}


def say_decided(verdict: Verdict, one: ClaimEvidence, index: IndexReader) -> str:
    """Who says it, or what differs and who says so, or what to read without a word of what it means for the claim."""
    if verdict is Verdict.SUPPORTED:
        return f"{speaker(one)} says so: {_words(one, index)}"
    is_refuted = verdict is Verdict.CONTRADICTED
    differs = _DIFFERS[one.judgement.slot] if is_refuted else "Whether this bears it out isn't sure."
    return f"{differs} {speaker(one)} says: {_words(one, index)}"


def say_against(one: ClaimEvidence, index: IndexReader) -> str:
    """Who else says otherwise."""
    return f"{speaker(one)} says otherwise: {_words(one, index)}"


def say_not_found(findings: Findings) -> str:
    """Why nothing was found: the product, the release, a name that no passage holds, or just silence."""
    query = findings.query
    if query.unknown_products:
        return f"No release notes of {' or '.join(map(safe, query.unknown_products))} are in the library."
    if names_nothing_indexed(query):
        return f"No release in the notes is dated {safe(query.versions_named_as)}."
    missing = uncovered_release(findings)
    if missing is not None:
        return describe_absence(missing, query.constraint)
    names = [f"`{name.replace('`', '')}`" for name in unknown_names(findings)]
    if names:
        return f"Nothing in the library mentions {' or '.join(names[:_NAMED])}."
    where = f" of {safe(' and '.join(query.products))}" if query.products else ""
    return f"The library's notes{where} neither say this nor deny it."


def say_partly(decisions: Sequence[PartVerdict], reasons: Sequence[str]) -> str:
    """Which part is borne out, and what becomes of the first one that isn't."""
    borne = next(decision for decision in decisions if decision.verdict is Verdict.SUPPORTED)
    other, reason = next(
        (decision, reason)
        for decision, reason in zip(decisions, reasons, strict=True)
        if decision.verdict is not Verdict.SUPPORTED
    )
    fate = "refuted" if other.verdict is Verdict.CONTRADICTED else "not in the notes"
    return f"Borne out by {speaker(borne.evidence[0])}: “{_part(borne)}”. But “{_part(other)}” is {fate}: {reason}"


def speaker(one: ClaimEvidence) -> str:
    """Product, release and authority: "Django 4.2 (official)"."""
    passage = one.quote.passage
    place = " ".join(part for part in (passage.document.product, passage.release) if part)
    return f"{safe(place)} ({passage.document.authority.value})"


def _words(one: ClaimEvidence, index: IndexReader) -> str:
    text = index.document_text(one.quote.passage.document.id)
    return f"“{wording(one.quote, text, max_characters=_WORDS_CHARACTERS)}”"


def _part(decision: PartVerdict) -> str:
    return safe(shorten(decision.text.rstrip(" ."), max_characters=_PART_CHARACTERS))
