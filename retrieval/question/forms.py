"""The form of a question, read by example: what shape its answer has, and which act it asks about.

The models were learned from `evals/training/forms.jsonl` by `python -m evals.training.readers`; a form is added by
a row of `Form` and by examples. Names, versions and code are masked, so that a form is read for any product.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus.happenings import ISSUES, NOT_DONE, asserted_act, reports_act
from corpus.model import Act
from corpus.text_classifier import TextClassifier, packaged_classifier
from retrieval.model import Form, Relative, Shape, Wanted
from retrieval.question.tokens import Token, TokenKind, replace_ranges


@dataclass(frozen=True, slots=True)
class FormReading:
    """What a question was read as."""

    form: Form
    certainty: float  # 0 to 1.
    act: Act | None  # What happening it asks about; None for no particular one.
    wanted: Wanted | None = None
    relative: Relative | None = None


_MASKS = {TokenKind.PRODUCT: "PRODUCT", TokenKind.VERSION: "VERSION", TokenKind.SYMBOL: "CODE"}
_ANY = "the product"
"""What stands for a name where a question's vector is made. Left out instead, "Node versions for Vite 6?" asked whether
there is a version."""
_READ_WORDS = 40
NOTHING = "none"  # The label of a question that wants no value, or names no release by its place.
_LAST = r"\b(?:last|latest|newest|final|most recent) (?:\S+ )"
_BREAKING = re.compile(_LAST + "?(?:breaking|incompatib)")
_LAST_WITH = re.compile(
    _LAST + r"{0,4}?(?:(?:that|which|to)(?: \S+)? (?:ha[ds]|have|support|work|r[au]n|buil|compil|install)\w*"
    r"|(?:supporting|(?:compatible|(?:work|runn|build)ing|i can \S+) (?:with|on))"
    r"|(?:for|with|on) (?:CODE|\S+ (?:NUMBER|VERSION)))\b"
    rf"|(?:NUMBER|VERSION)\b.*{_LAST}{{0,3}}?(?:i|we|you) (?:can|could|may)\b"
)
_TOLD_MARKS = frozenset("?!:")
_LENGTH_STEP = 3
_WHETHER = frozenset("is are was were does do did has had can will must".split())  # "Should" asks for advice.
_JOINING = frozenset("and so but in on with for since".split())  # What may stand before.
_WHETHER_WEIGHT = 20.0
"""How much likelier such an opening makes yes or no than another form that one entry answers. Of 949 typed examples
with one, read by models that hadn't learned from them, 13 become right by it and one wrong."""


def form_terms(tokens: Sequence[Token]) -> set[str]:
    """What the readers look at in a question: its words by one, two and three, names masked, and how long it is."""
    words = ["^", *[word for token in tokens if (word := _mask(token))][:_READ_WORDS], "$"]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    triples = [f"{pair} {word}" for pair, word in zip(pairs, words[2:], strict=False)]
    return {*words, *pairs, *triples, f"length:{min(_READ_WORDS, len(words)) // _LENGTH_STEP}"}


def _mask(token: Token) -> str:
    if token.kind in _MASKS:
        return _MASKS[token.kind]
    if token.kind is TokenKind.MARK:
        return token.text if token.text in _TOLD_MARKS else ""
    return "NUMBER" if token.word.isdecimal() else token.word


def without_names(text: str, tokens: Sequence[Token]) -> str:
    """Return a question with no product's own name: what it asks for doesn't change with what something is called."""
    return replace_ranges(text, [(one.start, one.end, _ANY) for one in tokens if one.kind is TokenKind.PRODUCT])


def read_form(tokens: Sequence[Token], vector: NDArray[np.float32] | None, *, digest: str = "") -> FormReading:
    """Read a question; `vector` (dimensions,) is of its text `without_names`, by the embedding model with `digest`."""
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
    opens = next((token.word for token in tokens if token.word not in _JOINING), "")
    if opens in _WHETHER and form.traits.shape is Shape.FACT and _WHETHER_WEIGHT * forms["yes_no"] > forms[form]:
        form = Form.YES_NO
    words, masked = [token for token in tokens if token.kind is not TokenKind.MARK], " ".join(map(_mask, tokens))
    if len(words) == 1 and words[0].product:
        return FormReading(Form.WHATS_NEW, 1.0, None)
    if opens not in _WHETHER and _LAST_WITH.search(masked):
        return FormReading(Form.SINCE_WHEN, round(max(forms.values()), 3), Act.REMOVED, Wanted.LAST)
    if form is Form.WHATS_NEW and _BREAKING.search(masked):
        form = Form.BREAKS
    act, relative = _asked_act(tokens, form, likeliest("acts")), likeliest("relative")
    wanted = likeliest("asked_of_releases" if form.traits.is_catalogue else "wanted")
    return FormReading(
        form=form,
        certainty=round(forms[form.value], 3),
        act=act,
        wanted=None if wanted == NOTHING else Wanted(wanted),
        relative=None if relative == NOTHING else Relative(relative),
    )


def _asked_act(tokens: Sequence[Token], form: Form, learned: str) -> Act | None:
    """Return what a question asks to have happened: as it was learned, unless it has a verb of another happening and
    none of that one ("Which release removed the …?")."""
    act = None if learned == "any" else Act(learned)
    words = " ".join(_mask(token) for token in tokens)
    named = asserted_act(words)
    is_open = act is None and form.traits.is_news and named not in NOT_DONE
    is_open = is_open or form.traits.turns_on_name or bool(ISSUES.search(words))
    is_said = act is not None and reports_act(act, Act.OTHER, words)
    return act if named is None or is_said or not is_open else named


def reader_named(name: str) -> TextClassifier:
    """Return a learned reader of questions: `forms`, `acts`, `wanted` or, where the catalogue answers,
    `asked_of_releases`, `relative`, `framing`."""
    return packaged_classifier("retrieval.question", name)
