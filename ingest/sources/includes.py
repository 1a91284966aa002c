"""Finds pages that only include another file, by a directive of reStructuredText, MyST, AsciiDoc or Markdown."""

import posixpath
import re
from itertools import pairwise

MAX_INCLUDING_BYTES = 4_000
_INCLUDE = re.compile(
    r"(?:\.\. (?:md)?include::|(?:`{3,}|:{3,})\{include\}|include::|--8<--|\{!"
    r"|\{% include(?:-markdown)?)"
    r"[ \t]*[\"']?(?P<path>[^\s\[\"'!%<>]+)"
)
_NO_CONTENT = ("..", "#", "=", ":", "<!--", "[[", "include::", "--8<--", "{!", "{%", " ", "\t")
"""Beginnings of lines that are markup: directives, titles, fields, comments, and what is indented below them."""


def included_paths(content: bytes) -> tuple[str, ...]:
    """Return the paths that a page includes, as written, if it has nothing else but titles and markup; else ()."""
    text = content[:MAX_INCLUDING_BYTES].decode(errors="ignore").replace("\r", "")
    text = (text.startswith("---\n") and text.partition("\n---\n")[2]) or text
    lines = [line for line in text.split("\n") if line.strip()]
    paths = dict.fromkeys(match["path"] for line in lines if (match := _INCLUDE.match(line)))
    if not paths or len(content) > MAX_INCLUDING_BYTES:
        return ()
    fence = ""
    for line, below in pairwise((*lines, "")):
        words = line.strip()
        if fence:
            fence *= words != fence
        elif words.startswith(("```", ":::")):
            fence = words[: len(words) - len(words.lstrip("`:"))]
        # A line of words, and no title, which is underlined.
        elif not line.startswith(_NO_CONTENT) and all(any(map(str.isalnum, part)) for part in (line, below or line)):
            return ()
    return tuple(paths)


def target_of(page: str, path: str) -> str:
    """Return the place of a file that the `page` includes by `path`, relative to what `page` is relative to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
