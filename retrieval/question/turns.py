"""Understanding one question of a conversation: by itself, then together with the question before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from corpus.catalogue import CatalogueRelease
from corpus.deadline import check_time
from corpus.happenings import asserted_act, find_acts
from corpus.model import Act
from corpus.versions import VersionConstraint
from retrieval.model import Facet, Form, Relative, Wanted
from retrieval.products.known import KnownProducts
from retrieval.question import relative
from retrieval.question.asked_products import choose_subject, find_owners
from retrieval.question.follow_ups import OwnedQuestion
from retrieval.question.forms import FormReading, without_names
from retrieval.question.relative import LATEST, StatedVersions, find_neighbour
from retrieval.question.tokens import Token, replace_ranges, tokenize_question
from retrieval.question.unknown_products import mark_unknown_products
from retrieval.question.version_roles import NOT_STATED, build_constraint, number_tokens, promote_numbers, read_roles

_SURE, _CHATTING = 0.5, 0.75  # Chosen by hand, never fitted: a lone name ("sixel") is rarely small talk.
_OF_ANSWER, _OF_ALL = (Form.FACT, Form.MIGRATE), (Form.LATEST, Form.EXISTS, Form.SINCE_WHEN)
"""Forms that may ask about the last answer, and forms about all releases, whatever releases were asked about before."""
_MORE = frozenset("more else other others rest another further".split())


@dataclass(frozen=True, slots=True)
class Setting:
    """The context shared by all questions of a conversation."""

    known: KnownProducts
    chosen: str | None  # The product set by a filter.
    is_mentioned: Callable[[str], bool]  # Whether the indexed notes mention a word at all.
    is_held_by: Callable[[str, tuple[str, ...]], bool]
    """Whether the notes of any of the products (without products: any notes) mention a name."""
    read: Callable[[str, Sequence[Token]], FormReading]  # Reads the form of a question.
    without: frozenset[Facet]  # Facets not to read from the question.

    def releases_of(self, products: tuple[str, ...]) -> tuple[CatalogueRelease, ...]:
        """Return the releases of a single product; none for several products, or one that isn't in the catalogue."""
        product = self.known.find(products[0]) if len(products) == 1 else None
        return product.releases if product else ()


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """One question, understood; `products` may include names that the catalogue lacks."""

    reading: OwnedQuestion
    products: tuple[str, ...]
    is_stated: bool
    stated: StatedVersions
    form: FormReading
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    asks_of: "ReadTurn | None" = None  # The earlier turn whose answer it asks about.

    @property
    def settled(self) -> tuple[str, ...]:
        """The products that later questions are about unless they name others."""
        return self.products if self.is_stated else ()

    @property
    def is_bare(self) -> bool:
        """Whether a follow-up only names a thing ("and 8.4?") and takes its question from the one before."""
        return self.reading.names_only(is_open=self.form.form.traits.is_terse)

    @property
    def is_whole(self) -> bool:
        """Whether it can be understood alone: it names a ticket, its thing, or what it asks of a product or version."""
        names_subject = any(token.product for token in self.reading.tokens) or not self.stated.is_silent
        says_what = self.form.form.traits.is_listing or bool(self.reading.things)
        is_sure = self.form.certainty >= _SURE and bool(self.references or (names_subject and says_what))
        return not self.is_bare and (is_sure or self.reading.is_about_own)


def read_turn(text: str, earlier: ReadTurn | None, setting: Setting) -> ReadTurn:
    """Understand a question after the turn `earlier`, which it may continue or not. If a question about news names
    releases but no product, and only one product has such releases, it is about that product."""
    turn = _read(text, setting) if earlier is None else _continue(earlier, text, setting)
    stated = turn.stated.constraint
    if not turn.form.form.traits.is_news or turn.products or stated is None or Facet.PRODUCT in setting.without:
        return turn
    product = setting.known.only_product_with(stated)
    return _read(turn.reading.text, setting, subjects=(product,)) if product else turn


