"""parse_query: from a question, its conversation and filters to the query to search for.

The steps: tokens → subject and owners of versions → follow-up resolved against the conversation → constraint and
intent (`retrieval.question.turns`). Only stated versions become a constraint; anything the question may merely mean is
left to the search.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache
from string import ascii_lowercase
from unicodedata import normalize

from corpus.catalogue import CatalogueProduct
from corpus.everyday_words import is_everyday
from corpus.lexicon import STOP_WORDS, spellings, split_tokens
from corpus.plain_words import whole_characters
from corpus.versions import Version, VersionConstraint
from retrieval.model import Facet, Form, Query
from retrieval.products.known import KnownProducts, find_product
from retrieval.question.forms import FormReading, read_form
from retrieval.question.tokens import Token
from retrieval.question.turns import ReadTurn, Setting, read_turn

MAX_HISTORY = 20  # How many earlier questions are read; older ones are ignored.
_MAX_EARLIER = 300  # Characters read of each of them.
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_COUNTED = re.compile(
    rf"(?<![\w.])(?P<count>{'|'.join(_NUMBERS)}|[1-5])(?:-| (?:short )?)(?:bullet )?(?:line|bullet|point|sentence)"
)
_SHORTLY = frozenset("short shortly brief briefly summary gist tl tldr nutshell".split())
_FEW = 3
_WORD = r"(?<![\w.`/-])[A-Za-z][a-z]{4,}(?![\w(`/-])"  # One long enough to be misspelt, no code.
_LONG = 7  # Letters of a word that may have any of them wrong. Chosen by hand.


def parse_query(
    question: str,
    *,
    history: Sequence[str] = (),
    catalogue: Sequence[CatalogueProduct] = (),
    product: str | None = None,
    version: str | None = None,
    without: Collection[Facet] = (),
    frequency: Callable[[str], int] = lambda _: 1,
    is_held_by: Callable[[str, tuple[str, ...]], bool] = lambda _, __: True,
    read: Callable[[str, Sequence[Token]], FormReading] = lambda _, tokens: read_form(tokens, None),
) -> Query:
    """Parse a question, with the earlier ones of its conversation (oldest first) and the user's filters.

    Filters overrule the question; a version filter with two components includes its patch releases. The facets
    `without` aren't read from the question, whose words are then only searched for. `frequency` returns how many
    indexed passages contain a word, to separate unknown products from parts of known ones;
    `is_held_by` returns whether the notes of products mention a code name or reference; `read` reads a question's
    form, by default from its words alone.

    Raises:
        UsageError: no product of the catalogue is called `product`, or `version` isn't a version.
    """
    frequency = cache(frequency)
    known = KnownProducts.of(catalogue)
    setting = Setting(
        known=known,
        chosen=None if product is None else find_product(catalogue, product).name,
        is_mentioned=lambda word: bool(frequency(word)),
        is_held_by=is_held_by,
        read=read,
        without=frozenset(without),
    )
    only = None
    if version is not None:
        only = VersionConstraint.exactly(Version.parse(version.strip(" ").removesuffix(".x").removesuffix(".*")))

    def clean(written: str) -> str:
        # Input methods write full-width letters, ligatures and the like; documents don't.
        text = normalize("NFKC", whole_characters(written))
        return re.sub(_WORD, lambda word: _mended(word[0], known, frequency), text)

    turn: ReadTurn | None = None
    query: Query | None = None
    for written in (*(earlier[:_MAX_EARLIER] for earlier in history[-MAX_HISTORY:]), question):
        text, earlier = clean(written), turn
        turn = read_turn(text, earlier, setting)
        query = _as_query(text, turn, setting, only, query)
        if earlier and turn.form.form is Form.CHAT:
            turn = earlier  # Small talk ends no conversation.
    assert query is not None
    # The wanted length is read from the raw question, because cleaning removes it.
    return replace(query, statements=requested_statements(question))


def _as_query(text: str, turn: ReadTurn, setting: Setting, only: VersionConstraint | None, last: Query | None) -> Query:
    """Return the query for a turn that asks `text`, restricted to the versions `only` of a filter if any."""
    indexed = tuple(name for name in turn.products if setting.known.find(name))
    is_foreign = bool(turn.products) and not indexed
    constraint = None if is_foreign else turn.stated.constraint
    return Query(
        text=text,
        search_text=turn.reading.text,
        products=indexed,
        product_stated=turn.is_stated and bool(indexed),
        constraint=only or constraint,
        version_filtered=only is not None,
        symbols=turn.symbols,
        references=turn.references,
        form=turn.form.form,
        act=turn.form.act,
        asks_of_answer=turn.asks_of is not None,
        wanted=turn.form.wanted,
        relative=turn.form.relative,
        versions_named_as="" if only or is_foreign else turn.stated.named_as,
        versions_open="" if only or is_foreign else turn.stated.open_as,
        unknown_products=turn.products if is_foreign else (),
        bearing=None if only else _bearing(turn.form.form, constraint, setting.known.catalogue, indexed),
        before=last,
        versions_set_aside=turn.stated.constraint if only and turn.stated.constraint != only else None,
    )


def requested_statements(question: str) -> int | None:
    """Return how many statements a question asks for ("in two lines" -> 2, "briefly" -> 3); None if it says neither."""
    words = question.casefold()
    if counted := _COUNTED.search(words):
        return _NUMBERS.get(counted["count"]) or int(counted["count"])
    return None if _SHORTLY.isdisjoint(re.split(r"\W+", words)) else _FEW


def _bearing(
    form: Form, constraint: VersionConstraint | None, catalogue: Sequence[CatalogueProduct], named: Sequence[str]
) -> VersionConstraint | None:
    """Return the releases whose notes matter for the single one asked about: later ones, which fix its problems, or
    earlier ones, which brought its features or took them away. None if it isn't out or the form needs neither."""
    if constraint is None or len(constraint.versions) != 1 or not (form.traits.is_trouble or form.traits.asks_state):
        return None
    (version,) = constraint.versions
    known = (release for product in catalogue if product.name in named for release in product.releases)
    if not any(version <= release.version for release in known):
        return None
    is_before = form.traits.asks_state or form is Form.MIGRATE
    return VersionConstraint.up_to(version) if is_before else VersionConstraint.since(version)


def _mended(written: str, known: KnownProducts, frequency: Callable[[str], int]) -> str:
    """Return an unknown word that no note holds as the product or most frequent word that it is a slip of, if any."""
    word, (stem, *_) = written.lower(), split_tokens(written)
    is_known = is_everyday(word) or word in STOP_WORDS or known.called(word)
    if is_known or any(all(map(frequency, parts)) for parts in ((word,), *spellings(word))):
        return written
    counts = {other: frequency(other) + (other in known.names) for other in _near(word)}
    # That a stem is held says little of an ending: "applicance" has that of "application".
    alike = (other for other in counts if counts[other] and len(stem) <= len(split_tokens(other)[0]) + 1)
    return max(alike, key=lambda other: counts[other], default=written)


def _near(word: str) -> set[str]:
    """Return the words that a word is a slip of if it has a letter doubled, missing or swapped with the next, or in a
    long word any wrong; never the first, because "cython" and "tslint" exist."""
    cuts, wrong = [(word[:i], word[i:]) for i in range(1, len(word))], range(1 + (len(word) >= _LONG))
    near = {start + new + end[cut:] for start, end in cuts for new in ("", *ascii_lowercase) for cut in wrong}
    near |= {start + end[1:] for start, end in cuts if end[0] == start[-1]}
    return near | {start + end[1::-1] + end[2:] for start, end in cuts}
