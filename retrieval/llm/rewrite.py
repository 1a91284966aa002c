"""From a composed answer and what a language model made of it to an answer that keeps every promise of the first.

The extractive answer is always there; the model's sentences take its place only as far as its own quotes bear them.
"""

from collections.abc import Sequence
from dataclasses import replace

from corpus.model import Authority
from corpus.plain_words import readable
from retrieval.drafting import Composition, Draft
from retrieval.llm.sentences import Clause, Sentence, parse_reply
from retrieval.llm.writer import SentenceWriter, WriterError, gives_orders
from retrieval.model import Citation, Status
from retrieval.quoting.safe_text import safe
from retrieval.verification.support import is_supported

_OWN = frozenset((Authority.OFFICIAL, Authority.PROJECT))


def rewrite_answer(question: str, draft: Draft, composed: Composition, writer: SentenceWriter) -> Composition:
    """Let `writer` word `composed`, which was made of `draft`; the extractive answer where nothing of it can stand.

    A `not_found`, an answer without quotes, one that tells a conflict and one with a statement that its source takes
    back stay as they are, and nothing is sent. Quotes that give orders to language models aren't shown to it. `notes`
    says whose the words are.
    """
    takes_back = any(quote.retracted for statement in draft.statements for quote in statement.quotes)
    if composed.status is Status.NOT_FOUND or not composed.citations or composed.conflicts or takes_back:
        return composed
    shown = tuple(citation for citation in composed.citations if not gives_orders(citation))
    if not shown:
        return _noted(
            composed,
            "The language model wasn't asked: each quote gives orders to one. This answer is made of quotes alone.",
        )
    try:
        reply = parse_reply(writer.write(question, shown))
    except WriterError as error:
        return _noted(composed, f"The language model {error}. This answer is made of quotes alone.")
    kept: list[Sentence] = []
    for sentence in reply.sentences:
        checked = _check(sentence, shown)
        if checked is not None and checked not in kept:
            kept.append(checked)
    dropped = reply.uncited + len(reply.sentences) - len(kept)
    if not kept:
        return _noted(
            composed,
            f"Nothing that the language model {writer.name!r} wrote is supported by the quotes. This answer is made of "
            "quotes alone.",
        )
    left_out = f" {dropped} of its sentences {'was' if dropped == 1 else 'were'} left out." if dropped else ""
    note = f"Worded by the language model {writer.name!r}; each sentence was checked against its quotes.{left_out}"
    return _noted(_compose(kept, draft.lead, composed), note)


def _check(sentence: Sentence, citations: Sequence[Citation]) -> Sentence | None:
    """The sentence with the numbers that bear it; None where one of its clauses isn't borne."""
    clauses = tuple(_bear(clause, citations) for clause in sentence.clauses)
    return Sentence(clauses) if clauses and all(clause.numbers for clause in clauses) else None


def _bear(clause: Clause, citations: Sequence[Citation]) -> Clause:
    """The clause with the cited numbers that support it by themselves, else together; with none where they don't."""
    cited = [citation for citation in citations if citation.n in clause.numbers]
    alone = tuple(citation.n for citation in cited if is_supported(clause.text, (citation,)))
    together = tuple(citation.n for citation in cited) if not alone and is_supported(clause.text, cited) else ()
    return Clause(clause.text, alone or together)


def _compose(sentences: Sequence[Sentence], lead: str, composed: Composition) -> Composition:
    """Number the citations anew, in the order of first use; those that nothing cites are left out."""
    used = dict.fromkeys(n for sentence in sentences for clause in sentence.clauses for n in clause.numbers)
    numbers = {old: new for new, old in enumerate(used, start=1)}
    by_number = {citation.n: citation for citation in composed.citations}
    words = " ".join(
        "".join(
            _join(place, clause)
            + _speaker([by_number[n] for n in clause.numbers])
            + " "
            + "".join(f"[{numbers[n]}]" for n in clause.numbers)
            for place, clause in enumerate(sentence.clauses)
        )
        + "."
        for sentence in sentences
    )
    text = "\n\n".join(part for part in (lead, words) if part)
    return replace(composed, text=text, citations=tuple(replace(by_number[old], n=new) for old, new in numbers.items()))


def _join(place: int, clause: Clause) -> str:
    words = safe(readable(clause.text)).strip()
    return words if not place or words[:1] in ",;:" else f" {words}"


def _speaker(citations: Sequence[Citation]) -> str:
    """Who says it, where the project itself doesn't: what an analyst thinks must not become a fact."""
    if any(citation.authority in _OWN for citation in citations):
        return ""
    return f" ({', '.join(dict.fromkeys(citation.authority.value for citation in citations))})"


def _noted(composed: Composition, note: str) -> Composition:
    return replace(composed, notes=(*composed.notes, note))
