"""The measures that the Quality tab shows, in words for whoever hasn't read `evals/metrics.py`, which defines them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """A share of questions or citations, 0 to 1. `meaning` completes "The share of …"."""

    metric: str
    title: str
    meaning: str
    lower_is_better: bool = False


MEASURES = (
    Measure(
        "end_to_end",
        "Right from end to end",
        "all questions that got every key fact, or, where the documents hold no answer, were told so",
    ),
    Measure("answer_key", "Key facts given", "answerable questions whose answer or quotes hold every key fact"),
    Measure("recall@5", "Found in the first five", "the proving passages that are among the first five found"),
    Measure("citation_precision", "Citations that prove", "citations that overlap a proving passage"),
    Measure("citation_recall", "Proof cited", "answerable questions with a citation that covers a proving passage"),
    Measure("quote_verbatim", "Quotes word for word", "quotes that stand word for word in the document they name"),
    Measure(
        "false_answer_rate",
        "Answered without grounds",
        "questions without an answer in the documents that were answered all the same",
        lower_is_better=True,
    ),
    Measure(
        "over_abstention_rate",
        "Not found, though there",
        "answerable questions that were told there is nothing",
        lower_is_better=True,
    ),
)
_SUITES = {
    "corpus": "Bundled documents",
    "seeds": "Seed pages",
    "corpora-part": "Corpora, five projects",
    "corpora": "Corpora, all projects",
    "versions": "Versions of made-up products",
}


def suite_title(suite: str) -> str:
    """The suite in words; one that has none by its name."""
    return _SUITES.get(suite, suite)


def measure_of(metric: str) -> Measure:
    """The measure of that metric; the first where there is none."""
    return next((measure for measure in MEASURES if measure.metric == metric), MEASURES[0])


def kind_title(kind: str) -> str:
    """A kind of questions in words: `since_when` is "since when"."""
    return kind.replace("_", " ")
