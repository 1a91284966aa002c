"""Corrects the acts that items were read as, by their section and their words: a known issue isn't fixed, a plan isn't
removed yet, and a retracted statement didn't happen."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.change_kinds import act_of_section, kind_of_heading
from corpus.happenings import UNTOLD, Modality, asserted, find_acts, first_act
from corpus.model import Act, Item, Kind, ParsedDocument, Passage
from corpus.plain_words import one_line
from corpus.versions import Version

_VAGUE = frozenset({Act.OTHER, Act.CHANGED, Act.REQUIRES, Act.DEFAULT})  # Acts that a plan or a revert may be read as.
_UNSTATED = frozenset({Act.OTHER, Act.CHANGED, Act.ADDED})  # Acts that a bare name may be read as.
_ENDS = frozenset({Act.REMOVED, Act.DEPRECATED, Act.REPLACED})
_ACTS = {Kind.REMOVAL: Act.REMOVED, Kind.DEPRECATION: Act.DEPRECATED}
_REVERTS = re.compile(r"(?i)\W*(?:reverts?|reverted(?: (?:changes|commits))?|rollbacks?)\W*")
_REMOVED = re.compile(r"(?i)\b(?:remov|dropp)")
_DEPRECATED = re.compile(r"(?i)(?<!future )(?<!planned )(?<!upcoming )\bdeprecat")
_DEPRECATED_BEFORE = re.compile(r"(?i)(?<!\bis)(?<!\bare)(?<!\bnow)(?<!\s)\s++deprecated\s+(?:since|in|as of|from)\b")
_NO_STEM = ("", -1)
_NAME_CHARACTERS, _LABEL_CHARACTERS, _SURE = 160, 40, 0.5
"""Limits for a bare name and a label; the certainty from which on an act is kept. Chosen by hand, never fitted."""


def settle_acts(parsed: ParsedDocument) -> ParsedDocument:
    """Correct the acts that the items already have; passages of plans and known issues become `Kind.OTHER`."""
    text = parsed.document.text
    passages: list[Passage] = []
    stem, place = _NO_STEM, None
    for passage in parsed.passages:
        release = parsed.releases[passage.release]
        # The heading of a release that isn't out ("Upcoming") says nothing about entries.
        is_out = release.version is not None and not release.pending
        titles = tuple(title for title in passage.heading if is_out or not release.label or release.label not in title)
        # A list may continue in the next passage of its section.
        before, place = place, (passage.release, passage.heading)
        stem = stem if place == before else _NO_STEM
        items: list[Item] = []
        for item in passage.items:
            words = item.span.slice(text)
            stem = _stem(item, words, stem)
            is_title = words.rstrip("*_ ").endswith(":") or one_line(words) in passage.heading
            above = (*titles, stem[0]) if stem[0] else titles
            settled = _with_settled_act(item, words, above, release.version)
            items.append(item if item.is_code or is_title else settled)
        kind = passage.kind if act_of_section(titles, release.version) is None else Kind.OTHER
        passages.append(replace(passage, items=tuple(items), kind=kind))
    return replace(parsed, passages=tuple(passages))


def _stem(item: Item, words: str, stem: tuple[str, int]) -> tuple[str, int]:
    """Return the line with a colon that an item's list is below, and that line's indent."""
    if words.rstrip("*_ ").endswith(":"):
        # An entry introduces its nested items, a paragraph the list below it.
        return one_line(words).strip(" :-*+•"), item.indent if item.is_entry else -1
    is_below = item.indent > stem[1] if item.is_entry else not item.opens
    return stem if is_below else _NO_STEM


def _with_settled_act(item: Item, words: str, titles: Sequence[str], release: Version | None) -> Item:
    """Return the item with its act corrected: a known issue or a plan by its section or words; a bare name by its
    heading ("Support for Python 3.9"); never an act that it denies or undoes. Prose without an act isn't a plan."""
    read, is_entry = item.act, item.is_entry
    label, colon, _ = words.partition(":")
    above = (*titles, label) if colon and len(label) <= _LABEL_CHARACTERS else titles
    of_section = act_of_section(above, release)
    act, mode = first_act(words, release, at_once=read in _VAGUE)
    # Prose often mentions coming changes that it isn't about.
    may_plan = read in (act, Act.PLANNED) or (read in _VAGUE and (is_entry or act is not Act.CHANGED))
    # "Will be removed" below a heading "Removed: x" is done.
    is_coming = mode is Modality.COMING and act is read and read in _ENDS
    is_coming = is_coming and (not titles or first_act(titles[-1]) != (act, Modality.DONE))
    is_unsaid = mode is not Modality.COMING and (is_entry or read is not Act.OTHER) and not asserted(words, release)
    is_planned = is_coming or is_unsaid or (mode is Modality.PLANNED and may_plan)
    if of_section is not None and (is_entry or of_section is not Act.PLANNED or read is not Act.OTHER):
        is_planned, act = of_section is Act.PLANNED, of_section
    if is_planned:
        # A plan below a heading of deprecations is a deprecation.
        return replace(item, act=Act.DEPRECATED if any(map(_DEPRECATED.search, titles)) else Act.PLANNED, certainty=1.0)
    if act is Act.KNOWN_ISSUE:
        return replace(item, act=act, certainty=1.0)
    if is_entry and titles and _REVERTS.fullmatch(titles[-1]):
        return replace(item, act=Act.REVERTED)
    # A removal may state when its subject was deprecated.
    is_open = mode is None or (mode is Modality.DONE and _DEPRECATED_BEFORE.search(words) is not None)
    below = (_act_below(above) or _act_below(titles)) if is_open and len(words) <= _NAME_CHARACTERS else None
    if below and (item.certainty < _SURE or mode is Modality.DONE or (is_entry and read in _UNSTATED)):
        return replace(item, act=below, certainty=max(item.certainty, _SURE))
    # "Deprecated x. Its makers no longer support it."
    is_led = first_act(words, release, at_once=True) == (Act.DEPRECATED, Modality.DONE)
    if is_led and read is Act.REMOVED and not _DEPRECATED_BEFORE.search(words):
        return replace(item, act=Act.DEPRECATED)
    verb = Act.FIXED if read is Act.SECURED else read
    ways = {way for happened, way in find_acts(words, release) if happened is verb}
    is_other = bool(ways) and ways <= UNTOLD | {Modality.PLANNED}
    if is_other or (read is Act.PLANNED and asserted(words, release) == " ".join(words.split())):
        return replace(item, act=act if act and mode is Modality.DONE else Act.CHANGED)
    is_reverted = (act, mode) == (Act.REVERTED, Modality.DONE) and Modality.DONE not in ways
    return replace(item, act=Act.REVERTED) if is_reverted and read in {*_VAGUE, *_ENDS, Act.PLANNED} else item


def _act_below(titles: Sequence[str]) -> Act | None:
    """Return the act that the last title implies for a bare name below it, if any; None if it names two acts."""
    title = titles[-1] if titles else ""
    kind = None if _REMOVED.search(title) and _DEPRECATED.search(title) else kind_of_heading(title)
    return _ACTS.get(kind) if kind else None
