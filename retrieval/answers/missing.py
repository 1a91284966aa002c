"""Parts of a question that the notes lack: a name that appears nowhere in them, a value that the best entry lacks."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice, takewhile

import numpy as np
from numpy.typing import NDArray

from corpus.everyday_words import is_everyday
from corpus.index.reader import IndexReader
from corpus.index.release_matching import match_release
from corpus.lexicon import content_words, has_synonyms, spellings, split_tokens
from corpus.model import Act
from corpus.plain_words import as_code
from corpus.source_words import source_words
from retrieval.model import Form, Wanted
from retrieval.products.known import KnownProducts
from retrieval.products.names import NICKNAMES
from retrieval.question.query import requested_statements
from retrieval.question.subject import name_tokens_of, names_only_changes
from retrieval.question.words import CODE, RUNS_ON, QuestionWord
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import ItemScore
from retrieval.quoting.wording import shorten
from retrieval.search.hits import Hit

_PROTOCOL = re.compile(r"(?<![\w./-])[A-Za-z]{2,}/\d(?:\.\d+)?(?![\w./])")
_MEMBERS = re.compile(r"[.:]+")
_NUMBERED = re.compile(r"([A-Za-z]*)-?\d+")
"""A word with a number at its end: for its sound ("any1", "b4"), of a series ("start-0"), or a version ("py3")."""
_SENTENCES = re.compile(r"(?<=[.!?:;])\s+|\s[-\u2013\u2014]\s")
_SHORTEST_SHORT_FORM, _SHORTEST_NAME, _READ, _MOST_TERMS = 3, 2, 40, 200
"""Least letters of an abbreviation; most of a word that may be jargon ("PR"); most passages and terms read per name."""
_MOST_LOOKED = 300  # Most passages read to make sure that none of them answers.
_MOST_NAMED, _WORD_CHARACTERS = 3, 80
_VALUES = {
    Wanted.CVE: "no CVE is given",
    Wanted.SCORE: "no severity is given",
    Wanted.CHANGE: "no number of a pull request, an issue or a commit is given",
    Wanted.PERSON: "nobody is named for it",
    Wanted.RATIO: "no figure is given",
    Wanted.AMOUNT: "no amount is given",
    Wanted.LIMIT: "no limit is given",
    Wanted.COUNT: "no number is given",
    Wanted.DAY: "no date is given",
    Wanted.EXCEPTION: "no exception is named",
}


def refused_names(findings: Findings) -> tuple[str, ...]:
    """Return the missing names because of which a question isn't answered, none of them in small letters like a word;
    none for questions about trouble, a fix or a move."""
    traits = findings.query.form.traits
    # There the names say where something happens to the user, not what is looked for.
    is_incidental = traits.is_move or traits.is_trouble or findings.query.act in (Act.FIXED, Act.SECURED)
    if is_incidental or is_sure_to_hold(findings):
        return ()
    return tuple(n for n in names_asked(findings) if not ((n.isalpha() and n.islower()) or is_mentioned(findings, n)))


def is_sure_to_hold(findings: Findings) -> bool:
    """Return whether an entry has the asked names of code and value, or all of the event, and no name is missing."""
    if not findings.fitting or missing_value(findings, best := findings.fitting[0]):
        return False
    has_all = best.act is findings.query.act and all(word.met_by(best.tokens) for word in findings.focus.keywords)
    if not (findings.is_sure or has_all):
        return False
    return findings.query.form.traits.is_trouble or all(is_mentioned(findings, name) for name in names_asked(findings))


def missing_names(findings: Findings) -> tuple[str, ...]:
    """Return the names and uncommon words of a question that appear nowhere in its products' notes, in any form."""
    named_as = split_tokens(f"{findings.query.versions_named_as} {findings.query.versions_open}")
    names, known = names_asked(findings), KnownProducts.of(findings.index.products)
    aside = {*named_as, *name_tokens_of(findings.products * bool(findings.query.products))}
    rare = [
        word
        for word in content_words(findings.query.text if findings.query.form is not Form.ERROR else "")
        if not any(word in name for name in names)
        and not word[0].isdigit()
        and not (is_everyday(word) or has_synonyms(word) or requested_statements(word))
        and not any(names_only_changes(" ".join(parts)) for parts in spellings(word))  # "bugfix"
        and aside.isdisjoint(split_tokens(word)[:1])
        and known.called(word) not in findings.query.products
        and word not in findings.query.references
    ]
    return tuple(name for name in (*names, *rare) if not is_mentioned(findings, name))


