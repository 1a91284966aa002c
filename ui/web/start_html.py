"""The page before the first question: what there is to ask about, and questions to begin with."""

from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct
from ui.web.coverage_html import render_coverage_html
from ui.web.examples import example_questions
from ui.web.question_buttons import render_question_buttons


def render_start_html(products: Sequence[CatalogueProduct]) -> str:
    """What the index covers, and questions that fit it as buttons."""
    questions = render_question_buttons(example_questions(products))
    examples = f"<h2>Try one of these</h2>{questions}" if questions else ""
    return f'<div class="rn-start">{render_coverage_html(products)}{examples}</div>'
