"""A conversation as HTML: each question a heading, below it how it was read, its answer and its sources."""

from retrieval.model import Status
from ui.rendering.markdown import render_markdown
from ui.web.ask.answer_html import render_answer_text, render_failure_html
from ui.web.ask.chips import read_chips, render_chips
from ui.web.ask.conflicts_html import render_conflicts
from ui.web.ask.conversation import Answered, Asking, Conversation, Failure, Turn
from ui.web.ask.feedback_html import render_feedback_html
from ui.web.ask.permalinks import render_permalink
from ui.web.ask.question_buttons import render_question_buttons
from ui.web.citation_cards import render_sources
from ui.web.escaping import escape


def render_turns(turns: Conversation) -> str:
    """All turns, oldest first; empty without any."""
    return "".join(render_turn(turn) for turn in turns)


def render_turn(turn: Turn) -> str:
    """One turn, with the address of its question for the address bar."""
    body = _failed(turn, turn.outcome) if isinstance(turn.outcome, Failure) else _found(turn, turn.outcome)
    return _article(turn.number, turn.asking, body, link=render_permalink(turn.asking))


def render_waiting(number: int, asking: Asking) -> str:
    """A question that is being answered."""
    lines = '<span class="rn-skeleton"></span>' * 3
    body = f'<div class="rn-loading"><p>Looking in the notes …</p><div aria-hidden="true">{lines}</div></div>'
    return _article(number, asking, body, link="")


def _article(number: int, asking: Asking, body: str, *, link: str) -> str:
    after = ""
    if asking.history:
        after = f'<p class="rn-after">After: {escape(" · ".join(asking.history[-2:]))}</p>' if number == 1 else ""
    heading = f"rn-asked-{number}"
    return (
        f'<article class="rn-turn" id="rn-turn-{number}" data-link="{escape(link)}" aria-labelledby="{heading}">{after}'
        f'<h2 class="rn-asked" id="{heading}">{escape(asking.question)}</h2>{body}</article>'
    )


def _failed(turn: Turn, failure: Failure) -> str:
    retry = (
        f'<p class="rn-tools"><button type="button" data-act="retry" data-turn="{turn.number}">Try again</button></p>'
        if failure.can_retry
        else ""
    )
    return f'<div role="alert">{render_failure_html(failure.message)}</div>{retry}'


def _found(turn: Turn, found: Answered) -> str:
    answer, prefix = found.answer, f"rn-t{turn.number}"
    sources = render_sources(answer.citations, found.surroundings, prefix)
    return (
        render_chips(read_chips(turn.asking, answer.interpretation), turn=turn.number)
        + f'<div class="rn-body{" rn-with-sources" if sources else ""}"><div class="rn-main">'
        + render_answer_text(answer, prefix)
        + render_conflicts(answer.conflicts, answer.citations, prefix)
        + _near(found.near)
        + found.covered
        + _tools(turn, found)
        + f"</div>{sources}</div>"
    )


def _near(questions: tuple[str, ...] | None) -> str:
    if questions is None:
        return '<p class="rn-near-wait">Looking for near questions that the notes answer …</p>'
    asks = render_question_buttons(questions)
    return f'<section class="rn-near"><h3>Questions that the notes answer</h3>{asks}</section>' if asks else ""


def _tools(turn: Turn, found: Answered) -> str:
    answer = found.answer
    sure = "" if answer.status is Status.NOT_FOUND else f"{answer.confidence:.0%} sure · "
    return (
        '<div class="rn-tools">'
        f'<button type="button" data-copy="{escape(render_markdown(answer))}">Copy as Markdown</button>'
        f'<button type="button" data-copy-link="{escape(render_permalink(turn.asking))}">Copy link</button>'
        f"{render_feedback_html(turn)}"
        f'<span class="rn-meta">{sure}{answer.elapsed_ms:.0f} ms</span></div>'
    )
