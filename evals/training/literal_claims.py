"""Claims generated from the notes' own words: copied sentences with at most one thing changed, and plain statements."""

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
_REPORTED = {
    "removed": re.compile(r"\b(?:remov|drop)", re.IGNORECASE),
    "deprecated": re.compile(r"\bdeprecat", re.IGNORECASE),
    "added": re.compile(r"\b(?:add(?:s|ed)?|new|introduc\w+)\b", re.IGNORECASE),
}
_COMING = re.compile(r"\b(?:will|plan\w*|future)\b", re.IGNORECASE)
_BEGINNING, _PEERS = 90, 40
_SENTENCE_END = re.compile(r"(?<=[a-z`)])[.;] ")
_RECORDS = re.compile(r"\s*\(?\[?(?:#\d|https?:|:\w+:|@\w|by @|[0-9a-f]{7,}\b).*$")
_NUMBER = re.compile(r"(?<![\w.#-])\d+(?:\.\d+)*(?![\w-])")
_MIN_CHARACTERS, _MAX_CHARACTERS = 18, 180
_STEPS = (-2, -1, 1, 2, 3, 10)
_Claim = tuple[str, str, Verdict, Slot | None]
"""A claim, the release that it names, its verdict, and what was changed in it, if anything."""


LiteralClaim = tuple[tuple[Side, Side], Verdict, Slot | None, str]
"""A generated claim paired with the item it was made from, its verdict, what was changed, and the item's path."""


def literal_claims(
    items: Mapping[tuple[str, int], JudgedItem], *, limit: int, rng: random.Random
) -> Iterator[LiteralClaim]:
    """Yield about `limit` claims that copy items (by path and place), then as many plain statements about them."""
    by_product: dict[str, list[JudgedItem]] = defaultdict(list)
    for item in items.values():
        by_product[item.product].append(item)
    places = [(path, item) for (path, _), item in items.items() if item.release]
    for claims_of in (_copied_claims, _plain_claims):
        rng.shuffle(places)
        count = 0
        for path, item in places:
            if count >= limit:
                break
            for text, release, verdict, slot in claims_of(item, by_product[item.product], rng):
                versions = [v for v in (Version.try_parse(release), Version.try_parse(str(item.release))) if v]
                count += 1
                yield read_pair(text, versions, item), verdict, slot, path


def _copied_claims(item: JudgedItem, peers: Sequence[JudgedItem], rng: random.Random) -> Iterator[_Claim]:
    """Yield a true claim with the item's words and, if something in them can be changed, a false one."""
    sentence = _RECORDS.sub("", _SENTENCE_END.split(item.text)[0]).strip(" *-.:")
    if not _MIN_CHARACTERS <= len(sentence) <= _MAX_CHARACTERS:
        return
    true = _swap_word(sentence, [(word, other, None) for word, other in _SAME], rng) if rng.random() < 0.5 else None
    for words, release, slot in (
        (true[0] if true else sentence, str(item.release), None),
        *_change_one_thing(sentence, item, peers, rng),
    ):
        text = rng.choice(_PLACED).format(said=words, product=item.product, release=release)
        if slot is not Slot.VERSION or release in text:
            yield text, release, Verdict.CONTRADICTED if slot else Verdict.SUPPORTED, slot


def _plain_claims(item: JudgedItem, peers: Sequence[JudgedItem], rng: random.Random) -> Iterator[_Claim]:
    """Yield a true claim that a name was added, deprecated or removed, then a false claim or one on a name that the
    item doesn't mention; nothing unless the item's beginning reports just one of these acts."""
    beginning = item.text[:_BEGINNING]
    names = find_symbols(beginning)
    acts = [act for act, words in _REPORTED.items() if words.search(beginning)]
    if not names or len(acts) != 1:
        return
    (act,), name, release = acts, names[0], str(item.release)

    def build(act: str, name: str, other_release: str, verdict: Verdict, slot: Slot | None = None) -> _Claim:
        text = rng.choice(_PLAIN[act]).format(name=name, product=item.product, release=other_release)
        return text, other_release, verdict, slot

    if _COMING.search(beginning):
        # An announced act hasn't happened; but a deprecation often comes with "will be removed".
        if act != "deprecated":
            yield build(act, name, release, Verdict.CONTRADICTED, Slot.STATUS)
        return
    yield build(act, name, release, Verdict.SUPPORTED)
    match rng.choice((Slot.STATUS, Slot.VERSION, Slot.SUBJECT)):
        case Slot.STATUS:
            other_act = rng.choice([verb for verb in _PLAIN if verb != act])
            yield build(other_act, name, release, Verdict.CONTRADICTED, Slot.STATUS)
        case Slot.VERSION:
            releases = sorted({str(e.release) for e in peers if e.release and name not in e.text} - {release})
            if releases:
                yield build(act, name, rng.choice(releases), Verdict.CONTRADICTED, Slot.VERSION)
        case _:
            if other_names := _names_of_peers(item, peers):
                yield build(act, rng.choice(other_names), release, Verdict.NOT_FOUND)


def _names_of_peers(item: JudgedItem, peers: Sequence[JudgedItem]) -> list[str]:
    return [name for near in peers[:_PEERS] for name in find_symbols(near.text) if name not in item.text]


def _change_one_thing(
    text: str, item: JudgedItem, peers: Sequence[JudgedItem], rng: random.Random
) -> Iterator[tuple[str, str, Slot | None]]:
    """Yield (the words with one thing changed, their release, what was changed) at most once: if it can be changed."""
    release = str(item.release)
    match rng.choice((Slot.VERSION, Slot.NUMBER, Slot.STATUS, Slot.SUBJECT)):
        case Slot.VERSION:
            others = sorted({str(near.release) for near in peers if near.release and near.text[:40] != item.text[:40]})
            if others and (other := rng.choice(others)) != release:
                yield text, other, Slot.VERSION
        case Slot.NUMBER:
            if numbers := list(_NUMBER.finditer(text)):
                number = rng.choice(numbers)
                *first, last = number[0].split(".")
                other = ".".join((*first, str(max(0, int(last) + rng.choice(_STEPS)))))
                if other != number[0]:
                    yield text[: number.start()] + other + text[number.end() :], release, Slot.NUMBER
        case Slot.STATUS:
            if swapped := _swap_word(text, _OPPOSITE, rng):
                yield swapped[0], release, swapped[1]
        case _:
            item_names, names = find_symbols(text), _names_of_peers(item, peers)
            if item_names and names:
                yield text.replace(rng.choice(item_names), rng.choice(names)), release, Slot.SUBJECT


def _swap_word(
    text: str, pairs: Sequence[tuple[str, str, Slot | None]], rng: random.Random
) -> tuple[str, Slot | None] | None:
    """Return (the text with one of `pairs` swapped at random, what that changes); None if no pair's word is in it."""
    usable = [pair for pair in pairs if re.search(rf"\b{pair[0]}\b", text, re.IGNORECASE)]
    if not usable:
        return None
    word, replacement, slot = rng.choice(usable)
    return re.sub(rf"\b{word}\b", replacement, text, count=1, flags=re.IGNORECASE), slot
