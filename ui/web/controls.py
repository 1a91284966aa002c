"""Controls that several tabs need, made the one way that the page can use them, and clicks inside our own HTML."""

from typing import Annotated, Any

import gradio as gr
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.model import MAX_QUESTION_CHARACTERS, Facet
from ui.feedback.log import MAX_REASON_CHARACTERS

QUIETLY: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": None, "show_progress": "hidden"}
"""How events are wired: for the page alone, as many at once as come, without Gradio's sign that something is done."""
SHOWN = QUIETLY | {"show_progress": "minimal"}
"""Those that take a while."""
# One root element listens for all buttons in it, whatever HTML comes and goes inside.
_ACT_SCRIPT = """
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (!button || document.querySelector("#rn-ask-tab :is(.rn-loading, .rn-near-wait)")) return;
  const told = { ...button.dataset };
  const form = button.closest("form");
  if (form) { told.verdict = form.dataset.verdict; told.reason = form.querySelector("textarea").value; }
  trigger("click", told);
});
"""


class PageAct(BaseModel):
    """A click: what is to be done, and with which turn, facet, question or verdict. A browser may send anything."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    act: Annotated[str, Field(pattern="^(ask|drop|restore|unfilter|retry|feedback)$")]
    turn: int = 0
    facet: Facet | None = None
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARACTERS)] = ""
    verdict: Annotated[str, Field(pattern="^(good|bad)$")] | None = None
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARACTERS)] = ""


def parse_act(data: Any) -> PageAct | None:
    """The click that an event tells of; None where it is none of ours."""
    try:
        return PageAct.model_validate(data)
    except ValidationError:
        return None


def html_block(value: str, *, elem_id: str | None = None, acts: bool = False) -> gr.HTML:
    """HTML of our own, without Gradio's styles and scripts; what is put into it is escaped by `ui.web.html`.

    With `acts`, its buttons that have a `data-act` trigger the event `click`, of which `parse_act` tells.
    """
    script = _ACT_SCRIPT if acts else None
    return gr.HTML(value, elem_id=elem_id, js_on_load=script, apply_default_css=False)
