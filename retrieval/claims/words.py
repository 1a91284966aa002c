"""Words of an assertion in a piece of evidence, and the sentence of it that is nearest to the assertion."""

from retrieval.claims.assertion import Assertion
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.figures import read_figures
from retrieval.question_words import QuestionWord
from retrieval.verification.status_words import stand_ins

SHARE_ABOVE = 0.9
"""What the headings hold counts a little less than what the item says itself."""


def closest(assertion: Assertion, evidence: Evidence, *, headings: bool = True) -> Statement:
    """The statement that holds most of the assertion, the first of several."""

    def shared(statement: Statement) -> float:
        words = sum(word.weight * word.met_by(statement.tokens) for word in (*assertion.words, *assertion.names))
        figures = {figure.text for figure in read_figures(statement.text)}
        return words + 2.0 * sum(figure.text in figures for figure in assertion.figures)

    return max((one for one in evidence.statements if headings or not one.is_heading), key=shared)


def held(word: QuestionWord, evidence: Evidence) -> float:
    same = stand_ins(word.tokens[0])
    own = 1.0 if not same.isdisjoint(evidence.own) else word.met_by(evidence.own)
    return max(own, SHARE_ABOVE * word.met_by(evidence.above))
