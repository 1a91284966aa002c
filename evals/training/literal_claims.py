"""Claims made of the notes' own words: what people copy, with at most one thing changed, and the plainest they make."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.claims.model import Verdict
from retrieval.judge.claims import Slot
from retrieval.judge.pairs import JudgedItem, Side, read_pair

_SAME = (
    ("removed", "dropped"), ("dropped", "removed"), ("fixes", "solves"), ("fixed", "solved"), ("added", "introduced"),
    ("add", "introduce"), ("requires", "needs"), ("allows", "lets you"), ("supports", "handles"),
    ("renamed", "now called"), ("remove", "drop"), ("drop", "remove"), ("no longer", "not any more"),
)  # fmt: skip
_OPPOSITE = (
    ("removed", "added", Slot.STATUS), ("dropped", "added", Slot.STATUS), ("added", "removed", Slot.STATUS),
    ("add", "remove", Slot.STATUS), ("remove", "add", Slot.STATUS), ("deprecated", "removed", Slot.STATUS),
    ("removed", "deprecated", Slot.STATUS), ("no longer", "still", Slot.STATUS), ("now", "no longer", Slot.STATUS),
    ("enabled", "disabled", Slot.STATUS), ("disabled", "enabled", Slot.STATUS), ("allows", "forbids", Slot.STATUS),
    ("supports", "no longer supports", Slot.STATUS), ("requires", "no longer requires", Slot.STATUS),
    ("fixed", "broken", Slot.STATUS), ("faster", "slower", Slot.DIRECTION), ("before", "after", Slot.DIRECTION),
    ("increased", "decreased", Slot.DIRECTION), ("minimum", "maximum", Slot.DIRECTION),
    ("only", "also", Slot.CONDITION), ("windows", "Linux", Slot.CONDITION), ("linux", "macOS", Slot.CONDITION),
    ("macos", "Windows", Slot.CONDITION),
)  # fmt: skip
_PLACED = (
    "{said}", "{said}.", "{product} {release}: {said}", "In {product} {release}, {said}", "{said} in {release}",
    "since {product} {release}: {said}", "{said} ({product} {release})",
)  # fmt: skip
_PLAIN = {
    "removed": (
        "{name} was removed in {release}",
        "{product} {release} removed {name}",
        "{name} is gone as of {release}.",
    ),
    "deprecated": ("{name} was deprecated in {release}", "{product} {release} deprecates {name}."),
    "added": ("{name} was added in {release}", "{product} {release} introduced {name}.", "{name} is new in {release}"),
}
_TOLD = {
    "removed": re.compile(r"\b(?:remov|drop)", re.IGNORECASE),
    "deprecated": re.compile(r"\bdeprecat", re.IGNORECASE),
    "added": re.compile(r"\b(?:add(?:s|ed)?|new|introduc\w+)\b", re.IGNORECASE),
}
_COMING = re.compile(r"\b(?:will|plan\w*|future)\b", re.IGNORECASE)
_BEGINNING, _BESIDE = 90, 40
_SENTENCE_END = re.compile(r"(?<=[a-z`)])[.;] ")
_RECORDS = re.compile(r"\s*\(?\[?(?:#\d|https?:|:\w+:|@\w|by @|[0-9a-f]{7,}\b).*$")
_NUMBER = re.compile(r"(?<![\w.#-])\d+(?:\.\d+)*(?![\w-])")
_MIN_CHARACTERS, _MAX_CHARACTERS = 18, 180
_STEPS = (-2, -1, 1, 2, 3, 10)
_Made = tuple[str, str, Verdict, Slot | None]
"""A claim, the release that it names, the verdict and what differs."""


LiteralClaim = tuple[tuple[Side, Side], Verdict, Slot | None, str]
"""A made claim beside the item whose words it has, its verdict, what differs, and the item's path."""


def literal_claims(
    items: Mapping[tuple[str, int], JudgedItem], *, limit: int, chosen: random.Random
) -> Iterator[LiteralClaim]:
    """At most `limit` claims that copy items (by path and place), and about as many of the plainest that items bear."""
    beside: dict[str, list[JudgedItem]] = defaultdict(list)
    for item in items.values():
        beside[item.product].append(item)
    places = [(path, item) for (path, _), item in items.items() if item.release]
    for claims_of in (_copied, _plain):
        chosen.shuffle(places)
        made = 0
        for path, item in places:
            if made >= limit:
                break
            for text, release, verdict, slot in claims_of(item, beside[item.product], chosen):
                named = [one for one in (Version.try_parse(release), Version.try_parse(str(item.release))) if one]
                made += 1
                yield read_pair(text, named, item), verdict, slot, path


