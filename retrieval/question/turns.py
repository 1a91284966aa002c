"""One question of a conversation, understood by itself and then in the light of the one before."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from corpus.catalogue import CatalogueRelease
from corpus.deadline import check_time
from corpus.everyday_words import is_everyday
from corpus.happenings import asserted_act, find_acts
from corpus.lexicon import content_words, split_tokens
from corpus.model import Act
from corpus.versions import VersionConstraint
from retrieval.model import Facet, Form, Wanted
from retrieval.products.components import narrow_to_part
from retrieval.products.known import KnownProducts
from retrieval.question.asked_products import choose_subject, find_owners
from retrieval.question.follow_ups import (
    OwnedQuestion,
    join_questions,
    names_only_something,
    names_only_values,
    put_in_place,
    replaced_versions,
)
from retrieval.question.forms import FormReading
from retrieval.question.periods import find_period
from retrieval.question.relative import (
    LATEST,
    StatedVersions,
    carry_constraint,
    find_beside,
    find_latest,
    find_neighbour,
    names_latest,
    names_latest_fix,
)
from retrieval.question.subject import names_only_changes
from retrieval.question.token_weights import is_generic
from retrieval.question.tokens import Token, TokenKind, tokenize_question
from retrieval.question.unknown_products import mark_unknown_products
from retrieval.question.version_roles import NOT_STATED, build_constraint, promote_numbers, read_roles

_SAYS_ENOUGH, _NAME = 3, 3
"""What says more than this is understood without the question before, and would be drowned by it. Chosen by hand."""
_SURE = 0.5  # Chosen by hand, never fitted.
_DOUBTS = re.compile(
    r"\b(?:(?:are|r) (?:you|u) (?:sure|certain)|i (?:think|thought|believed?|heard|read|was told)"
    r"|(?:is|was|did)n['\u2019]?t (?:it|that)|really)\b",
    re.IGNORECASE,
)
_REPLIES = "hm hmm huh wait well actually already earlier later went gone came left"
_MORE = frozenset("more else other others rest another further".split())
"""Who says none of them asks a question anew, not for more of its answer."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What every question of a conversation is read against."""

    known: KnownProducts
    chosen: str | None  # The product that a filter sets.
    today: date
    is_mentioned: Callable[[str], bool]  # Whether the indexed notes mention a word at all.
    is_held_by: Callable[[str, tuple[str, ...]], bool]
    """Whether the notes of any of some products, or of any at all where none is given, hold a name."""
    read: Callable[[str, Sequence[Token]], FormReading]  # Reads the form of a question.
    without: frozenset[Facet]  # What isn't read from the question.

    def releases_of(self, products: tuple[str, ...], text: str) -> tuple[CatalogueRelease, ...]:
        """Return the releases of the one product meant, or of its part that `text` names; none for several products."""
        found = self.known.find(products[0]) if len(products) == 1 else None
        return narrow_to_part(found, text).releases if found else ()


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """One question, understood; `products` may hold names that the catalogue doesn't have."""

    reading: OwnedQuestion
    products: tuple[str, ...]
    is_stated: bool
    stated: StatedVersions
    form: FormReading
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    asks_of: "ReadTurn | None" = None  # The turn that it asks of what its answer told.

    @property
    def settled(self) -> tuple[str, ...]:
        """The products that the conversation is about from here on."""
        return self.products if self.is_stated else ()

    @property
    def asks_as_before(self) -> bool:
        """Whether a follow-up names a thing and no more ("and 8.4?"): what is asked was said before."""
        is_terse = self.form.form.traits.is_terse
        return names_only_values(self.reading) or (is_terse and names_only_something(self.reading))

    @property
    def is_whole(self) -> bool:
        """Whether it says itself what it asks and about what: a product's news, a name in code, a record."""
        if self.asks_as_before or self.form.certainty < _SURE:
            return False
        names_product = any(token.product for token in self.reading.tokens)
        return bool(self.symbols or self.references) or (names_product and self.form.form.traits.is_listing)

    @property
    def specific_words(self) -> int:
        """How much it says of what it is about, beside products and versions, each name as much as three words."""
        named = {token.text for token in self.reading.tokens if token.product or token.version}
        words = (word for word in content_words(self.reading.text) if word not in named)
        specific = (word for word in words if not all(map(is_generic, split_tokens(word)[:1])))
        return sum(1 if is_everyday(word) else _NAME for word in specific)


def read_turn(text: str, earlier: ReadTurn | None, setting: Setting) -> ReadTurn:
    """Understand a question after `earlier`, of which it may be a fragment, a continuation, or no more at all. Of what
    is new or breaks in releases that one product alone has, they name the product where nothing else does."""
    turn = _read(text, setting) if earlier is None else _continue(earlier, text, setting)
    stated = turn.stated.constraint
    if not turn.form.form.traits.is_news or turn.products or stated is None or Facet.PRODUCT in setting.without:
        return turn
    holder = setting.known.sole_holder(stated)
    return _read(turn.reading.text, setting, subjects=(holder,)) if holder else turn


