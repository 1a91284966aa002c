"""What items were read as, set right by where they stand and by what their words say of it: a known issue isn't what is
fixed, nor a plan what is removed, nor what is taken back what happened.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.change_kinds import act_of_section
from corpus.happenings import Told, first_told, looks_ahead, read_told
from corpus.model import Act, Item, Kind, ParsedDocument, Passage, Release
from corpus.plain_words import one_line
from corpus.versions import Version

_VAGUE = frozenset({Act.OTHER, Act.CHANGED, Act.REQUIRES, Act.DEFAULT})
"""What may be read of a plan, too."""
_ENDS = frozenset({Act.REMOVED, Act.DEPRECATED, Act.REPLACED})
_REVERTS = re.compile(r"\W*(?:reverts?|reverted(?: (?:changes|commits))?|rollbacks?)\W*", re.IGNORECASE)
_DEPRECATED = re.compile(r"(?<!future )(?<!planned )(?<!upcoming )\bdeprecat", re.IGNORECASE)


def settle_acts(parsed: ParsedDocument) -> ParsedDocument:
    """The document with the act of each item settled; its items have been read before."""
    text = parsed.document.text
    passages: list[Passage] = []
    for passage in parsed.passages:
        release = parsed.releases[passage.release]
        titles = _titles(passage, release)
        items: list[Item] = []
        for item in passage.items:
            words = item.span.slice(text)
            is_title = words.rstrip("*_ ").endswith(":") or one_line(words) in passage.heading
            items.append(item if item.is_code or is_title else _settled(item, words, titles, release.version))
        kind = passage.kind if act_of_section(titles, release.version) is None else Kind.OTHER
        passages.append(replace(passage, items=tuple(items), kind=kind))
    return replace(parsed, passages=tuple(passages))


def _titles(passage: Passage, release: Release) -> tuple[str, ...]:
    """The headings above a passage; that of a release which isn't out ("Upcoming") announces none of its entries."""
    is_out = release.version is not None and not release.pending
    return tuple(title for title in passage.heading if is_out or not release.label or release.label not in title)


def _settled(item: Item, words: str, titles: Sequence[str], release: Version | None) -> Item:
    """The item as a known issue or a plan by its section or words, as reverted by its heading, and not as what it
    denies or undoes. Prose in a section of plans may just be prose."""
    read = item.act
    of_section = act_of_section(titles, release)
    act, how = first_told(words, release, at_once=read in _VAGUE)
    # Prose looks ahead to many things.
    may_plan = read is act or (read in _VAGUE and (item.is_entry or act is not Act.CHANGED))
    # What will be removed below "Removed: x" is.
    is_coming = how is Told.COMING and act is read and read in _ENDS
    is_coming = is_coming and (not titles or first_told(titles[-1]) != (act, Told.DONE))
    is_planned = is_coming or (how is Told.PLANNED and may_plan)
    if of_section is not None and (item.is_entry or of_section is not Act.PLANNED or read is not Act.OTHER):
        is_planned, act = of_section is Act.PLANNED, of_section
    if is_planned:
        # What is planned below a heading of deprecations is deprecated.
        return replace(item, act=Act.DEPRECATED if any(map(_DEPRECATED.search, titles)) else Act.PLANNED, certainty=1.0)
    if act is Act.KNOWN_ISSUE:
        return replace(item, act=act, certainty=1.0)
    if item.is_entry and titles and _REVERTS.fullmatch(titles[-1]):
        return replace(item, act=Act.REVERTED)
    ways = {way for told, way in read_told(words, release) if told is read}
    is_other = bool(ways) and ways <= {Told.DENIED, Told.UNDONE}
    if is_other or (read is Act.PLANNED and not looks_ahead(words)):
        return replace(item, act=act if act and how is Told.DONE else Act.CHANGED)
    return item
