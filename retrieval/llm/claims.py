"""A language model that judges the claims of a text: a second judge beside ours, who shows where it stands.

Its verdict decides nothing by itself: `retrieval.claims.checking` lets a verdict stand where both judges come to it.
"""

from dataclasses import dataclass

from retrieval.llm.chat import CompletionError
from retrieval.llm.reader import Reader
from retrieval.llm.reply import ClaimReply
from retrieval.llm.request import choose_sentences, items_of, quote_sentences, word_claim_request
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """What a model makes of a claim, and by which words, as far as these were found."""

    verdict: str  # "supported", "contradicted" or "not_found".
    quotes: tuple[Quote, ...]


class ClaimReader:
    """Has a model judge claims within the time of one question, until that is over or a call fails. Of one thread."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._budget = reader.begin()
        self._judged = 0
        self._failure = ""

    def judge(self, claim: str, findings: Findings) -> JudgedClaim | None:
        """Return what the model makes of a claim by the first of what was found; None where it isn't asked any more."""
        shown = choose_sentences(items_of(hit.passage for hit in findings.outcome.hits), findings.index)
        if self._failure or not shown:
            return None
        try:
            reply = self._reader.ask(word_claim_request(claim, shown, findings.index), self._budget, ClaimReply)
        except CompletionError as error:
            self._failure = str(error)
            return None
        self._judged += 1
        return JudgedClaim(reply.verdict, tuple(quote_sentences(reply.answer, shown, findings.index)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What it had a say in, what that cost, and why it had no more."""
        judged = f"The language model {self._reader.name!r} judged too ({self._budget})." if self._judged else ""
        rest = "The rest" if self._judged else "This"
        failed = f"The language model {self._failure}. {rest} was judged without it." if self._failure else ""
        return tuple(filter(None, (judged, failed)))