def _continue(earlier: ReadTurn, text: str, setting: Setting) -> ReadTurn:
    new = _read(text, setting)
    names = (*new.references, *new.symbols)
    if setting.chosen is None and not new.is_stated and names and earlier.settled:
        is_held_elsewhere = any(setting.is_held_by(name, ()) for name in names)
        if is_held_elsewhere and not any(setting.is_held_by(name, earlier.settled) for name in names):
            return new
    about = new if new.is_stated else _read(text, setting, subjects=earlier.settled)
    left, known = _DOUBTS.sub(" ", text), frozenset(split_tokens(" ".join((*earlier.products, _REPLIES))))
    if left != text and earlier.form.form in (Form.SINCE_WHEN, Form.YES_NO) and names_only_changes(left, known):
        return earlier  # "Are you sure? Wasn't it 2.0?"
    if names_only_values(about.reading) and (again := _ask_again(earlier, about, setting)):
        return again
    if new.products and not set(new.products) & set(earlier.products):
        return new
    says_more = any(token.word in _MORE for token in about.reading.tokens)
    is_of_same = set(about.products) <= set(earlier.products) and about.stated.is_silent
    asks_for_list = about.form.form.traits.is_terse and earlier.form.form.traits.is_news
    if says_more and is_of_same and asks_for_list and not about.specific_words:
        return earlier  # "more", "anything else?"
    names_product = any(token.product for token in new.reading.tokens)
    leans = about.asks_as_before or about.specific_words <= (0 if names_product else _SAYS_ENOUGH)
    return _join(earlier, about, setting) if leans and not about.is_whole else about


def _ask_again(earlier: ReadTurn, new: ReadTurn, setting: Setting) -> ReadTurn | None:
    """Return the earlier question about another release or product ("and 8.4?"); None where it replaces none."""
    before = earlier.reading
    is_other = new.is_stated and not set(new.products) & {token.product for token in before.tokens}
    if is_other:
        named = (i for i, token in enumerate(before.tokens) if token.product in earlier.products)
        places = tuple(sorted({*named, *before.owned}))
    else:
        places = replaced_versions(before, new.reading)
    # A product may be meant that no token names (a part of it, a slip).
    values = [token for token in new.reading.tokens if token.version or (is_other and token.product)]
    if not places or not values:
        return None
    text = put_in_place(before, new.reading.text, values, places)
    return _read(text, setting, subjects=new.products if is_other else earlier.settled)


def _join(earlier: ReadTurn, new: ReadTurn, setting: Setting) -> ReadTurn:
    """A follow-up about the earlier one's subject: the words and names of both, and its own intent where it has one."""
    is_sure = new.form.certainty >= _SURE
    asks_of = _asks_of(earlier, new) if is_sure else None
    earlier = asks_of or earlier
    before, question = earlier.reading, new.reading
    replaced = replaced_versions(before, question)
    is_foreign = bool(replaced) and not set(replaced) & set(before.owned)
    asked = StatedVersions() if is_foreign else new.stated
    says_number = asked.constraint is not None and bool(question.owned)
    releases = setting.releases_of(new.products, question.text)
    if not says_number and (beside := find_neighbour(new.form.relative, earlier.stated.constraint, releases)):
        asked = beside
    replaces_version = asked.constraint is not None and new.form.form is not Form.COMPARE
    leaves_version = replaces_version or bool(asks_of) or (is_sure and _looks_everywhere(new.form.form))
    dropped = {*replaced, *(before.owned if leaves_version else ())}
    joined = join_questions(before, question, without=sorted(dropped), is_whole=new.asks_as_before)
    both = _read(joined, setting, subjects=new.settled)
    form = new.form if is_sure else both.form
    asks_fix = form.form is Form.SINCE_WHEN and form.act in (Act.FIXED, Act.SECURED) and new.specific_words < _NAME
    if earlier.form.form is Form.SECURITY and asks_fix and not (both.references or both.symbols):
        form = replace(earlier.form, wanted=Wanted.NEWEST)  # With the last of the fixes a release has them all.
    if form.form is Form.SINCE_WHEN and not new.specific_words:
        # What was asked before happened, unless it says what did.
        form = replace(form, act=asserted_act(question.text) or both.form.act)
        asks_of = asks_of or (None if find_acts(question.text) else earlier.asks_of or earlier)
    both = replace(both, asks_of=asks_of)
    if new.asks_as_before:
        form = replace(earlier.form, act=new.form.act or earlier.form.act)
    if asked.named_as == LATEST and form.form.traits.is_in_older_notes:
        asked = StatedVersions()
    if not asked.is_silent:
        return replace(both, stated=asked, form=form)
    carried = carry_constraint(earlier.stated.constraint, new.form.relative, releases)
    kept = earlier.stated if carried is earlier.stated.constraint else StatedVersions(carried)
    return replace(both, stated=StatedVersions() if asks_of or _looks_everywhere(form.form) else kept, form=form)


