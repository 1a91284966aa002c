"""Checking a text: its claims one by one, each by its parts, with the evidence that decides.

The way of a claim: split_parts → search → judge each of the nearest items → decide → verified citations. What isn't
sure enough is `unsure`: a wrong verdict costs a reviewer more than none.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from corpus.errors import UsageError
from corpus.index.reader import IndexReader
from retrieval.claims.because import say_against, say_decided, say_not_found, say_partly
from retrieval.claims.evidence import Finder, PartVerdict, agree, decide, judge_evidence, judge_quotes, search_part
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.claims.parts import split_parts, with_subject_of
from retrieval.claims.splitting import split_claims
from retrieval.deadline import left_s
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.findings import Findings
from retrieval.model import Citation, Status
from retrieval.quoting.quotes import Quote

if TYPE_CHECKING:
    from retrieval.llm.claims import ClaimReader

MAX_TEXT_CHARACTERS = 20_000
MAX_CLAIMS = 60
MAX_CITATIONS = 3
_MOST_PARTS = 6
_CLAIM_S = 3.0
"""What a claim of six parts takes: with less time left none is begun."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where evidence is looked for: the filters of the user, and what earlier claims of the text were about; and who
    judges it beside us."""

    product: str | None
    version: str | None
    reader: "ClaimReader | None"


def check_text(text: str, finder: Finder, *, product: str | None = None, version: str | None = None) -> ClaimCheck:
    """Check every claim of a text, the first 60 of more, for as long as somebody waits; the others are `not_found` and
    say that they weren't checked.

    Raises:
        UsageError: the text is empty or has more than 20,000 characters, or a filter is wrong.
    """
    started = time.perf_counter()
    if not text.strip():
        raise UsageError('The text is empty. Write a claim: relnotes cite "TorchScript was deprecated in 2.12".')
    if len(text) > MAX_TEXT_CHARACTERS:
        raise UsageError(
            f"The text has {len(text):,} characters, more than the {MAX_TEXT_CHARACTERS:,} that are checked at once. "
            "Check it in parts."
        )
    claims = split_claims(text)
    reader = finder.begin_claims()
    checked: list[CheckedClaim] = []
    check_part = cache(_check_part)
    about, before = product, ""
    for claim in claims[:MAX_CLAIMS]:
        if checked and left_s() < _CLAIM_S:
            break
        words = with_subject_of(before, claim.words or claim.text)
        stated = finder.understand_claim(words, product=product, version=version)
        if stated.product_stated and len(stated.products) == 1:
            about = stated.products[0]
        scope = _Scope(about if not stated.unknown_products else product, version, reader)
        checked.append(_check_claim(claim, words, finder, scope, check_part))
        before = words
    unchecked = f"Not checked: of a text {MAX_CLAIMS} claims are, or as many as its time allows. Check the rest alone."
    checked += [CheckedClaim(claim, Verdict.NOT_FOUND, unchecked, ()) for claim in claims[len(checked) :]]
    notes = reader.notes if reader else ()
    return ClaimCheck(text, tuple(checked), 1000 * (time.perf_counter() - started), notes)


def _check_claim(
    claim: Claim, words: str, finder: Finder, scope: _Scope, check_part: Callable[..., tuple[PartVerdict, str]]
) -> CheckedClaim:
    parts = split_parts(words)
    checked = [check_part(part, finder, scope) for part in parts[:_MOST_PARTS]]
    decisions = [decision for decision, _ in checked]
    reasons = [reason for _, reason in checked]
    verdict = _joint_verdict([decision.verdict for decision in decisions])
    citations = _cite(decisions, verdict, finder.index)
    if verdict is not Verdict.NOT_FOUND and not citations:
        return CheckedClaim(claim, Verdict.NOT_FOUND, "No quote of the sources could be verified.", ())
    is_mixed = all(decision.verdict is not verdict for decision in decisions)
    because = say_partly(decisions, reasons) if is_mixed else _first_reason(decisions, reasons, verdict)
    return CheckedClaim(claim, verdict, because, citations)


def _check_part(text: str, finder: Finder, scope: _Scope) -> tuple[PartVerdict, str]:
    findings = search_part(text, finder, product=scope.product, version=scope.version)
    evidence = judge_evidence(text, findings)
    decision = decide(text, evidence)
    passages = (hit.passage for hit in findings.outcome.hits)
    if scope.reader is not None and (judged := scope.reader.judge(text, passages, finder.index)):
        chosen = judge_quotes(text, judged.quotes, findings)
        decision = agree(decision, Verdict(judged.verdict), evidence, chosen)
    return decision, _reason(decision, findings, finder.index)


def _reason(decision: PartVerdict, findings: Findings, index: IndexReader) -> str:
    if decision.verdict is Verdict.NOT_FOUND:
        return say_not_found(findings)
    against = f" {say_against(decision.against, index)}" if decision.against else ""
    return say_decided(decision.verdict, decision.evidence[0], index) + against


def _joint_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    distinct = set(verdicts)
    if Verdict.UNSURE in distinct:
        return Verdict.UNSURE
    if len(distinct) == 1:
        return verdicts[0]
    if distinct & {Verdict.SUPPORTED, Verdict.PARTLY}:
        return Verdict.PARTLY
    return Verdict.CONTRADICTED


def _first_reason(decisions: Sequence[PartVerdict], reasons: Sequence[str], verdict: Verdict) -> str:
    return next(reason for decision, reason in zip(decisions, reasons, strict=True) if decision.verdict is verdict)


def _cite(decisions: Sequence[PartVerdict], verdict: Verdict, index: IndexReader) -> tuple[Citation, ...]:
    """The deciding evidence of each part, what refutes first, then what else bears it; verified and numbered."""
    quotes: list[Quote] = []
    for quote in _quotes(decisions, verdict):
        if len(quotes) < MAX_CITATIONS and not any(map(quote.overlaps, quotes)):
            quotes.append(quote)
    statements = tuple(Statement("", (quote,)) for quote in quotes)
    return tuple(
        citation for _, cited in verify_quotes(Draft(Status.ANSWERED, "", statements), index) for citation in cited
    )


def _quotes(decisions: Sequence[PartVerdict], verdict: Verdict) -> Iterator[Quote]:
    decided = sorted(
        (decision for decision in decisions if decision.evidence),
        key=lambda decision: decision.verdict is not Verdict.CONTRADICTED,
    )
    if verdict is Verdict.NOT_FOUND:
        return
    yield from (decision.evidence[0].quote for decision in decided)
    yield from (decision.against.quote for decision in decided if decision.against)
    yield from (other.quote for decision in decided for other in decision.evidence[1:])