def _copied(item: JudgedItem, beside: Sequence[JudgedItem], chosen: random.Random) -> Iterator[_Made]:
    """A true one and, where something in it can be changed, a false one."""
    sentence = _RECORDS.sub("", _SENTENCE_END.split(item.text)[0]).strip(" *-.:")
    if not _MIN_CHARACTERS <= len(sentence) <= _MAX_CHARACTERS:
        return
    true = _swapped(sentence, [(word, other, None) for word, other in _SAME], chosen) if chosen.random() < 0.5 else None
    for words, release, slot in (
        (true[0] if true else sentence, str(item.release), None),
        *_changed(sentence, item, beside, chosen),
    ):
        text = chosen.choice(_PLACED).format(said=words, product=item.product, release=release)
        if slot is not Slot.VERSION or release in text:
            yield text, release, Verdict.CONTRADICTED if slot else Verdict.SUPPORTED, slot


def _plain(item: JudgedItem, beside: Sequence[JudgedItem], chosen: random.Random) -> Iterator[_Made]:
    """Of an item that tells just one of these of a name: that it was added, deprecated or removed, and a false one or
    one of a name that the item doesn't tell of."""
    beginning = item.text[:_BEGINNING]
    names = find_symbols(beginning)
    acts = [act for act, words in _TOLD.items() if words.search(beginning)]
    if not names or len(acts) != 1:
        return
    (act,), name, own = acts, names[0], str(item.release)

    def made(act: str, name: str, release: str, verdict: Verdict, slot: Slot | None = None) -> _Made:
        text = chosen.choice(_PLAIN[act]).format(name=name, product=item.product, release=release)
        return text, release, verdict, slot

    if _COMING.search(beginning):
        # What is deprecated now is often said to go later.
        if act != "deprecated":
            yield made(act, name, own, Verdict.CONTRADICTED, Slot.STATUS)
        return
    yield made(act, name, own, Verdict.SUPPORTED)
    match chosen.choice((Slot.STATUS, Slot.VERSION, Slot.SUBJECT)):
        case Slot.STATUS:
            other = chosen.choice([one for one in _PLAIN if one != act])
            yield made(other, name, own, Verdict.CONTRADICTED, Slot.STATUS)
        case Slot.VERSION:
            releases = sorted({str(one.release) for one in beside if one.release and name not in one.text} - {own})
            if releases:
                yield made(act, name, chosen.choice(releases), Verdict.CONTRADICTED, Slot.VERSION)
        case _:
            if others := _names_beside(item, beside):
                yield made(act, chosen.choice(others), own, Verdict.NOT_FOUND)


def _names_beside(item: JudgedItem, beside: Sequence[JudgedItem]) -> list[str]:
    return [name for one in beside[:_BESIDE] for name in find_symbols(one.text) if name not in item.text]


def _changed(
    text: str, item: JudgedItem, beside: Sequence[JudgedItem], chosen: random.Random
) -> Iterator[tuple[str, str, Slot | None]]:
    """Return the words with one thing changed, their release, and what was changed; nothing where that can't be."""
    release = str(item.release)
    match chosen.choice((Slot.VERSION, Slot.NUMBER, Slot.STATUS, Slot.SUBJECT)):
        case Slot.VERSION:
            others = sorted({str(one.release) for one in beside if one.release and one.text[:40] != item.text[:40]})
            if others and (other := chosen.choice(others)) != release:
                yield text, other, Slot.VERSION
        case Slot.NUMBER:
            if numbers := list(_NUMBER.finditer(text)):
                number = chosen.choice(numbers)
                *first, last = number[0].split(".")
                other = ".".join((*first, str(max(0, int(last) + chosen.choice(_STEPS)))))
                if other != number[0]:
                    yield text[: number.start()] + other + text[number.end() :], release, Slot.NUMBER
        case Slot.STATUS:
            if swapped := _swapped(text, _OPPOSITE, chosen):
                yield swapped[0], release, swapped[1]
        case _:
            own, names = find_symbols(text), _names_beside(item, beside)
            if own and names:
                yield text.replace(chosen.choice(own), chosen.choice(names)), release, Slot.SUBJECT


def _swapped(
    text: str, pairs: Sequence[tuple[str, str, Slot | None]], chosen: random.Random
) -> tuple[str, Slot | None] | None:
    found = [pair for pair in pairs if re.search(rf"\b{pair[0]}\b", text, re.IGNORECASE)]
    if not found:
        return None
    word, other, slot = chosen.choice(found)
    return re.sub(rf"\b{word}\b", other, text, count=1, flags=re.IGNORECASE), slot