def _continue(earlier: ReadTurn, text: str, setting: Setting) -> ReadTurn:
    """Understand a question together with the turn before it, unless it is a question of its own."""
    alone = _read(text, setting)
    names = (*alone.references, *alone.symbols)
    if setting.chosen is None and not alone.is_stated and names and earlier.settled:
        mentions = [any(setting.is_held_by(name, products) for name in names) for products in ((), earlier.settled)]
        if mentions == [True, False]:
            return alone  # Only other products mention the names.
    new = alone if alone.is_stated else _read(text, setting, subjects=earlier.settled)
    if earlier.form.form is Form.SINCE_WHEN and not new.stated.is_silent:
        earlier = earlier.asks_of or earlier  # "Since when" isn't asked about a release.
    newest = relative.find_latest(Relative.NEWEST, setting.releases_of(new.products))
    if new.reading.names_only_newest and newest and newest.constraint and not earlier.form.form.traits.is_catalogue:
        return replace(_continue(earlier, f"and {newest.constraint.versions[0]}?", setting), stated=newest)
    is_named = new.reading.things and new.stated.is_silent and new.form.relative is None
    if is_named and new.is_bare and earlier.form.form.traits.is_news:
        return replace(new, stated=earlier.stated)  # "And mirrors?" after a list asks for an entry of it.
    if new.is_bare and (again := _ask_again(earlier, new, setting)):
        return again
    says_more = new.stated.is_silent and any(token.word in _MORE for token in new.reading.tokens)
    asks_for_list = new.form.form.traits.is_terse and earlier.form.form.traits.is_news
    if says_more and asks_for_list and set(new.products) <= set(earlier.products) and not new.reading.things:
        return earlier  # "more", "anything else?"
    doubts = earlier.form.form is Form.SINCE_WHEN and new.stated.constraint is not None and not new.is_whole
    if doubts and new.form.act in (None, earlier.form.act):
        return earlier  # "I thought that was 2.0": the release is what was asked for.
    return new if new.is_whole and alone.is_stated else _join(earlier, new, setting)


def _ask_again(earlier: ReadTurn, new: ReadTurn, setting: Setting) -> ReadTurn | None:
    """Return the earlier question with its products and releases replaced by those that the new one only names ("and
    8.4?", "and tox?"); None if it names anything else, or it isn't clear which to replace."""
    before, question = earlier.reading, new.reading
    is_other = new.is_stated and not set(new.products) & {token.product for token in before.tokens}
    values = [token for token in number_tokens(question.tokens) if token.version or (is_other and token.product)]
    places = before.replaced_versions(question)
    if is_other:
        named = (i for i, token in enumerate(before.tokens) if token.product in earlier.products)
        places = tuple(sorted({*named, *before.owned}))
    if question.things or not (values and places):
        return None
    start, end = before.tokens[places[0]].start, before.tokens[places[-1]].end
    text = replace_ranges(before.text, [(start, end, question.text[values[0].start : values[-1].end])])
    again = _read(" ".join(text.split()), setting, subjects=new.products if is_other else earlier.settled)
    again = replace(again, form=replace(earlier.form, relative=again.form.relative))
    return replace(again, stated=earlier.stated) if again.stated.is_silent and not is_other else again


def _join(earlier: ReadTurn, new: ReadTurn, setting: Setting) -> ReadTurn:
    """Return a follow-up about the earlier turn's subject: with the words and names of both unless it is whole, its own
    intent if it has one, and the earlier turn's releases unless it names others."""
    is_sure, things, asked_before = new.form.certainty >= _SURE, new.reading.things, earlier.asks_of or earlier
    is_of_answer = is_sure and new.form.form in _OF_ANSWER and asked_before.form.form in (Form.YES_NO, Form.SINCE_WHEN)
    # A bare "why?" or "what instead?" continues a question whether, or since when.
    asks_of = asked_before if is_of_answer and new.stated.is_silent and not (things or new.is_bare) else None
    earlier = asks_of or earlier
    before, question = earlier.reading, new.reading
    replaced = before.replaced_versions(question)
    stated = StatedVersions() if replaced and not set(replaced) & set(before.owned) else new.stated
    says_number = stated.constraint is not None and bool(question.owned)
    releases = setting.releases_of(new.products)
    if not says_number and (beside := find_neighbour(new.form.relative, earlier.stated.constraint, releases)):
        stated = beside
    asks_when = asks_of is not None and new.form.form is not Form.FACT
    replaces_version = stated.constraint is not None and new.form.form is not Form.COMPARE
    leaves_version = replaces_version or asks_when or (is_sure and new.form.form in _OF_ALL)
    dropped = {*replaced, *(before.owned if leaves_version else ())}
    joined = before.join(question.text, without=sorted(dropped), is_whole=new.is_bare)
    both = new if new.is_whole else _read(joined, setting, subjects=new.settled)
    form = new.form if is_sure else both.form
    asks_fix = form.form is Form.SINCE_WHEN and form.act in (Act.FIXED, Act.SECURED) and not things
    if earlier.form.form is Form.SECURITY and asks_fix and not (both.references or both.symbols):
        form = replace(earlier.form, wanted=Wanted.NEWEST)  # The release with the last fix has all of them.
    if form.form is Form.SINCE_WHEN and not things:
        # It is about the event asked about before, unless it names another.
        form = replace(form, act=asserted_act(question.text) or both.form.act)
        asks_of = asks_of or (None if find_acts(question.text) else earlier.asks_of or earlier)
    names_neighbour = new.form.form is Form.EXISTS and new.form.relative and not (things or new.form.wanted)
    if new.is_bare or names_neighbour:
        form = replace(earlier.form, act=asserted_act(question.text) or earlier.form.act)
    if stated.is_silent and form.form not in _OF_ALL and (asks_of is None or form.form is Form.FACT):
        is_open = new.form.relative in (Relative.OLDER, Relative.NEWER, Relative.ANY)
        stated = StatedVersions() if is_open else earlier.stated
        if new.form.relative is Relative.NEWEST and stated.constraint and stated.constraint.versions:
            stated = StatedVersions(VersionConstraint.since(stated.constraint.versions[-1]))
    return replace(both, asks_of=asks_of, stated=stated, form=form)


