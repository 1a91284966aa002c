"""POD, in which Perl and its modules are documented: `=head1` to `=head6` are headings, each `=item` an entry with the
first paragraph under it, indented paragraphs code; the other commands are markup. What `NAME` heads is the title."""

import re
from dataclasses import replace

from corpus.source_words import source_words
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.text_lines import MAX_TITLE_CHARACTERS, TextLine, split_lines

_MEDIA_TYPE = "text/x-pod"
_COMMAND = re.compile(r"=(?P<name>[A-Za-z]+)(?P<level>\d?)(?:[^\S\r\n]+(?:(?:\*|\d+[.)])(?=\s|$)|\d+(?=\s*$))?)?\s*")
"""With the bullet or number of an item, which is none of its words."""


def parse_pod(text: str) -> ParsedText:
    """Parse POD; `=begin` hides all up to its `=end`, `=cut` all up to the next command. Never raises."""
    paragraphs: list[list[TextLine]] = []
    for line in split_lines(text):
        if line.after_blank or (not line.indent and _COMMAND.match(line.content)):
            paragraphs.append([])
        paragraphs[-1].append(line)
    blocks: list[Block] = []
    stated: dict[str, str] = {}
    depth, hiding, is_item, last_end = 0, "", False, text.rfind("\n=end")
    for lines in paragraphs:
        here = Block(BlockKind.PARAGRAPH, lines[0].start, lines[-1].end, level=depth)
        command = None if lines[0].indent else _COMMAND.match(text, here.start, here.end)
        name = command["name"] if command else ""
        words = command.end() if command else here.start
        title = _plain(text[words : min(here.end, words + MAX_TITLE_CHARACTERS)]) if name == "head" else ""
        hiding = "" if hiding == "cut" and command else hiding
        if hiding or (command and name != "item" and not title):
            blocks.append(replace(here, kind=BlockKind.MARKUP, level=0))
            depth = max(depth + (name == "over") - (name == "back"), 0)
            begins = name == "cut" or (name == "begin" and here.end <= last_end)
            hiding = name if begins else hiding * (name != "end")
        elif command and title:
            blocks.append(replace(here, kind=BlockKind.HEADING, level=int(command["level"] or 1) or 1, title=title))
        elif name == "item":
            # The words of a bare "=item *" are the paragraph below it.
            is_item = words == here.end
            blocks.append(Block(BlockKind.MARKUP, here.start, here.start + len(text[here.start : words].rstrip())))
            blocks += () if is_item else (replace(here, kind=BlockKind.LIST_ITEM, start=words, level=max(depth, 1)),)
            continue
        elif lines[0].indent:
            is_more = bool(blocks) and blocks[-1].kind is BlockKind.CODE
            blocks.append(replace(here, kind=BlockKind.CODE, start=blocks.pop().start if is_more else here.start))
        else:
            if blocks and blocks[-1].title == "NAME":
                stated.setdefault("title", _plain(text[here.start : here.end]))
            blocks.append(replace(here, kind=BlockKind.LIST_ITEM, level=max(depth, 1)) if is_item else here)
        is_item = False
    return ParsedText(text, _MEDIA_TYPE, tuple(blocks), stated)


def _plain(words: str) -> str:
    return source_words(" ".join(words.split()), words, _MEDIA_TYPE).strip()