def _asks_of(earlier: ReadTurn, new: ReadTurn) -> ReadTurn | None:
    """Return the turn whether or since when something is so, which a bare "why?" or "what instead?" goes on from."""
    asked = earlier.asks_of or earlier
    is_bare = new.stated.is_silent and not (new.specific_words or new.asks_as_before)
    is_of_answer = new.form.form in (Form.FACT, Form.MIGRATE) and asked.form.form in (Form.YES_NO, Form.SINCE_WHEN)
    return asked if is_bare and is_of_answer else None


def _looks_everywhere(form: Form) -> bool:
    """Return whether a follow-up is answered from all releases, whichever the question before it was about."""
    return form.traits.is_catalogue or form is Form.SINCE_WHEN


def _read(text: str, setting: Setting, *, subjects: tuple[str, ...] = ()) -> ReadTurn:
    """Understand one question by itself, or about `subjects` where the conversation has settled them."""
    check_time()
    known = setting.known
    tokenized = tokenize_question(text, known)
    tokens, named = _named_products(text, tokenized.tokens, setting, subjects)
    owning = tokenized.owning_products
    products = named or owning or tokenized.hinted_products
    if not products and len(known.catalogue) == 1:
        products = (known.catalogue[0].name,)
    roles = read_roles(tokens, products, known)
    tokens = promote_numbers(tokens, roles, products if named else (), known)
    owners = find_owners(tokens, products, known)
    # Stated are versions of nobody else, in no role that isn't of what is asked about.
    owned = tuple(
        i
        for i, token in enumerate(tokens)
        if token.version and roles[i] not in NOT_STATED and owners[i] in (None, *products)
    )
    owned = () if Facet.VERSION in setting.without else owned
    form = setting.read(text, tokens)
    if names_latest_fix(text):
        form = replace(form, form=Form.SECURITY, relative=None, wanted=Wanted.NEWEST)
    by_number = build_constraint(tokens, owned, [roles[i] for i in owned], form=form.form)
    if Facet.INTENT in setting.without:
        form = replace(form, form=Form.FACT, wanted=None)
    if Facet.PRODUCT in setting.without and setting.chosen is None:
        # Owners of versions are read already, so the versions stay, for any product.
        named = products = owning = ()
    stated = _stated_versions(text, tokens, by_number, setting, products, form=form)
    return ReadTurn(
        reading=OwnedQuestion(text, tokens, owned),
        products=products,
        is_stated=bool(named or owning),
        stated=StatedVersions() if Facet.VERSION in setting.without else stated,
        form=form,
        symbols=tokenized.symbols,
        references=tokenized.references,
    )


def _named_products(
    text: str, tokens: tuple[Token, ...], setting: Setting, subjects: tuple[str, ...]
) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """Return the products that filter, conversation or question name, with unknown ones marked in the tokens."""
    known = setting.known
    if setting.chosen is not None:
        return tokens, (setting.chosen,)
    named = subjects or choose_subject(tokens, known)
    if named and all(map(known.find, named)):
        return tokens, named
    # A question about releases alone needs a product: "newest pillow" asks about Pillow.
    everyday = tuple(
        replace(token, kind=TokenKind.PRODUCT, product=known.names[token.word])
        if token.word in known.everyday and token.word in known.names
        else token
        for token in tokens
    )
    if not named and (meant := choose_subject(everyday, known)):
        asked = setting.read(text, everyday).form
        words = " ".join(token.word for token in everyday if token.kind is TokenKind.WORD)
        if asked.traits.is_catalogue or (asked.traits.is_of_releases and names_only_changes(words)):
            return everyday, meant
    form = setting.read(text, tokens).form
    marked = mark_unknown_products(tokens, known, form=form, is_mentioned=setting.is_mentioned)
    return marked, named or choose_subject(marked, known)


def _stated_versions(
    text: str,
    tokens: Sequence[Token],
    by_number: VersionConstraint | None,
    setting: Setting,
    products: tuple[str, ...],
    *,
    form: FormReading,
) -> StatedVersions:
    """Return the releases that a question names by number, by their place among the others or by their date."""
    releases = setting.releases_of(products, text)
    words = " ".join(token.word for token in tokens if token.kind not in (TokenKind.MARK, TokenKind.PRODUCT))
    if by_number is not None:
        beside = find_beside(form.relative, by_number, releases, form=form.form)
        return beside or StatedVersions(by_number)
    period = find_period(text, today=setting.today) if releases and form.form.traits.is_of_releases else None
    if period is not None:
        constraint = period.constraint(releases)
        if constraint is not None or form.form.traits.is_catalogue:
            return StatedVersions(constraint, period.words)
    found = find_latest(words, form.relative, releases) or find_neighbour(form.relative, None, releases)
    # "What is the latest version?" asks which one it is.
    is_elsewhere = form.form.traits.is_in_older_notes or form.form.traits.is_catalogue
    if found and not (found.named_as == LATEST and is_elsewhere):
        return found
    # "Latest" may be meant and not of which product; what the latest is, the catalogue tells of each.
    is_open = len(products) != 1 and not form.form.traits.is_catalogue and names_latest(words, form.relative)
    return StatedVersions(open_as=LATEST if is_open else "")
