"""Changes with their proof: the entry quoted up to a quote's greatest length, and a summary in its own words."""

import re
from collections.abc import Sequence

from corpus.change_kinds import read_tag
from corpus.effects import named_change
from corpus.entry_words import is_record, without_records
from corpus.index.tables import TableReader
from corpus.model import Change, Kind, Span
from corpus.plain_words import LABEL, as_code, readable
from corpus.sections import elaborates
from retrieval.blocks import words_of
from retrieval.quoting.composing import cite_quotes
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote
from retrieval.quoting.wording import code_of, fit_sentences, render_quote, shorten
from retrieval.upgrades.entries import NotedEntry
from retrieval.upgrades.model import UpgradeItem
from retrieval.upgrades.released_changes import KINDS
from retrieval.upgrades.repeats import FoundChange

_VERBS = {Change.REMOVED: "Removed", Change.DEPRECATED: "Deprecated"}
_SUMMARY_CHARACTERS, _LONGEST, _READ_CHARACTERS = 240, 300, 600  # Of a summary, a long one, and what makes it.
_SHORT_CHARACTERS, _CODE_LINES_IN_SUMMARY, _MARKS = 100, 3, 12  # Of marks before an entry.


def cite_changes(changes: Sequence[FoundChange], index: TableReader) -> list[tuple[FoundChange, UpgradeItem]]:
    """Return an item for each change whose quote was verified."""
    quotes, items = [quote_entry(change.entry, index) for change in changes], []
    for finding, quote, citation in zip(changes, quotes, cite_quotes(quotes, index), strict=True):
        if citation is not None and (change := finding.change):
            kind = change if change is Change.BEHAVIOUR else KINDS.get(change, Kind.BREAKING)
            summary = words_of(summarise(finding.entry, change, quote, index))
            items.append((finding, UpgradeItem(kind, change, summary, finding.symbols, citation, finding.repeated_in)))
    return items


def quote_entry(entry: NotedEntry, index: TableReader) -> Quote:
    """Return the quote of an entry with its title, as long as a quote may be, from the passage where it begins."""
    passage, first = entry.passage, entry.atoms[0].item.span
    start = _title_start(entry, index.document_text(passage.document.id)) if entry.title else first.start
    end = first.end
    for atom in entry.atoms[1:]:
        if atom.passage.position != passage.position or atom.item.span.end - start > MAX_QUOTE_CHARACTERS:
            break
        end = atom.item.span.end
    quoted = entry.atoms[: 1 + (_needs_second(entry) and end > first.end)]
    labelled = (atom for atom in entry.atoms if LABEL.match(atom.words) and atom.item.span.end <= end)
    core = Span(first.start, max(atom.item.span.end for atom in (*quoted, *labelled)))
    if end - start > MAX_QUOTE_CHARACTERS:
        start = first.start
    stem = entry.stored.stem
    if stem and passage.span.holds(stem) and start - stem.end < _MARKS:
        start = stem.start
    return Quote(passage, Span(start, end), core, retracted=entry.atoms[0].item.retracted)


def _needs_second(entry: NotedEntry) -> bool:
    """Return whether a summary should include the second sentence, because the first is short."""
    if len(entry.atoms) < 2 or len(entry.atoms[0].words) >= _SHORT_CHARACTERS:
        return False
    second = entry.atoms[1]
    if second.is_code:
        # "The following are removed:" says nothing without them.
        return entry.atoms[0].words.rstrip().endswith(":")
    return not (second.item.is_entry or second.words.rstrip().endswith(":") or is_record(second.words))


def _title_start(entry: NotedEntry, text: str) -> int:
    """Return the start of the entry's own heading, if it is in the same passage directly above the entry."""
    first = entry.atoms[0].item.span.start
    wanted = readable(entry.title).casefold()
    first_word = re.compile(rf"[`*\[]*{re.escape(wanted.partition(' ')[0])}", re.IGNORECASE)
    position = first
    for line in reversed(text[entry.passage.span.start : first].splitlines(keepends=True)):
        position -= len(line)
        if wanted in readable(line).casefold():
            begins = first_word.search(line)
            # Options of a block stand between them.
            is_near = not any(map(str.isalnum, text[position + len(line) : first]))
            return position + begins.start() if begins and is_near else first
    return first


def summarise(entry: NotedEntry, change: Change | None, quote: Quote, index: TableReader) -> str:
    """Return an entry in one line, with its title, and if `change` is a removal or deprecation, with that word."""
    text = index.document_text(entry.passage.document.id)
    label, summary = render_quote(quote, text, max_characters=_READ_CHARACTERS)
    if label and change is not None and not (change is Change.DEFAULT and label == _VERBS[Change.REMOVED]):
        summary = f"{label}: {summary}"
    code = [line.strip() for line in code_of(quote, text) if line.strip()]
    if 1 < len(code) <= _CODE_LINES_IN_SUMMARY and summary.endswith(":"):
        # What leads to a few lines of code says little without them.
        summary = " ".join((summary, *(as_code(line) for line in code)))
    summary = fit_sentences(summary, max_characters=_SUMMARY_CHARACTERS, longest=_LONGEST)
    if not summary.startswith(entry.stem):
        summary = f"{entry.stem}: {summary}"
    if not entry.title:
        # A group's line above the entry ("remove:") isn't a heading, which alone `wording` knows.
        verb = _VERBS.get(change) if change else None
        return summary if verb is None or named_change(summary) is not None else f"{verb}: {read_tag(summary)[1]}"
    label, _, rest = summary.partition(": ")
    summary = rest if rest and elaborates(label) else summary
    title = readable(without_records(entry.title), keeps_code=True)
    title = shorten(title, max_characters=_SUMMARY_CHARACTERS).rstrip(".:")
    if summary.casefold().startswith(title.casefold()):
        return summary
    if all(atom.is_code for atom in entry.atoms):
        return title  # Code below it is summed up by its first comment ("Input").
    return title if _LONGEST - len(title) - 2 < len(summary) else f"{title}: {summary}"
