"""Ask as HTML: the turns of a conversation, and what the index covers and how old it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from urllib.parse import urlencode

from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.index.reader import IndexReader
from retrieval.model import Facet, Interpretation
from ui.feedback.log import MAX_REASON_CHARACTERS
from ui.rendering.answer_markdown import render_markdown
from ui.rendering.words import asks_for_words
from ui.web.ask.conversation import Answered, Asking, Failure, Seen
from ui.web.ask.layout import lay_out
from ui.web.ask.questions import newest_first, start_questions
from ui.web.html import render


@dataclass(frozen=True, slots=True)
class Chip:
    """One facet as it was understood."""

    label: str
    text: str
    link: str = ""  # The address of the question as a click changes it; without one it only tells.
    is_off: bool = False  # The facet isn't read, until a click.


def render_turn(number: int, asking: Asking, outcome: Answered | Failure, *, seen: Seen | None) -> Markup:
    """One turn: the `number` is its own within the conversation; `seen` goes into the link to it."""
    return render(
        "ask",
        "turn",
        number=number,
        asking=asking,
        found=outcome,
        layout=lay_out(outcome.answer) if isinstance(outcome, Answered) else None,
        seen=seen,
        link=f"{asking.address}&{urlencode({'seen': str(seen)})}" if seen else asking.address,
        chips=tuple(read_chips(asking, outcome.answer.interpretation)) if isinstance(outcome, Answered) else (),
        alone=replace(asking, history=()).address if asking.history else "",
        copied=render_markdown(outcome.answer) if isinstance(outcome, Answered) else "",
        most_characters=MAX_REASON_CHARACTERS,
    )


def read_chips(asking: Asking, read: Interpretation) -> Iterator[Chip]:
    """Yield the chips of a question, in the order product, version, names, what is looked for."""

    def facet_chip(label: str, text: str, facet: Facet) -> Chip:
        # A click turns the facet off, or on again.
        link = replace(asking, without=asking.without ^ {facet}).address
        return Chip(label, text, link, is_off=facet in asking.without)

    unknown = f"{', '.join(read.unknown_products)} (no notes)" if read.unknown_products else ""
    product = ", ".join(read.products) or unknown
    for facet, asked, understood, unfiltered in (
        (Facet.PRODUCT, asking.product, product, replace(asking, product=None)),
        (Facet.VERSION, asking.version, read.versions_words, replace(asking, version=None)),
    ):
        if asked is not None:
            yield Chip(f"Only {facet.value}", understood or asked, unfiltered.address)
        elif facet in asking.without or understood:
            yield facet_chip(facet.value.capitalize(), "any" if facet in asking.without else understood, facet)
    if read.standalone:
        yield Chip("Read as", read.standalone)
    if read.symbols:
        yield Chip("Names", ", ".join(read.symbols))
    wanted = "anything" if Facet.INTENT in asking.without else asks_for_words(read)
    if wanted:
        yield facet_chip("Looking for", wanted, Facet.INTENT)


def render_start_html(index: IndexReader, products: Sequence[CatalogueProduct]) -> Markup:
    """Questions to begin with, the products with their newest releases, and how old all that is."""
    questions = start_questions(products)
    example = min(questions, key=len, default="")
    return render(
        "ask",
        "start",
        products=newest_first(products, today=date.today()),
        questions=[question for question in questions if question != example or len(questions) < 5],
        example=example,
        updated=datetime.fromisoformat(index.manifest.updated).astimezone().date(),
        names=[product.name for product in products],
    )


def render_ways_html(
    products: Sequence[CatalogueProduct], asking: Asking, read: Interpretation, questions: Sequence[str]
) -> Markup:
    """Ways on from a question in vain: the notes of an unknown product, without its version, in the newest release, and
    pages of the products that it is about; `questions` that have an answer of one about none."""
    asked = [product for product in products if product.name in read.products]
    again: list[tuple[str, str]] = []
    if asked and read.versions:
        plain = replace(asking, version=None)
        again.append(("In any version", replace(plain, without=plain.without | {Facet.VERSION}).address))
        for label in [release.version.label for release in stable_releases(asked[0].releases)[: len(asked) == 1]]:
            again.append((f"In the newest release, {label}", replace(plain, version=label).address))
    others, unknown = () if asked else questions, read.unknown_products
    return render("ask", "ways_on", unknown=unknown, again=again, questions=others, products=asked)
