"""What a question was understood as, as chips that take a wrong reading back with one click."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from retrieval.model import Facet, Form, Interpretation
from ui.web.ask.conversation import Asking
from ui.web.escaping import escape

_FORMS = {
    Form.WHATS_NEW: "what is new",
    Form.LATEST: "which releases there are",
    Form.EXISTS: "which releases there are",
    Form.SHOULD_UPGRADE: "whether to upgrade",
    Form.BREAKS: "what an upgrade breaks",
    Form.MIGRATE: "what to use instead",
    Form.ERROR: "what an error means",
    Form.SINCE_WHEN: "since when",
    Form.YES_NO: "yes or no",
    Form.VALUE: "a value",
    Form.SECURITY: "security",
    Form.COMPARE: "a comparison",
    Form.SYMPTOM: "what changed",
    Form.FACT: "a fact",
    Form.CHAT: "small talk",
}
_WORDS = {form.intent: words for form, words in _FORMS.items()}


class ChipAction(StrEnum):
    """What a click on a chip does to its question."""

    DROP = "drop"
    """This facet isn't read from it."""
    RESTORE = "restore"
    """It is read again."""
    UNFILTER = "unfilter"
    """The filter goes."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One facet as it was understood; without an `action` it only tells."""

    label: str
    text: str
    facet: Facet | None = None
    action: ChipAction | None = None


def read_chips(asking: Asking, interpretation: Interpretation) -> tuple[Chip, ...]:
    """The chips of a question, in the order product, version, names, intent."""
    return tuple(_chips(asking, interpretation))


def _chips(asking: Asking, read: Interpretation) -> Iterator[Chip]:
    if asking.product is not None:
        name = ", ".join(read.products) or asking.product
        yield Chip("Product filter", name, Facet.PRODUCT, ChipAction.UNFILTER)
    elif Facet.PRODUCT in asking.without:
        yield Chip("Product", "any", Facet.PRODUCT, ChipAction.RESTORE)
    elif read.products or read.unknown_products:
        absent = "" if read.products else " (not indexed)"
        name = ", ".join(read.products or read.unknown_products) + absent
        yield Chip("Product", name, Facet.PRODUCT, ChipAction.DROP)
    if asking.version is not None:
        yield Chip("Version filter", read.versions or asking.version, Facet.VERSION, ChipAction.UNFILTER)
    elif Facet.VERSION in asking.without:
        yield Chip("Version", "any", Facet.VERSION, ChipAction.RESTORE)
    elif read.versions is not None:
        yield Chip("Version", read.versions, Facet.VERSION, ChipAction.DROP)
    if read.symbols:
        yield Chip("Names", ", ".join(read.symbols))
    if Facet.INTENT in asking.without:
        yield Chip("Asks for", "anything", Facet.INTENT, ChipAction.RESTORE)
    elif read.intent == Form.FACT.intent:
        yield Chip("Asks for", _WORDS[read.intent])
    else:
        yield Chip("Asks for", _WORDS[read.intent], Facet.INTENT, ChipAction.DROP)


def render_chips(chips: tuple[Chip, ...], *, turn: int) -> str:
    """The chips of a turn as a list; empty without any."""
    if not chips:
        return ""
    items = "".join(f"<li>{_chip(chip, turn)}</li>" for chip in chips)
    return f'<ul class="rn-chips" aria-label="Understood as">{items}</ul>'


def _chip(chip: Chip, turn: int) -> str:
    label, text = escape(chip.label), escape(chip.text)
    words = f'<span class="rn-chip-label">{label}</span> <span class="rn-chip-text">{text}</span>'
    if chip.action is None or chip.facet is None:
        return f'<span class="rn-chip">{words}</span>'
    if chip.action is ChipAction.RESTORE:
        told, sign, state = f"Read the {chip.facet.value} from the question again", "↺", " rn-chip-off"
    else:
        told, sign, state = f"Ask again without {label.lower()} {text}", "×", ""
    return (
        f'<span class="rn-chip{state}">{words}<button type="button" data-act="{chip.action.value}" '
        f'data-facet="{chip.facet.value}" data-turn="{turn}" aria-label="{told}" title="{told}">'
        f'<span aria-hidden="true">{sign}</span></button></span>'
    )
