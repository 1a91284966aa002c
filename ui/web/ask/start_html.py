"""The page before the first question: what there is to ask about, and questions to begin with."""

from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct
from ui.web.ask.coverage_html import render_coverage_html
from ui.web.ask.examples import example_questions
from ui.web.ask.question_buttons import render_question_buttons

# Filled by asked_before.js, for only the browser knows them.
_ASKED_BEFORE = (
    '<div id="rn-before" hidden><h2>Asked before, in this browser</h2><ul class="rn-questions"></ul>'
    '<button type="button" class="rn-button rn-quiet" data-forget>Forget these</button></div>'
)


def render_start_html(products: Sequence[CatalogueProduct]) -> str:
    """What the index covers, questions that fit it as buttons, and room for those asked before."""
    questions = render_question_buttons(example_questions(products))
    examples = f"<h2>Try one of these</h2>{questions}" if questions else ""
    return f'<div class="rn-start">{render_coverage_html(products)}{examples}{_ASKED_BEFORE}</div>'
