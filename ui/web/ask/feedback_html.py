"""Thumbs below an answer, what is sent with them, and what is kept of it."""

from retrieval.model import Answer
from ui.feedback.log import MAX_REASON_CHARACTERS, CitedQuote, Feedback
from ui.web.ask.conversation import Asking, Turn

THANKS = "Thank you. Your feedback is kept with the question."
_KEPT = (
    "Sending keeps your question, its filters and earlier questions, the answer's status and its quotes on this "
    "server, for whoever looks after it. Who you are isn't kept."
)


def render_feedback_html(turn: Turn) -> str:
    """Two buttons, and the panel that one of them opens; or thanks, where the turn has been judged."""
    if turn.is_judged:
        return f'<p class="rn-thanks">{THANKS}</p>'
    panel = f"rn-feedback-{turn.number}"
    thumbs = "".join(
        f'<button type="button" class="rn-thumb" data-verdict="{verdict}" aria-expanded="false" '
        f'aria-controls="{panel}">{words}</button>'
        for verdict, words in (("good", "Good answer"), ("bad", "Bad answer"))
    )
    return (
        f"{thumbs}"
        f'<form class="rn-feedback" id="{panel}" hidden><label for="{panel}-reason">Why? (optional)</label>'
        f'<textarea id="{panel}-reason" name="reason" rows="2" maxlength="{MAX_REASON_CHARACTERS}"></textarea>'
        f'<p class="rn-kept">{_KEPT}</p>'
        f'<button type="button" class="rn-send" data-act="feedback" data-turn="{turn.number}">Send feedback</button>'
        '<button type="button" data-close>Cancel</button></form>'
    )


def feedback_of(asking: Asking, answer: Answer, *, good: bool, reason: str) -> Feedback:
    """What is kept of a verdict: the person presses a button that says so."""
    return Feedback(
        good=good,
        status=answer.status.value,
        confidence=answer.confidence,
        question=asking.question,
        history=asking.history,
        product=asking.product,
        version=asking.version,
        without=tuple(sorted(facet.value for facet in asking.without)),
        cited=tuple(CitedQuote(one.source, one.start, one.end, one.quote) for one in answer.citations),
        reason=reason.strip()[:MAX_REASON_CHARACTERS] or None,
    )
