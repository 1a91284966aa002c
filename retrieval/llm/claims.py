"""A language model that judges the claims of a text: a second judge beside ours, who shows where it stands.

`retrieval.claims.evidence` lets its verdict stand where both judges come to it, or where its words bear that.
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
    """Has a model judge claims within the time of one question, until that is over or a call fails. Of one thread."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._budget = Budget()
        self._judged = 0
        self._failure = ""

    def judge(self, parts: Sequence[str], found: Sequence[Findings]) -> tuple[JudgedPart, ...]:
        """Return what the model makes of the parts of a claim by the first of what was found for each; nothing where it
        isn't asked any more, or doesn't judge each of them."""
        ranked = (sorted(one.scored, key=lambda item: -item.likeness) for one in found)
        items = (one for one in chain.from_iterable(zip_longest(*ranked)) if one and not one.passage.is_foreign)
        shown = choose_entries(found[0], items, limit=MOST_OF_CLAIM) if found and not self._failure else ()
        if not shown:
            return ()
        try:
            reply = self._reader.ask(word_claim_request(parts, shown), self._budget, ClaimReply)
        except CompletionError as error:
            self._failure = str(error)
            return ()
        self._judged += 1
        index = found[0].index
        judged = tuple((one.verdict, [*quote_shown([one.entry], shown, index)]) for one in reply.parts)
        return judged if len(judged) == len(parts) else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What it had a say in, what that cost, and why it had no more."""
        judged = f"The language model {self._reader.name!r} judged too ({self._budget})." if self._judged else ""
        failed = f"The language model {self._failure}. {'The rest' if judged else 'This'} was judged without it."
        return tuple(filter(None, (judged, failed * bool(self._failure))))
