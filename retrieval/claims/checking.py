"""Checking a text: its claims one by one, each by its parts, with the evidence that decides.

The steps for a claim: split_parts → search → judge each of the nearest items → decide → verified citations. A verdict
that isn't sure enough becomes `unsure`, because a wrong one costs a reviewer more than none.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import zip_longest

from corpus.deadline import left_s
from corpus.errors import UsageError
from corpus.index.reader import IndexReader
from corpus.plain_words import whole_characters
from retrieval.answers.catalogue_releases import describe_absence
from retrieval.answers.events import find_revert
from retrieval.answers.missing import begin_sentence, describe_missing, is_mentioned
from retrieval.answers.not_found import uncovered_release
from retrieval.blocks import NO_WORDS, Words, words_of
from retrieval.claims.evidence import (
    ClaimEvidence,
    Finder,
    PartVerdict,
    decide,
    judge_by_heading,
    judge_evidence,
    judge_quotes,
    reconcile,
    search_part,
)
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.claims.parts import split_parts, with_subject_of
from retrieval.claims.splitting import split_claims
from retrieval.judge.claims import Slot
from retrieval.model import Citation
from retrieval.quoting.composing import cite_quotes
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote
from retrieval.quoting.wording import render_quote, shorten

MAX_TEXT_CHARACTERS, MAX_CLAIMS, MAX_CITATIONS, _MOST_PARTS = 20_000, 60, 3, 6
_MAX_CLAIM_CHARACTERS = 1_000
_TOO_LONG = "Not checked: one sentence has over 1,000 characters. Split it."
_CLAIM_S = 3.0  # Time for a claim of six parts: with less left, no further claim is checked.
_PART_CHARACTERS, _WORDS_CHARACTERS = 120, 240
_DIFFERS = {
    Slot.VERSION: "The release differs.",
    Slot.NUMBER: "The number differs.",
    Slot.STATUS: "What happened differs.",
    Slot.SUBJECT: "The notes say this of something else.",
    Slot.REPLACEMENT: "The notes name another replacement.",
    Slot.CONDITION: "The condition differs.",
    Slot.DIRECTION: "The direction differs.",
}


def check_text(text: str, finder: Finder, *, product: str | None = None, version: str | None = None) -> ClaimCheck:
    """Check the first 60 claims of a text within the deadline; the others are reported as not checked.

    Raises:
        UsageError: the text is empty or has more than 20,000 characters, or a filter is wrong.
    """
    started, text = time.perf_counter(), whole_characters(text)
    if not text.strip():
        raise UsageError('The text is empty. Write a claim: relnotes cite "TorchScript was deprecated in 2.12".')
    if len(text) > MAX_TEXT_CHARACTERS:
        raise UsageError(
            f"The text has {len(text):,} characters, more than the {MAX_TEXT_CHARACTERS:,} that are checked at once. "
            "Check it in parts."
        )
    claims = split_claims(text)
    reader = finder.begin_claims()

    @cache
    def check_part(part: str, about: str | None) -> tuple[PartVerdict, Findings, tuple[ClaimEvidence, ...]]:
        findings = search_part(part, finder, product=about, version=version)
        if verdict := judge_by_heading(part, findings):
            return verdict, findings, ()
        evidence = () if _is_uncovered(findings) else judge_evidence(part, findings)
        decision = decide(part, evidence)
        is_supported = decision.verdict is Verdict.SUPPORTED
        if is_supported and (revert := find_revert(findings, decision.evidence[0].quote, at_once=True)):
            (against,) = judge_quotes(part, (revert,), findings)
            decision = replace(decision, verdict=Verdict.UNSURE, against=against)
        return decision, findings, evidence

    def check_parts(parts: Sequence[str], about: str | None) -> Iterator[tuple[PartVerdict, Words]]:
        checked = [check_part(part, about) for part in parts]
        # Parts that a heading decides aren't read by the model.
        to_read = [findings for _, findings, evidence in checked if evidence]
        judged = reader.judge(parts, to_read) if reader is not None and to_read else ()
        for (decision, findings, evidence), theirs in zip_longest(checked, judged):
            if theirs is not None and evidence:
                chosen = judge_quotes(decision.text, theirs[1], findings)
                decision = reconcile(decision, Verdict(theirs[0]), evidence, chosen)
            yield decision, _reason(decision, findings, finder.index)

    checked: list[CheckedClaim] = []
    about, before = product, ""
    for claim in claims[:MAX_CLAIMS]:
        if checked and left_s() < _CLAIM_S:
            break
        if len(claim.text) > _MAX_CLAIM_CHARACTERS:
            checked.append(CheckedClaim(claim, Verdict.NOT_FOUND, words_of(_TOO_LONG), ()))
            continue
        before = with_subject_of(before, claim.words or claim.text)
        stated = finder.understand_claim(before, product=product, version=version)
        if stated.product_stated and len(stated.products) == 1:
            about = stated.products[0]
        # Keep the product of earlier claims, unless this one names an unknown product.
        of_product = about if not stated.unknown_products else product
        parts = [*check_parts(split_parts(before)[:_MOST_PARTS], of_product)]
        checked.append(_combine_parts(claim, parts, finder.index))
    unchecked = f"Not checked: of a text {MAX_CLAIMS} claims are, or as many as its time allows. Check the rest alone."
    checked += [CheckedClaim(claim, Verdict.NOT_FOUND, words_of(unchecked), ()) for claim in claims[len(checked) :]]
    notes = reader.notes if reader else ()
    return ClaimCheck(text, tuple(checked), 1000 * (time.perf_counter() - started), notes)


def _combine_parts(claim: Claim, parts: Sequence[tuple[PartVerdict, Words]], index: IndexReader) -> CheckedClaim:
    """Return the claim with one verdict: UNSURE if a part's is, else PARTLY if only some parts are SUPPORTED."""
    verdicts = {decision.verdict for decision, _ in parts}
    if Verdict.UNSURE in verdicts:
        verdict = Verdict.UNSURE
    elif len(verdicts) == 1:
        (verdict,) = verdicts
    else:
        verdict = Verdict.PARTLY if Verdict.SUPPORTED in verdicts else Verdict.CONTRADICTED
    citations = _cite([decision for decision, _ in parts], index)
    if verdict is not Verdict.NOT_FOUND and not citations:
        return CheckedClaim(claim, Verdict.NOT_FOUND, words_of("No quote of the sources could be verified."), ())
    if verdict in verdicts:
        because = next(reason for decision, reason in parts if decision.verdict is verdict)
        return CheckedClaim(claim, verdict, because, citations)
    supported = next(decision for decision, _ in parts if decision.verdict is Verdict.SUPPORTED)
    other, reason = next(part for part in parts if part[0].verdict is not Verdict.SUPPORTED)
    fate = "refuted" if other.verdict is Verdict.CONTRADICTED else "not in the notes"
    right, wrong = (
        _quoted(shorten(part.text.rstrip(" ."), max_characters=_PART_CHARACTERS)) for part in (supported, other)
    )
    because = (
        "Borne out by " + _speaker(supported.evidence[0]) + ": " + right + ". But " + wrong + f" is {fate}: " + reason
    )
    return CheckedClaim(claim, verdict, because, citations)


