"""parse_query: from a question, its conversation and filters to what is searched.

The way: tokens → subject and owners of versions → follow-up resolved against the conversation → constraint and
intent (`retrieval.question.turns`). Only what the question states becomes a constraint; what it may mean is left to the
search, as are typos in ordinary words.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from unicodedata import normalize

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version, VersionConstraint
from retrieval.model import Facet, Form, Pin, Query
from retrieval.products.known import KnownProducts, find_product
from retrieval.products.pins import read_pins
from retrieval.question.asked_length import asked_statements
from retrieval.question.forms import FormReading, read_form
from retrieval.question.spelling import mend_slips
from retrieval.question.tokens import Token, without_places
from retrieval.question.turns import ReadTurn, Setting, take_turn

MAX_HISTORY = 20
"""Of how many earlier questions one may be the continuation; what was asked before them is forgotten."""
_STATE = frozenset({Form.YES_NO, Form.VALUE, Form.FACT})


def parse_query(
    question: str,
    *,
    history: Sequence[str] = (),
    catalogue: Sequence[CatalogueProduct] = (),
    product: str | None = None,
    version: str | None = None,
    without: Collection[Facet] = (),
    today: date | None = None,
    frequency: Callable[[str], int] = lambda _: 1,
    read: Callable[[str, Sequence[Token]], FormReading] = lambda _, tokens: read_form(tokens, None),
    strip: Callable[[str, KnownProducts], str] = lambda text, _: text,
) -> Query:
    """Understand a question, with the earlier ones of its conversation (oldest first) and the user's filters.

    Filters win over what the question says; a version filter of two components takes its patch releases in. The
    facets `without` aren't read from the question: its words are searched as if nobody knew what they name. Dates
    ("last year's release") are relative to `today`, by default the day of asking. `frequency` says how many
    indexed passages hold a word, which mends slips and tells products that the catalogue lacks from parts of those it
    has; `read` reads a question's form, by default from its words alone; `strip` takes the words around it away.

    Raises:
        UsageError: no product of the catalogue is called `product`, or `version` isn't a version.
    """
    frequency = cache(frequency)
    setting = Setting(
        known=KnownProducts.of(catalogue),
        chosen=None if product is None else find_product(catalogue, product).name,
        today=today or date.today(),
        is_mentioned=lambda word: bool(frequency(word)),
        read=read,
        without=frozenset(without),
    )
    asked = None if version is None else VersionConstraint.exactly(_read_version_filter(version))
    # Full-width letters and digits, ligatures and the like: as an input method writes them, not as documents do.
    names = frozenset(part for name in setting.known.names for part in name.casefold().split())

    def clean(text: str) -> str:
        written = without_places(normalize("NFKC", text), setting.known)
        meant = setting.known.product_mistyped_as
        return strip(mend_slips(written, frequency=frequency, names=names, meant_name=meant), setting.known)

    earlier: ReadTurn | None = None
    before: Query | None = None
    for text in history[-MAX_HISTORY:]:
        said = clean(text)
        earlier = take_turn(said, earlier, setting)
        before = replace(_as_query(text, said, earlier, setting, asked), before=before)
    asked_text = clean(question)
    turn = take_turn(asked_text, earlier, setting)
    is_narrowed = bool(without) or asked is not None or setting.chosen is not None
    pins = () if is_narrowed else read_pins(normalize("NFKC", question), setting.known)
    return replace(_as_query(question, asked_text, turn, setting, asked, pins), before=before)


def _as_query(
    written: str,
    text: str,
    turn: ReadTurn,
    setting: Setting,
    asked: VersionConstraint | None,
    pins: tuple[Pin, ...] = (),
) -> Query:
    """What is searched for a turn: the question `text` as it was `written`, of the releases of a filter if any."""
    catalogue = setting.known.catalogue
    named = tuple(dict.fromkeys(pin.product for pin in pins if pin.product)) or turn.products
    indexed = tuple(name for name in named if setting.known.has_product(name))
    is_foreign = bool(named) and not indexed
    constraint = None if is_foreign or len(pins) > 1 else turn.stated.constraint
    form = Form.SHOULD_UPGRADE if pins else turn.form.form
    return Query(
        text=text,
        search_text=turn.reading.text,
        products=indexed,
        product_stated=(turn.is_stated or bool(pins)) and bool(indexed),
        constraint=asked or constraint,
        version_filtered=asked is not None,
        symbols=turn.symbols,
        references=turn.references,
        form=form,
        act=turn.form.act,
        wanted=turn.form.wanted,
        relative=turn.form.relative,
        versions_named_as="" if asked or is_foreign else turn.stated.named_as,
        versions_open="" if asked or is_foreign else turn.stated.open_as,
        unknown_products=turn.products if is_foreign else (),
        bearing=None if asked else _bearing(form, constraint, catalogue, indexed),
        versions_set_aside=turn.stated.constraint if asked and turn.stated.constraint != asked else None,
        statements=asked_statements(written),
        pins=pins,
    )


def _bearing(
    form: Form, constraint: VersionConstraint | None, catalogue: Sequence[CatalogueProduct], named: Sequence[str]
) -> VersionConstraint | None:
    """The releases whose notes bear on the one that is asked about: trouble with it is mended in a later
    one; how something is in it was told when it last changed. None for a release that isn't out."""
    if constraint is None or len(constraint.versions) != 1 or not (form.tells_trouble or form in _STATE):
        return None
    (version,) = constraint.versions
    known = [release for product in catalogue if product.name in named for release in product.releases]
    if not any(version <= release.version for release in known):
        return None
    return VersionConstraint.since(version) if form.tells_trouble else VersionConstraint.up_to(version)


def _read_version_filter(version: str) -> Version:
    return Version.parse(version.strip(" ").removesuffix(".x").removesuffix(".*"))
