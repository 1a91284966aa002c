"""An answer as the page lays it out: the verdict, the quote it rests on in sight, then what else, by what it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from corpus.ages import day_words
from retrieval.model import Answer, Status
from ui.rendering import answer_text
from ui.rendering.words import product_version

TONES = {
    "Highlights": "new",
    "New": "new",
    "Faster": "new",
    "Breaking": "break",
    "Removed": "break",
    "Deprecated": "dep",
    "Security": "sec",
    "Fixed": "fix",
    "Changed": "fix",
}
"""The colour of each word that an answer groups statements under."""
_GROUP = re.compile(rf"({'|'.join(TONES)}):(?:\s+|$)")
_LEAD = re.compile(
    r"(?P<opening>[^*`\n]{0,60})(?P<names>\*\*[^*`\n]+\*\*(?: to \*\*[^*`\n]+\*\*)*)"
    r"(?: \((?:[^()]*?(?P<day>\d{4}-\d\d-\d\d))?[^()]*\))*(?P<end>[:.])\s+(?P<statement>.+)"
)
"""The first paragraph of an answer: its opening, whom it is about, whence that is, and what it states."""


@dataclass(frozen=True, slots=True)
class Group:
    """Statements of one kind; without a `word` where they are of none."""

    word: str
    entries: tuple[answer_text.ListEntry, ...]

    @property
    def tone(self) -> str:
        """The name of its colour; empty without a word."""
        return TONES.get(self.word, "")


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands where; the pieces of an answer's text, each once, but for its attribution."""

    verdict: tuple[answer_text.Inline, ...]
    about: str = ""  # What the verdict doesn't say itself: section, release, day.
    stated: tuple[answer_text.Inline, ...] = ()
    """The statement that the verdict rests on; empty where it is the verdict."""
    rest: tuple[Group | answer_text.AnswerBlock, ...] = ()


def lay_out(answer: Answer) -> Layout:
    """The layout of an answer; one that wasn't found has its first paragraph as verdict."""
    first, *blocks = answer_text.split_answer(answer.answer) or (answer_text.Paragraph(()),)
    if not isinstance(first, answer_text.Paragraph):
        return Layout((), rest=_grouped([first, *blocks]))
    if answer.status is Status.NOT_FOUND:
        # The verdict is the first sentence: what ends with the first full stop before a space.
        for at, part in enumerate(first.inlines):
            if isinstance(part, answer_text.Text) and (end := part.text.find(". ")) >= 0:
                more = answer_text.Paragraph((answer_text.Text(part.text[end + 2 :]), *first.inlines[at + 1 :]))
                return Layout(
                    (*first.inlines[:at], answer_text.Text(part.text[: end + 1])), rest=_grouped([more, *blocks])
                )
        return Layout(first.inlines, rest=_grouped(blocks))
    lines = list(map(str.strip, answer.answer.strip().splitlines()))
    texts = (" ".join(lines[: number + 1]) for number in range(len(lines)))
    lead = _LEAD.fullmatch(next((text for text in texts if answer_text.split_inlines(text) == first.inlines), ""))
    if lead is None or not answer.citations:
        return Layout(first.inlines, rest=_grouped(blocks))
    cited, opening, statement = answer.citations[0], lead["opening"], answer_text.split_inlines(lead["statement"])
    names = [part.text for part in answer_text.split_inlines(lead["names"]) if isinstance(part, answer_text.Name)]
    # A range has no day of its own.
    dated = date.fromisoformat(lead["day"]) if lead["day"] else cited.date if len(names) == 1 else None
    day = day_words(dated) if dated else ""
    section = cited.heading[-1] if len(cited.heading) > 1 else ""
    about = ", ".join(filter(None, (section, product_version(cited.product, cited.version), day)))
    named = (answer_text.Text(f"{opening}{' to '.join(names)}{f', {day}' if day else ''}"),)
    states_one = lead["end"] == ":" and len(names) == 1
    word, stated = _split_word(statement)
    if states_one and not opening:
        return Layout(statement, about, rest=_grouped(blocks))
    if states_one and not word:
        said = opening.rstrip(": ")
        verdict = (answer_text.Text(f"{said}."),) if said in ("Yes", "No") else named
        return Layout(verdict, about, statement, _grouped(blocks))
    heading = [answer_text.Paragraph((answer_text.Text(f"{word}:"),))] if word else []
    return Layout(named, rest=_grouped([*heading, answer_text.ListEntry(0, stated), *blocks]))


def _split_word(inlines: Sequence[answer_text.Inline]) -> tuple[str, tuple[answer_text.Inline, ...]]:
    """The word that begins a group, with what stands after it; "" and all of it where there is none."""
    found = _GROUP.match(inlines[0].text) if inlines and isinstance(inlines[0], answer_text.Text) else None
    if found is None:
        return "", tuple(inlines)
    rest = found.string[found.end() :]
    return found[1], (*([answer_text.Text(rest)] if rest else []), *inlines[1:])


def _grouped(blocks: Sequence[answer_text.AnswerBlock]) -> tuple[Group | answer_text.AnswerBlock, ...]:
    """Entries together under the word before them; a word and a single statement on a line are such a group too."""
    parts: list[Group | answer_text.AnswerBlock] = []
    word = ""
    for block in blocks:
        begun, statement = _split_word(block.inlines) if isinstance(block, answer_text.Paragraph) else ("", ())
        last = parts[-1] if parts else None
        if begun:
            word = begun
            if any(isinstance(part, answer_text.Marker) for part in statement):
                parts.append(Group(word, (answer_text.ListEntry(0, statement),)))
        elif not isinstance(block, answer_text.ListEntry):
            parts.append(block)
            word = ""
        elif isinstance(last, Group) and last.word == word:
            parts[-1] = Group(word, (*last.entries, block))
        else:
            parts.append(Group(word, (block,)))
    return tuple(parts)