def _reason(decision: PartVerdict, findings: Findings, index: IndexReader) -> Words:
    """Return the reason for a verdict: the source for or against the part, the one to read, or why there is none."""

    def attributed(evidence: ClaimEvidence, how: str) -> Words:
        text = index.document_text(evidence.quote.passage.document.id)
        words = render_quote(evidence.quote, text, max_characters=_WORDS_CHARACTERS)
        return _speaker(evidence) + f" {how}: " + _quoted(": ".join(filter(None, words)))

    if decision.verdict is Verdict.NOT_FOUND:
        return words_of(_why_not_found(findings))
    first, against = decision.evidence[0], decision.against
    otherwise = " " + attributed(against, "says otherwise") if against else NO_WORDS
    if decision.verdict is Verdict.SUPPORTED:
        return attributed(first, "says so") + otherwise
    is_refuted = decision.verdict is Verdict.CONTRADICTED
    differs = "Whether this bears it out isn't sure."
    if is_refuted:
        differs = (
            _DIFFERS[first.judgement.slot] if first.judgement.contradicted >= 1 / 2 else "The notes say otherwise."
        )
    return f"{differs} " + attributed(first, "says") + otherwise


def _quoted(words: str) -> Words:
    return "“" + words_of(words) + "”"


def _why_not_found(findings: Findings) -> str:
    """Return why nothing was found: the product, the release or a name is missing, or the notes are silent."""
    query = findings.query
    if query.unknown_products:
        return f"No release notes of {' or '.join(query.unknown_products)} are in the library."
    missing = uncovered_release(findings)
    if missing is not None:
        return describe_absence(missing, query.constraint)
    if names := tuple(name.text for name in findings.focus.names if not is_mentioned(findings, name.text)):
        return begin_sentence(describe_missing(findings, names))
    where = f" of {' and '.join(query.products)}" if query.products else ""
    return f"The library's notes{where} neither say this nor deny it."


def _is_uncovered(findings: Findings) -> bool:
    """Return whether a claim is about a product that isn't in the library, or of none with a name in no note."""
    query = findings.query
    names = [word.text for word in findings.focus.names if word.text[0].isupper() and not query.product_stated]
    return bool(query.unknown_products) or not all(is_mentioned(findings, name) for name in names)


def _speaker(evidence: ClaimEvidence) -> Words:
    """Return product, release and authority: "Django 4.2 (official)"."""
    passage = evidence.quote.passage
    place = " ".join(str(part) for part in (passage.document.product, passage.release) if part)
    return words_of(place) + f" ({passage.document.authority.value})"


def _cite(decisions: Sequence[PartVerdict], index: IndexReader) -> tuple[Citation, ...]:
    """Return at most three verified citations: each part's deciding evidence, contradictions first, then the rest."""
    ordered = sorted(decisions, key=lambda decision: decision.verdict is not Verdict.CONTRADICTED)
    evidence = [first for decision in ordered for first in decision.evidence[:1]]
    evidence += [decision.against for decision in ordered if decision.against]
    evidence += [further for decision in ordered for further in decision.evidence[1:]]
    quotes: list[Quote] = []
    for cited in evidence:
        if len(quotes) < MAX_CITATIONS and not any(map(cited.quote.overlaps, quotes)):
            quotes.append(cited.quote)
    return tuple(filter(None, cite_quotes(quotes, index)))
