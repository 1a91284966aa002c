"""The form of a question, which decides the shape of its answer, and the act it asks about; read by classifiers.

They were trained on `evals/training/forms.jsonl` by `python -m evals.training.readers`; CONTRIBUTING.md says how to
add a form. Names, versions and code are masked, so that questions about any product can be read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus.everyday_words import PLATFORMS
from corpus.happenings import ISSUES, NOT_DONE, asserted_act, reports_act
from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.text_classifier import TextClassifier, packaged_classifier
from retrieval.model import Form, Relative, Shape, Wanted
from retrieval.question.subject import COMPARING, KINDS_OF_THINGS, names_only_changes
from retrieval.question.tokens import Token, TokenKind, replace_ranges


@dataclass(frozen=True, slots=True)
class FormReading:
    """The result of reading a question's form."""

    form: Form
    certainty: float  # 0 to 1.
    act: Act | None  # The kind of event it asks about; None for no particular one.
    wanted: Wanted | None = None
    relative: Relative | None = None


_MASKS = {TokenKind.PRODUCT: "PRODUCT", TokenKind.VERSION: "VERSION", TokenKind.SYMBOL: "CODE"}
_ANY = "the product"
"""Replaces a product's name before a question is embedded. With the name left out, "Node versions for Vite 6?" was read
as asking whether there is a version."""
_READ_WORDS = 40
NOTHING = "none"  # The label for no value wanted, or no release named by its order.
_LAST = r"\b(?:last|latest|newest|final|most recent) (?:\S+ )"
_BREAKING = re.compile(_LAST + "?(?:breaking|incompatib)")
_LAST_WITH = re.compile(
    _LAST + r"{0,4}?(?:(?:that|which|to)(?: \S+)? (?:ha[ds]|have|support|work|r[au]n|buil|compil|install)\w*"
    r"|(?:supporting|(?:compatible|(?:work|runn|build)ing|i can \S+) (?:with|on))"
    r"|(?:for|with|on) (?:CODE|(?!the )\S+ (?:NUMBER|VERSION)))\b"
    rf"|(?:NUMBER|VERSION)\b.*{_LAST}{{0,3}}?(?:i|we|you) (?:can|could|may)\b"
)
_ONE_ENTRY = frozenset({Form.MIGRATE, Form.YES_NO, Form.FACT, Form.VALUE})
_THINGS = KINDS_OF_THINGS | COMPARING | frozenset(split_tokens("got use replacement replacements"))
"""Forms answered with one entry, and words of questions for all entries of a kind that a release has."""
_TOLD_MARKS = frozenset("?!:")
_LENGTH_STEP, _SURE = 3, 0.5
_ASKING = frozenset("what which when why how who where".split())
_WHETHER = frozenset("is are was were does do did has had can will must".split())  # "Should" asks for advice.
_JOINING = frozenset("and so but in on with for since".split())  # Words that may precede it.
_WHETHER_WEIGHT = 20.0
"""How much such an opening raises the odds of yes or no against other forms with one entry as answer. In 949 typed
examples with such an opening, read by models not trained on them, it corrects 13 readings and spoils one."""


def form_terms(tokens: Sequence[Token]) -> set[str]:
    """Return a question's features for the classifiers: its words, pairs and triples with names masked, its length."""
    words = ["^", *[word for token in tokens if (word := _mask(token))][:_READ_WORDS], "$"]
    pairs = [f"{word} {following}" for word, following in pairwise(words)]
    triples = [f"{pair} {word}" for pair, word in zip(pairs, words[2:], strict=False)]
    return {*words, *pairs, *triples, f"length:{min(_READ_WORDS, len(words)) // _LENGTH_STEP}"}


def _mask(token: Token) -> str:
    if token.kind in _MASKS:
        return _MASKS[token.kind]
    if token.kind is TokenKind.MARK:
        return token.text if token.text in _TOLD_MARKS else ""
    return "NUMBER" if token.word.isdecimal() else token.word


def without_names(text: str, tokens: Sequence[Token]) -> str:
    """Return a question with "the product" for each product name, because the name doesn't affect the form."""
    return replace_ranges(text, [(t.start, t.end, _ANY) for t in tokens if t.kind is TokenKind.PRODUCT])


