"""The Ask tab as HTML: the turns of a conversation, and what the index covers and how old it is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from markupsafe import Markup

from corpus.catalogue import CatalogueProduct
from retrieval.answers.coverage import describe_product
from retrieval.model import Facet, Form, Interpretation
from ui.feedback.log import MAX_REASON_CHARACTERS
from ui.rendering.answer_markdown import render_markdown
from ui.web.ask.conversation import Answered, Asking, ChipAction, Conversation, Turn
from ui.web.ask.examples import example_questions, largest_products
from ui.web.html import render

THANKS = "Thank you. Your feedback is kept with the question."
_NAMED_PRODUCTS = 6
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


@dataclass(frozen=True, slots=True)
class Chip:
    """One facet as it was understood; without an `action` it only tells."""

    label: str
    text: str
    facet: Facet | None = None
    action: ChipAction | None = None


def render_turns(turns: Conversation) -> str:
    """All turns, oldest first; empty without any."""
    return Markup("").join(map(render_turn, turns))


def render_turn(turn: Turn) -> Markup:
    """One turn, with the address of its question for the address bar."""
    found = turn.outcome
    return render(
        "ask",
        "turn",
        turn=turn,
        link=turn.asking.address,
        chips=tuple(read_chips(turn.asking, found.answer.interpretation)) if isinstance(found, Answered) else (),
        copied=render_markdown(found.answer) if isinstance(found, Answered) else "",
        most_characters=MAX_REASON_CHARACTERS,
        thanks=THANKS,
    )


def render_waiting(number: int, asking: Asking) -> str:
    """A question that is being answered."""
    return render("ask", "waiting", number=number, asking=asking)


def read_chips(asking: Asking, read: Interpretation) -> Iterator[Chip]:
    """The chips of a question, in the order product, version, names, intent."""
    unknown = f"{', '.join(read.unknown_products)} (not indexed)" if read.unknown_products else None
    for facet, asked, understood in (
        (Facet.PRODUCT, asking.product, ", ".join(read.products) or unknown),
        (Facet.VERSION, asking.version, read.versions),
    ):
        label = facet.value.capitalize()
        if asked is not None:
            yield Chip(f"{label} filter", understood or asked, facet, ChipAction.UNFILTER)
        elif facet in asking.without:
            yield Chip(label, "any", facet, ChipAction.RESTORE)
        elif understood:
            yield Chip(label, understood, facet, ChipAction.DROP)
    if read.symbols:
        yield Chip("Names", ", ".join(read.symbols))
    if Facet.INTENT in asking.without:
        yield Chip("Asks for", "anything", Facet.INTENT, ChipAction.RESTORE)
    elif read.intent == Form.FACT.intent:
        yield Chip("Asks for", _FORMS[Form.FACT])
    else:
        words = next(words for form, words in _FORMS.items() if form.intent == read.intent)
        yield Chip("Asks for", words, Facet.INTENT, ChipAction.DROP)


def render_start_html(products: Sequence[CatalogueProduct]) -> str:
    """What the index covers, questions that fit it as buttons, and room for those asked before."""
    return render("ask", "start", covered=render_coverage_html(products), examples=example_questions(products))


def render_coverage_html(products: Sequence[CatalogueProduct]) -> Markup:
    """One line on what the index covers: products with their versions."""
    named = [(product.name, _version_range(product)) for product in largest_products(products, _NAMED_PRODUCTS)]
    documents = sum(product.documents for product in products)
    return render("ask", "coverage", named=named, rest=len(products) - len(named), documents=documents)


def render_age_html(products: Sequence[CatalogueProduct], *, updated: str, today: date) -> str:
    """How old the notes are: the newest dated release, and the day of the last ingest (`updated`, ISO 8601).

    Empty for an empty index.
    """
    if not products:
        return ""
    days = [(release.date, product, release) for product in products for release in product.releases if release.date]
    _, product, dated = max(days, key=lambda known: (known[0], known[1].passages), default=(None, products[0], None))
    # Where the newest release doesn't say when it came out, the newest day is told with the release it belongs to.
    is_newest = dated is None or product.releases[0].version <= dated.version
    day = datetime.fromisoformat(updated).astimezone().date()
    return render(
        "ask",
        "age",
        name=f"{product.name} " if len(products) > 1 else "",
        release=dated if is_newest else product.releases[0],
        dated=dated,
        day=day,
        said={0: "today", 1: "yesterday"}.get((today - day).days, day.isoformat()),
    )


def render_covered_html(products: Sequence[CatalogueProduct], *, asked: Iterable[str]) -> Markup:
    """What there is to ask about: products with their versions and the date of the newest; those `asked` about first.

    Empty for an empty index.
    """
    if not products:
        return Markup("")
    wanted = frozenset(asked)
    first = [product for product in products if product.name in wanted]
    others = [product for product in products if product.name not in wanted]
    shown = [*first, *largest_products(others, _NAMED_PRODUCTS)][:_NAMED_PRODUCTS]
    rows = [
        (
            product.name,
            describe_product(product),
            max((release.date for release in product.releases if release.date), default=None),
        )
        for product in shown
    ]
    return render("ask", "covered", products=rows, rest=len(products) - len(shown))


def _version_range(product: CatalogueProduct) -> str:
    if not product.releases:
        return ""
    newest, oldest = product.releases[0].version.label, product.releases[-1].version.label
    return newest if newest == oldest else f"{oldest}–{newest}"
