"""What happens in the Ask tab: a question is asked, a reading is taken back, an answer is judged."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, TypeAlias

import gradio as gr

from corpus.errors import RelnotesError
from ui.feedback.log import FEEDBACK_FILE, FeedbackLog
from ui.web.ask.asking import answer_asking, feedback_of, find_fault, look_nearby
from ui.web.ask.conversation import (
    Answered,
    Asking,
    ChipAction,
    Conversation,
    Turn,
    find_turn,
    history_for,
    next_number,
    parse_address,
    with_turn,
)
from ui.web.ask.turn_html import THANKS, render_turns, render_waiting
from ui.web.controls import PageAct, parse_act
from ui.web.html import escape, render_failure_html
from ui.web.services import PageServices, run_at_desk, tell_trouble

_NOTHING = gr.skip()
_LONG_LINK = "The question of this link is longer than a question may be. Ask it in fewer words."
Changes: TypeAlias = tuple[Any, ...]


def changes(
    *,
    turns: Conversation | None = None,
    earlier: str | None = None,
    answer: str | None = None,
    question: str | None = None,
    product: str | None = None,
    version: str | None = None,
    ask: Any = None,
    said: str | None = None,
) -> Changes:
    """The values of the tab's controls, in their order; what isn't given stays."""
    values = (turns, earlier, answer, question, product, version, ask, said)
    return tuple(_NOTHING if value is None else value for value in values)


def begin_anew() -> Changes:
    """An empty conversation and empty boxes."""
    return changes(turns=(), earlier="", answer="", question="", product="", version="", said="")


class AskHandlers:
    """What the tab's events do; the values they give are those of `changes`."""

    def __init__(self, services: PageServices) -> None:
        self._services = services
        self._feedback = FeedbackLog(services.settings.index / FEEDBACK_FILE, now=time.time)

    async def submit(
        self, question: str | None, product: str | None, version: str | None, turns: Conversation
    ) -> AsyncIterator[Changes]:
        """Ask what is in the box."""
        asked, version = (question or "").strip(), (version or "").strip()
        if not asked and turns:
            # The second of two clicks, which comes when the first one's question has been answered.
            yield changes()
            return
        asking = Asking(asked, history_for(turns), product=product or None, version=version or None)
        async for step in self._ask(asking, next_number(turns), turns, question=""):
            yield step

    async def ask_linked(self, turns: Conversation, request: gr.Request) -> AsyncIterator[Changes]:
        """Ask what the page's address holds, if it holds a question."""
        asking = parse_address(request.query_params.multi_items())
        if asking is None or turns:
            is_refused = asking is None and request.query_params.get("q", "").strip()
            yield changes(said=_say(_LONG_LINK)) if is_refused else changes()
            return
        # By any of its names, for a link may be written by hand; the list takes only its own.
        yield changes(product=self.listed_product(asking.product), version=asking.version or "")
        async for step in self._ask(asking, 1, turns):
            yield step

    async def act(self, turns: Conversation, event: gr.EventData) -> AsyncIterator[Changes]:
        """Do what a button in our own HTML says."""
        act = parse_act(event._data)
        turn = find_turn(turns, act.turn) if act else None
        if act is not None and act.act == "ask":
            asking = Asking(act.question.strip(), history_for(turns))
            yield changes(product="", version="")
            async for step in self._ask(asking, next_number(turns), turns):
                yield step
        elif act is None or turn is None:
            yield changes(said=_say("That answer is no longer here. Ask its question again."))
        elif act.act == "feedback":
            yield await self._judge(act, turn, turns)
        else:
            asking = turn.asking
            if act.facet is not None and act.act in tuple(ChipAction):
                asking = asking.changed(ChipAction(act.act), act.facet)
            if act.act == ChipAction.UNFILTER:
                yield changes(product=asking.product or "", version=asking.version or "")
            async for step in self._ask(asking, turn.number, turns):
                yield step

    def listed_product(self, name: str | None) -> str:
        """The product that goes by `name` as the list of products has it; empty where there is none."""
        try:
            return next((known.name for known in self._services.catalogue() if name and known.is_called(name)), "")
        except RelnotesError:
            return ""

    async def _ask(
        self, asking: Asking, number: int, turns: Conversation, *, question: str | None = None
    ) -> AsyncIterator[Changes]:
        """Answer in the place of turn `number`; `question` is what the box holds meanwhile, None: what it held."""
        fault = find_fault(asking)
        if fault is not None:
            yield changes(said=_say(fault))
            return
        is_last = number == next_number(turns) or number == turns[-1].number
        if is_last:
            before = tuple(turn for turn in turns if turn.number != number)
            yield changes(
                earlier=render_turns(before),
                answer=render_waiting(number, asking),
                question=question,
                ask=gr.Button("Asking", interactive=False),
                said="",
            )
        outcome = await answer_asking(asking, self._services)
        if isinstance(outcome, Answered) and outcome.near is None:
            shown = with_turn(turns, Turn(number, asking, outcome))
            yield changes(earlier=render_turns(shown[:-1]), answer=render_turns(shown[-1:]))
            outcome = replace(outcome, near=await look_nearby(asking, self._services))
        turns = with_turn(turns, Turn(number, asking, outcome))
        yield changes(
            turns=turns,
            earlier=render_turns(turns[:-1]),
            answer=render_turns(turns[-1:]),
            ask=gr.Button("Ask", interactive=True),
        )

    async def _judge(self, act: PageAct, turn: Turn, turns: Conversation) -> Changes:
        if not isinstance(turn.outcome, Answered) or act.verdict is None:
            return changes()
        answer = turn.outcome.answer
        feedback = feedback_of(turn.asking, answer, good=act.verdict == "good", reason=act.reason)
        try:
            await run_at_desk(self._services.desk, lambda: self._feedback.add(feedback))
        except RelnotesError as error:
            return changes(said=_say(tell_trouble(error)))
        # The HTML stays as it is, with the cards that are open in it; the script puts the thanks there.
        return changes(turns=with_turn(turns, replace(turn, is_judged=True)), said=_say(THANKS, judged=turn.number))


def _say(message: str, *, judged: int | None = None) -> str:
    if judged is None:
        return render_failure_html(message)
    return f'<span data-judged="{judged}"></span><p>{escape(message)}</p>'