def describe_missing(findings: Findings, names: tuple[str, ...]) -> str:
    """Return "the notes of Gizmo don't mention `a` or `b`.", for the end of a sentence; for names of code "no entry of
    Gizmo holds `a` (1,234 sentences looked through)."."""
    written = (as_code(shorten(name.replace("`", "'"), max_characters=_WORD_CHARACTERS)) for name in names)
    listed, products = " or ".join(islice(written, _MOST_NAMED)), findings.query.products
    if not products:
        return f"no notes in the library mention {listed}."
    called = " and ".join(products[:_MOST_NAMED])
    if set(names).isdisjoint(findings.query.symbols):
        return f"the notes of {called} don't mention {listed}."
    return f"no entry of {called} holds {listed} ({count_items(findings.index, products):,} sentences looked through)."


def count_items(index: IndexReader, products: Sequence[str]) -> int:
    """Return how many sentences and other items the notes of some products have."""
    table = index.passages
    return int(np.diff(table.item_offsets)[np.isin(table.products, index.product_places(products))].sum())


def begin_sentence(words: str) -> str:
    """Return words with a capital first letter."""
    return words[:1].upper() + words[1:]


def missing_value(findings: Findings, best: ItemScore) -> str:
    """Return which requested kind of value an entry lacks ("no date is given"); empty if it lacks none."""
    wanted = findings.focus.value
    return "" if wanted is None or findings.focus.has_value_in(entry_of(findings, best)) else _VALUES[wanted]


def is_mentioned(findings: Findings, name: str) -> bool:
    """Return whether any note of the query's products may mention a name, in any spelling or by its last part."""
    whole = name.removesuffix("()").removesuffix("'s")
    lower, is_protocol, member = whole.casefold(), bool(_PROTOCOL.fullmatch(whole)), _MEMBERS.split(whole)[-1]
    forms = [] if is_protocol else [*split_tokens(whole)[:1], *NICKNAMES.get(lower, ())]
    if lower.isalpha() and lower.isascii() and len(lower) >= _SHORTEST_SHORT_FORM:
        forms += (lower.removesuffix("s"), *islice(findings.index.lexical.terms_from(lower), _MOST_TERMS))
    is_code, last = member != whole and is_everyday(member), split_tokens(member)[:1]
    forms += [] if is_code or is_protocol else last
    if _rows_with(findings, forms).size:
        return True
    if is_code:
        # An everyday word counts only if it is written like code.
        rows = _rows_with(findings, last)
        return _is_written(findings, rows, rf"[.:`]{re.escape(member)}\b|\b{re.escape(member)}\(")
    for parts in ((member,), *spellings(member)):
        rows_of_parts = [_rows_with(findings, split_tokens(part)[:1]) for part in parts]
        # Two things in one word ("OFFSET/FETCH") needn't be together.
        is_apart = "/" in whole and not is_protocol and all(rows.size for rows in rows_of_parts)
        together = r"\b" + r"[\W_]{0,3}".join(map(re.escape, parts)) + r"(?!\d)"
        if is_apart or _is_written(findings, reduce(np.intersect1d, rows_of_parts), together):
            return True
    return False


def _is_written(findings: Findings, rows: NDArray[np.int64], pattern: str) -> bool:
    """Return whether a pattern matches in one of the passages; True without a match if there are too many to read."""
    read = ((p, findings.index.text_of(p)) for p in findings.index.load_passages(rows[:_READ].tolist()))
    words = (source_words(passage.span.slice(text), text, passage.document.media_type) for passage, text in read)
    return rows.size > _READ or any(re.search(pattern, text, re.IGNORECASE) for text in words)


def _rows_with(findings: Findings, tokens: Iterable[str]) -> NDArray[np.int64]:
    """Return the positions of the query's products' passages that contain any of the tokens."""
    return findings.index.passages_holding(tokens, products=[product.name for product in findings.products])


