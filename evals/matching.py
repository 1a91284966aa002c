"""Normal forms of text, in which gold, passages and quotes are compared."""

import html
import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

_TYPOGRAPHY = str.maketrans(
    {
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{MINUS SIGN}": "-",
        "\N{NO-BREAK SPACE}": " ",
    }
)
_INVISIBLE = "\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NO-BREAK SPACE}"
_MARKUP = re.compile(r"<(script|style|head)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.IGNORECASE | re.DOTALL)
_WRITTEN_VERSION = re.compile(r"^v(?=\d)")
_SHORT_WORD = 3
_ANSWER_MARKS = re.compile(r"\s*\[\d+\]|[`*_\\]")


@dataclass(frozen=True, slots=True)
class Squashed:
    """Normalised text without white space; `positions[i]` is the offset of its i-th character in the original."""

    text: str
    positions: "array[int]"


def squash(text: str) -> Squashed:
    """Fold quotation marks, dashes, compatibility forms and case, and remove white space."""
    folded = [_fold(character) for character in text]
    positions = array("L")
    for position, forms in enumerate(folded):
        for _ in forms:
            positions.append(position)
    return Squashed("".join(folded), positions)


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    if character.isspace() or character in _INVISIBLE:
        return ""
    forms = unicodedata.normalize("NFKC", character.translate(_TYPOGRAPHY))
    return "".join(form.lower() for form in forms if not form.isspace())


def normalise(text: str) -> str:
    """Return the form for matching key facts: folded as by `squash`, each run of white space as one blank."""
    return collapse(unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).lower())


def plain_answer(text: str) -> str:
    """Return an answer's text in the form for matching key facts, without its markers and Markdown's marks."""
    return normalise(_ANSWER_MARKS.sub("", text))


def collapse(text: str) -> str:
    """Replace each run of white space by one blank; strip the ends."""
    return re.sub(r"\s+", " ", text).strip()


def untag(markup: str) -> str:
    """Return the text of an HTML page without its tags, comments, head, scripts and styles.

    Crude on purpose: texts are compared without white space, so block structure makes no difference, and a scorer
    must not share the faults of the extractor that it scores.
    """
    return html.unescape(_MARKUP.sub("", markup))


def holds_wording(wording: str, normalised: str) -> bool:
    """Return whether a normalised text contains a wording of a key fact.

    Numbers don't match inside longer numbers or names (`2.1` not in `2.10`, `2.1.3` or `py2.1`, but in `2.1.0`), nor
    words of up to three letters inside longer words. A "v" before a version is optional. An empty wording always
    matches.
    """
    sought = _WRITTEN_VERSION.sub("", normalise(wording))
    if not sought:
        return True
    short = len(sought) <= _SHORT_WORD
    before = r"(?<![\d.a-uw-z_])" if sought[0].isdigit() else r"(?<!\w)" if short and sought[0].isalpha() else ""
    after = r"(?!\d|\.(?!0(?!\d))\d)" if sought[-1].isdigit() else r"(?!\w)" if short and sought[-1].isalpha() else ""
    return re.search(before + re.escape(sought) + after, normalised) is not None
