"""A language model as a second judge of a text's claims, which cites entries for its verdicts.

`retrieval.claims.evidence` accepts a verdict if both judges agree, or if the cited words support it.
"""

from collections.abc import Sequence
from itertools import chain, zip_longest

from retrieval.llm.chat import CompletionError
from retrieval.llm.reader import Budget, Reader
from retrieval.llm.reply import ClaimReply
from retrieval.llm.request import MOST_OF_CLAIM, choose_entries, quote_shown, word_claim_request
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

JudgedPart = tuple[str, Sequence[Quote]]  # "supported", "contradicted" or "not_found", and by which words.


class ClaimReader:
    """Has a model judge claims within the time of one question, until that is over or a call fails; for one thread."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._budget = Budget()
        self._judged = 0
        self._failure = ""

    def judge(self, parts: Sequence[str], findings: Sequence[Findings]) -> tuple[JudgedPart, ...]:
        """Return the model's verdict on each part of a claim by its best items; () without items or after a failure."""
        ranked = (sorted(of_part.scored, key=lambda item: -item.likeness) for of_part in findings)
        items = (item for item in chain.from_iterable(zip_longest(*ranked)) if item and not item.passage.is_foreign)
        shown = choose_entries(findings[0], items, limit=MOST_OF_CLAIM) if findings and not self._failure else ()
        if not shown:
            return ()
        try:
            reply = self._reader.ask(word_claim_request(parts, shown), self._budget, ClaimReply)
        except CompletionError as error:
            self._failure = str(error)
            return ()
        self._judged += 1
        index = findings[0].index
        judged = tuple((part.verdict, [*quote_shown([part.entry], shown, index)]) for part in reply.parts)
        return judged if len(judged) == len(parts) else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether the model judged, with the cost, then whether it failed, and why; nothing if it wasn't asked."""
        judged = f"The language model {self._reader.name!r} judged too ({self._budget})." if self._judged else ""
        failed = f"The language model {self._failure}. {'The rest' if judged else 'This'} was judged without it."
        return tuple(filter(None, (judged, failed * bool(self._failure))))