def with_all_mentions(findings: Findings, words: Sequence[QuestionWord]) -> Findings | None:
    """Return the findings extended by all other items in passages of the query's products that contain all `words`, in
    any spelling, to make sure that none answers; None if there are too many."""
    # Numbers are left out, because a range may include one without naming it.
    rows = [_rows_naming(findings, word) for word in [word for word in words if not word.text[0].isdigit()] or words]
    positions = reduce(np.intersect1d, rows) if rows else np.zeros(0, np.int64)
    if positions.size > _MOST_LOOKED:
        return None
    known, query = {item.passage.position for item in findings.scored}, findings.query
    more = list(findings.scored)
    for passage in findings.index.load_passages([row for row in positions.tolist() if row not in known]):
        match = match_release(query.constraint, passage.release, bearing=query.bearing)
        hit, heading = Hit(passage, 0.0, 0.0, match), frozenset(split_tokens(" ".join(passage.heading)))
        scored = (ItemScore(hit, number, None, 0.0) for number in range(len(passage.items)))
        more += (replace(item, tokens=heading.union(split_tokens(findings.words_of(item)))) for item in scored)
    return replace(findings, scored=tuple(more))


def _rows_naming(findings: Findings, word: QuestionWord) -> NDArray[np.int64]:
    """Return the positions of the query's products' passages that contain a word in any spelling."""
    lexical = findings.index.lexical
    # "2.7" in "Python 2.7" also names "2".
    series = islice(lexical.terms_from(f"{word.text}."), _MOST_TERMS) if word.text.isdecimal() else ()
    rows = _rows_with(findings, (word.tokens[0], *series))
    for spelling in word.alike:
        if all(map(lexical.document_frequency, spelling)):
            rows = np.union1d(rows, reduce(np.intersect1d, (_rows_with(findings, [part]) for part in spelling)))
    return rows


def names_asked(findings: Findings) -> tuple[str, ...]:
    """Return the names in a question that an answer must contain: no numbers ("3.9 or later" answers a question about
    3.8), no plain words, which notes may paraphrase, and no names before the question or all its words ("AFAIK")."""
    text, keywords = findings.query.text, findings.focus.keywords
    question = " ".join([part for part in _SENTENCES.split(text) if part and part.endswith("?")] or [text])
    protocols = _PROTOCOL.findall(question)
    is_loud = text.isupper()
    fixed = [word.text for word in findings.focus.names if word.is_thing or _is_fixed_name(word, is_loud=is_loud)]
    names = [name for name in fixed if not any(name in protocol.split("/") for protocol in protocols)]
    before = set(takewhile(lambda word: not is_everyday(word), re.findall(r"[\w'-]+", text)))
    names = [name for name in names if not (name in before and name.isupper() and len(keywords) > len(before))]
    return (*protocols, *(name for name in names if name in question))


def _is_fixed_name(word: QuestionWord, *, is_loud: bool) -> bool:
    """Return whether a word can't be paraphrased: one written as a name, which isn't just a question in capitals."""
    is_plain = word.text.islower() or (is_loud and is_everyday(word.text))
    is_path = "/" in word.text and "." in word.text
    is_own = (not is_plain and len(word.text) > _SHORTEST_NAME) or (not is_loud and is_sure(word.text))
    return is_own and not (is_path or word.text[0].isdigit())


def is_sure(name: str) -> bool:
    """Return whether a word is surely a name: a platform, or one with capitals, digits or signs inside."""
    word = numbered[1].lower() if (numbered := _NUMBERED.fullmatch(name)) else ""
    if numbered and (word in NICKNAMES or (name.islower() and (len(word) < 2 or is_everyday(word)))):
        return False
    is_written = CODE.search(name) or _PROTOCOL.fullmatch(name)
    return name.lower() in RUNS_ON or (len(name) > _SHORTEST_NAME and bool(is_written))


def entry_of(findings: Findings, best: ItemScore) -> str:
    """Return the text of the whole entry or paragraph that contains an item."""
    items = best.passage.items
    first = next((number for number in range(best.number, 0, -1) if items[number].opens), 0)
    after = next((item.span.start for item in items[best.number + 1 :] if item.opens), best.passage.span.end)
    return findings.text_of(best)[items[first].span.start : after]
