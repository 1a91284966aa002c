"""Claims with a language model: a second judge, whose verdict counts where ours is the same."""

import json
from collections.abc import Callable

import pytest
from chat_server import items_shown

from corpus.embedding import Embedder
from retrieval.answers.evidence import load_calibration
from retrieval.assistant import Assistant
from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
from retrieval.llm import ChatModel, CompletionError
from retrieval.llm.chat import Completion, Prompt

GONE = "`pump.spin()` was removed; call `pump.turn()` instead."
LIMIT = "The default of `pressure_limit` changed from 10 to 30 bar."


class Judging:
    """A model that judges each part so, by the entry with these words, and remembers the claims that it was shown."""

    name = "tiny"
    timeout_s = 5.0

    def __init__(self, verdict: str, words: str = "", reply: str = "") -> None:
        self._verdict, self._words, self._reply = verdict, words, reply
        self.claims: list[list[str]] = []

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        assert 0 < within_s <= self.timeout_s
        asked = json.loads(prompt.messages[1].content)
        self.claims.append([*asked["parts"].values()])
        entry = next((n for n, text in items_shown(asked).items() if self._words and self._words in text), 0)
        parts = [{"verdict": self._verdict, "entry": entry} for _ in asked["parts"]]
        return Completion(self._reply or json.dumps({"parts": parts}), 700, 40)


@pytest.fixture(scope="module")
def plain(library: Callable[[str], Assistant]) -> Assistant:
    return library("pump-opinion")


Cite = Callable[[ChatModel, str], ClaimCheck]


@pytest.fixture(scope="module")
def cite(plain: Assistant, default_embedder: Embedder) -> Cite:
    """Check a text with a model."""

    def check(model: ChatModel, text: str) -> ClaimCheck:
        return Assistant(plain.index, default_embedder, load_calibration(), model=model).cite(text)

    return check


def only(check: ClaimCheck) -> CheckedClaim:
    (checked,) = check.claims
    return checked


TRUE = "Pump 3.0.0 removed pump.spin()."
FALSE = "Pump 3.0.0 changed the default of pressure_limit from 30 to 10 bar."


def test_a_verdict_that_both_come_to_stands(cite: Cite, plain: Assistant) -> None:
    checked = only(cite(Judging("supported", GONE), TRUE))
    assert checked.verdict is only(plain.cite(TRUE)).verdict is Verdict.SUPPORTED
    assert any(GONE in cited.quote for cited in checked.citations)
    checked = only(cite(Judging("contradicted", LIMIT), FALSE))
    assert checked.verdict is only(plain.cite(FALSE)).verdict is Verdict.CONTRADICTED
    assert any(LIMIT in cited.quote for cited in checked.citations)


LIES = ("contradicted", GONE), ("contradicted", "It is fast."), ("not_found", ""), ("supported", "All is removed.")


@pytest.mark.parametrize(("verdict", "words"), LIES)
def test_a_lie_makes_no_claim_true_or_false(cite: Cite, verdict: str, words: str) -> None:
    told = only(cite(Judging(verdict, words), TRUE)).verdict
    assert told is (Verdict.SUPPORTED if verdict == "supported" else Verdict.UNSURE)
    told = only(cite(Judging("supported", LIMIT), FALSE)).verdict
    assert told is Verdict.UNSURE


def test_where_only_the_model_is_sure_its_words_must_bear_it(cite: Cite, plain: Assistant) -> None:
    late = "pump.spin() is gone since Pump 2.5.0."
    assert only(plain.cite(late)).verdict == "unsure"
    told = [only(cite(Judging(verdict, GONE), late)).verdict for verdict in ("supported", "contradicted")]
    assert told == ["unsure", "contradicted"]


def test_one_that_fails_is_asked_no_more_and_costs_nothing(cite: Cite, plain: Assistant) -> None:
    class Mute(Judging):
        def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
            super().complete(prompt, within_s=within_s)
            raise CompletionError("can't be reached")

    model = Mute("supported")
    check = cite(model, f"{TRUE} {FALSE}")
    assert check.claims == plain.cite(f"{TRUE} {FALSE}").claims
    assert len(model.claims) == 1
    assert check.notes == ("The language model can't be reached. This was judged without it.",)


@pytest.mark.parametrize("said", ["no", "[]", '{"parts": [{"verdict": "true"}]}', '{"parts": []}', '{"parts": [{}]}'])
def test_a_reply_that_cannot_be_read_counts_for_nothing(cite: Cite, plain: Assistant, said: str) -> None:
    assert cite(Judging("supported", reply=said), TRUE).claims == plain.cite(TRUE).claims
