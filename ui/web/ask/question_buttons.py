"""Questions that are asked with one click."""

from collections.abc import Sequence

from ui.web.escaping import escape


def render_question_buttons(questions: Sequence[str]) -> str:
    """A list of buttons, each asking its own words; empty without any."""
    if not questions:
        return ""
    asks = (
        f'<li><button type="button" data-act="ask" data-question="{escape(question)}">{_shown(question)}</button></li>'
        for question in questions
    )
    return f'<ul class="rn-questions">{"".join(asks)}</ul>'


def _shown(question: str) -> str:
    parts = question.split("`")
    if len(parts) != 3:
        return escape(question)
    return f"{escape(parts[0])}<code>{escape(parts[1])}</code>{escape(parts[2])}"
