"""What a click inside our own HTML asks the server for, checked: a browser may send anything."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.model import MAX_QUESTION_CHARACTERS, Facet
from ui.feedback.log import MAX_REASON_CHARACTERS

# One root element listens for all buttons in it, whatever HTML comes and goes inside.
ACT_SCRIPT = """
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
    """A click: what is to be done, and with which turn, facet, question or verdict."""

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