def _read(text: str, setting: Setting, *, subjects: tuple[str, ...] = ()) -> ReadTurn:
    """Understand one question by itself, about the products `subjects` if the conversation has settled them."""
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
    # Only the subject's own versions count, in roles that say something about it.
    stated = (i for i, token in enumerate(tokens) if token.version and roles[i] not in NOT_STATED)
    owned = () if Facet.VERSION in setting.without else tuple(i for i in stated if owners[i] in (None, *products))
    form = setting.read(text, tokens)
    if relative.names_latest_fix(without_names(text, tokens)):
        form = replace(form, form=Form.SECURITY, relative=None, wanted=Wanted.NEWEST)
    by_number = build_constraint(tokens, owned, [roles[i] for i in owned], form=form.form)
    if Facet.INTENT in setting.without:
        form = replace(form, form=Form.FACT, wanted=None)
    if Facet.PRODUCT in setting.without and setting.chosen is None:
        # The versions' owners are known by now, so the versions are kept, for any product.
        named = products = owning = ()
    reading, is_stated = OwnedQuestion(text, tokens, owned), bool(named or owning)
    if form.form is Form.CHAT and form.certainty < _CHATTING and reading.things:
        form = replace(form, form=Form.FACT)
    turn = ReadTurn(
        reading, products, is_stated, StatedVersions(), form, symbols=tokenized.symbols, references=tokenized.references
    )
    return (
        turn if Facet.VERSION in setting.without else replace(turn, stated=_stated_versions(turn, by_number, setting))
    )


def _named_products(
    text: str, tokens: tuple[Token, ...], setting: Setting, subjects: tuple[str, ...]
) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """Return the tokens with unknown products marked, and the products named by filter, conversation or question."""
    known = setting.known
    if setting.chosen is not None:
        return tokens, (setting.chosen,)
    named = subjects or choose_subject(tokens, known)
    if named and all(map(known.find, named)):
        return tokens, named
    form = setting.read(text, tokens).form
    marked = mark_unknown_products(tokens, known, form=form, is_mentioned=setting.is_mentioned)
    return marked, named or choose_subject(marked, known)


def _stated_versions(turn: ReadTurn, by_number: VersionConstraint | None, setting: Setting) -> StatedVersions:
    """Return the releases that a question names by number, else by order ("latest", "previous")."""
    form, traits = turn.form, turn.form.form.traits
    releases = setting.releases_of(turn.products)
    if by_number is not None:
        return relative.find_beside(form.relative, by_number, releases, form=form.form) or StatedVersions(by_number)
    by_order = relative.find_latest(form.relative, releases) or find_neighbour(form.relative, None, releases)
    # "What is the latest version?" asks which one it is.
    if by_order and not (by_order.named_as == LATEST and (traits.is_in_older_notes or traits.is_catalogue)):
        return by_order
    # "Latest" without a single product: left open here, resolved for each product by the catalogue.
    is_latest = form.relative is Relative.NEWEST
    return StatedVersions(open_as=LATEST * (is_latest and len(turn.products) != 1 and not traits.is_catalogue))
