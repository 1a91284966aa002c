"""Ask: a conversation with follow-ups, the box that it is held in, and what happens in both."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from typing import Any, TypeAlias

import gradio as gr

from corpus.errors import RelnotesError
from retrieval.model import MAX_QUESTION_CHARACTERS
from ui.feedback.log import FEEDBACK_FILE, FeedbackLog
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.asking import answer_asking, feedback_of, find_fault, listed_product, look_nearby
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
from ui.web.ask.turn_html import THANKS, render_age_html, render_start_html, render_turns, render_waiting
from ui.web.controls import QUIETLY, PageAct, html_block, parse_act
from ui.web.html import escape, render_failure_html
from ui.web.services import PageServices, run_at_desk, tell_trouble

_ANY_PRODUCT = ("Any product", "")
_FOCUS_QUESTION = "() => { document.querySelector('#rn-question textarea').focus(); }"
_LONG_LINK = "The question of this link is longer than a question may be. Ask it in fewer words."
Changes: TypeAlias = dict[Any, Any]
"""New values of controls; what isn't in it stays."""


def add_ask_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    _AskTab(services, page)


class _AskTab:
    def __init__(self, services: PageServices, page: gr.Blocks) -> None:
        self._services = services
        self._feedback = FeedbackLog(services.settings.index / FEEDBACK_FILE, now=time.time)
        with gr.Column(elem_id="rn-ask-tab"):
            # First in the document, so that it is the first text box; the style puts it below the conversation.
            with gr.Column(elem_id="rn-composer"):
                with gr.Row(elem_classes="rn-ask"):
                    self._question = gr.Textbox(
                        label="Question",
                        placeholder="Ask about a release",
                        max_length=MAX_QUESTION_CHARACTERS,
                        max_lines=4,
                        scale=1,
                        autofocus=True,
                        elem_id="rn-question",
                    )
                    self._ask = gr.Button("Ask", variant="primary", scale=0, min_width=96, elem_id="rn-ask")
                with gr.Row(elem_classes="rn-filters"):
                    self._product = gr.Dropdown([_ANY_PRODUCT], value="", label="Product", elem_id="rn-product")
                    self._version = gr.Textbox(
                        label="Version",
                        placeholder="Any version",
                        max_lines=1,
                        max_length=MAX_FILTER_CHARACTERS,
                        elem_id="rn-version",
                    )
                    fresh = gr.Button("New conversation", scale=0, elem_id="rn-new", size="md")
                self._said = html_block("", elem_id="rn-said")
            self._start = html_block("", elem_id="rn-start", acts=True)
            self._earlier = html_block("", elem_id="rn-earlier", acts=True)
            self._answer = html_block("", elem_id="rn-answer", acts=True)
            self._age = html_block("", elem_id="rn-age")
        self._turns = gr.State(())
        filters = [self._question, self._product, self._version]
        outputs = [self._turns, self._earlier, self._answer, *filters, self._ask, self._said]
        # What the handlers give is as the controls take it. Gradio would make sure in a thread for each control, which
        # an answer then waits for again and again while others compute.
        quietly = QUIETLY | {"postprocess": False, "outputs": outputs}
        gr.on(
            [self._question.submit, self._ask.click, self._version.submit],
            self._submit,
            inputs=[*filters, self._turns],
            # What is asked while near questions are still looked for waits, in place of being dropped without a word.
            trigger_mode="always_last",
            **quietly,
        )
        clicks = [self._start.click, self._earlier.click, self._answer.click]
        gr.on(clicks, self._act, inputs=[self._turns], **quietly)
        fresh.click(self._begin_anew, js=_FOCUS_QUESTION, **quietly)
        page.load(self._greet, outputs=[self._start, self._age, self._product], **QUIETLY).then(
            self._ask_linked, inputs=[self._turns], **quietly
        )

    def _greet(self) -> Changes:
        try:
            with self._services.assistants.borrow() as assistant:
                products, updated = assistant.catalogue(), assistant.index.manifest.updated
        except RelnotesError as error:
            return {self._start: render_failure_html(tell_trouble(error))}
        return {
            self._start: render_start_html(products),
            self._age: render_age_html(products, updated=updated, today=date.today()),
            self._product: gr.Dropdown([_ANY_PRODUCT, *((known.name, known.name) for known in products)]),
        }

    def _begin_anew(self) -> Changes:
        texts = (self._earlier, self._answer, self._question, self._product, self._version, self._said)
        return {self._turns: (), **dict.fromkeys(texts, "")}

    async def _submit(
        self, question: str | None, product: str | None, version: str | None, turns: Conversation
    ) -> AsyncIterator[Changes]:
        """Ask what is in the box."""
        asked, version = (question or "").strip(), (version or "").strip()
        if not asked and turns:
            # The second of two clicks, which comes when the first one's question has been answered.
            yield {self._turns: gr.skip()}
            return
        asking = Asking(asked, history_for(turns), product=product or None, version=version or None)
        async for changes in self._answered(asking, next_number(turns), turns, empties=True):
            yield changes

    async def _ask_linked(self, turns: Conversation, request: gr.Request) -> AsyncIterator[Changes]:
        """Ask what the page's address holds, if it holds a question."""
        asking = parse_address(request.query_params.multi_items())
        if asking is None or turns:
            is_refused = asking is None and request.query_params.get("q", "").strip()
            yield {self._said: render_failure_html(_LONG_LINK) if is_refused else gr.skip()}
            return
        # By any of its names, for a link may be written by hand; the list takes only its own.
        yield {self._product: listed_product(asking.product, self._services), self._version: asking.version or ""}
        async for changes in self._answered(asking, 1, turns):
            yield changes

    async def _act(self, turns: Conversation, event: gr.EventData) -> AsyncIterator[Changes]:
        """Do what a button in our own HTML says."""
        act = parse_act(event._data)
        turn = find_turn(turns, act.turn) if act else None
        if act is not None and act.act == "ask":
            asking, number = Asking(act.question.strip(), history_for(turns)), next_number(turns)
            yield {self._product: "", self._version: ""}
        elif act is None or turn is None:
            yield {self._said: render_failure_html("That answer is no longer here. Ask its question again.")}
            return
        elif act.act == "feedback":
            yield await self._judge(act, turn, turns)
            return
        else:
            asking, number = turn.asking, turn.number
            if act.facet is not None and act.act in tuple(ChipAction):
                asking = asking.changed(ChipAction(act.act), act.facet)
            if act.act == ChipAction.UNFILTER:
                yield {self._product: asking.product or "", self._version: asking.version or ""}
        async for changes in self._answered(asking, number, turns):
            yield changes

    async def _answered(
        self, asking: Asking, number: int, turns: Conversation, *, empties: bool = False
    ) -> AsyncIterator[Changes]:
        """Answer in the place of turn `number`; the box is emptied where `empties`."""
        fault = find_fault(asking)
        if fault is not None:
            yield {self._said: render_failure_html(fault)}
            return
        if number == next_number(turns) or number == turns[-1].number:
            yield {
                self._earlier: render_turns(tuple(turn for turn in turns if turn.number != number)),
                self._answer: render_waiting(number, asking),
                self._question: "" if empties else gr.skip(),
                self._ask: gr.Button("Asking", interactive=False),
                self._said: "",
            }
        outcome = await answer_asking(asking, self._services)
        if isinstance(outcome, Answered) and outcome.near is None:
            yield self._shown(with_turn(turns, Turn(number, asking, outcome)))
            outcome = replace(outcome, near=await look_nearby(asking, self._services))
        turns = with_turn(turns, Turn(number, asking, outcome))
        yield {**self._shown(turns), self._turns: turns, self._ask: gr.Button("Ask", interactive=True)}

    def _shown(self, turns: Conversation) -> Changes:
        return {self._earlier: render_turns(turns[:-1]), self._answer: render_turns(turns[-1:])}

    async def _judge(self, act: PageAct, turn: Turn, turns: Conversation) -> Changes:
        if not isinstance(turn.outcome, Answered) or act.verdict is None:
            return {self._said: gr.skip()}
        feedback = feedback_of(turn.asking, turn.outcome.answer, good=act.verdict == "good", reason=act.reason)
        try:
            await run_at_desk(self._services.desk, lambda: self._feedback.add(feedback))
        except RelnotesError as error:
            return {self._said: render_failure_html(tell_trouble(error))}
        # The HTML stays as it is, with the cards that are open in it; the script puts the thanks there.
        said = f'<span data-judged="{turn.number}"></span><p>{escape(THANKS)}</p>'
        return {self._turns: with_turn(turns, replace(turn, is_judged=True)), self._said: said}