def read_form(tokens: Sequence[Token], vector: NDArray[np.float32] | None, *, digest: str = "") -> FormReading:
    """Read a question's form; `vector` (dimensions,) embeds its text `without_names` by the model with `digest`."""
    terms = [form_terms(tokens)]
    row = None if vector is None else vector[None, :]

    def chances_of(name: str) -> dict[str, float]:
        reader = reader_named(name)
        return dict(zip(reader.labels, reader.probabilities(terms, row, digest=digest)[0].tolist(), strict=True))

    def likeliest(name: str) -> str:
        chances = chances_of(name)
        return max(chances, key=lambda label: chances[label])

    forms = chances_of("forms")
    form = Form(max(forms, key=lambda label: forms[label]))
    opening = next((token.word for token in tokens if token.word not in _JOINING), "")
    if opening in _WHETHER and form.traits.shape is Shape.FACT and _WHETHER_WEIGHT * forms["yes_no"] > forms[form]:
        form = Form.YES_NO
    words, masked = [token for token in tokens if token.kind is not TokenKind.MARK], " ".join(map(_mask, tokens))
    plain = ISSUES.sub("bugs", " ".join(t.word for t in words if t.kind is TokenKind.WORD and t.word != "v"))
    runtimes = [b for a, b in pairwise(words) if a.word in PLATFORMS or a.word == "go"]
    is_open = (form is Form.FACT or forms[form] < _SURE) and _ASKING.isdisjoint(token.word for token in words)
    if is_open and any(b.version or b.word.isdecimal() for b in runtimes):
        form = Form.YES_NO  # "gizmo on node 18"
    is_other = masked.count("PRODUCT") > 1 or "PRODUCT version" not in masked
    if is_other and any("version" in b.word for b in runtimes) and names_only_changes(plain, PLATFORMS):
        form = Form.VALUE  # "gizmo node version"
    if len(words) == 1 and words[0].product:
        return FormReading(Form.WHATS_NEW, 1.0, None)
    # "The last fix for gizmo 1.4" is of a line of its own, "the last gizmo for Python 3.8" runs on another product.
    others = masked if masked.count("PRODUCT") > 1 else masked.replace("PRODUCT", "the")
    if opening not in _WHETHER and _LAST_WITH.search(others):
        return FormReading(Form.SINCE_WHEN, round(max(forms.values()), 3), Act.REMOVED, Wanted.LAST)
    if form is Form.WHATS_NEW and _BREAKING.search(masked):
        form = Form.BREAKS
    act, relative = _asked_act(masked, form, likeliest("acts")), likeliest("relative")
    wanted = likeliest("asked_of_releases" if form.traits.is_catalogue else "wanted")
    lists_issues = act is Act.KNOWN_ISSUE and form is not Form.SHOULD_UPGRADE
    asks_kind = lists_issues or (act in (Act.REMOVED, Act.DEPRECATED) and form in _ONE_ENTRY)
    if asks_kind and "VERSION" in masked and "CODE" not in masked and names_only_changes(plain, _THINGS):
        form = Form.WHATS_NEW
    return FormReading(
        form=form,
        certainty=round(forms[form.value], 3),
        act=act,
        wanted=None if wanted == NOTHING else Wanted(wanted),
        relative=None if relative == NOTHING else Relative(relative),
    )


def _asked_act(words: str, form: Form, learned: str) -> Act | None:
    """Return the kind of event that a question asks about: the `learned` label, unless the question has a verb for
    another one and none for that ("Which release removed the …?")."""
    act = None if learned == "any" else Act(learned)
    named = asserted_act(words)
    is_open = act is None and form.traits.is_news and named not in NOT_DONE
    is_open = is_open or form.traits.turns_on_name or bool(ISSUES.search(words))
    is_said = act is not None and reports_act(act, Act.OTHER, words)
    return act if named is None or is_said or not is_open else named


def reader_named(name: str) -> TextClassifier:
    """Return a trained classifier of questions: `forms`, `acts`, `wanted`, `asked_of_releases` or `relative`."""
    return packaged_classifier("retrieval.question", name)
