"""Text to syntax tree by tree-sitter, within bounds of time and depth."""

import re
import time
from collections.abc import Iterator
from itertools import accumulate

from tree_sitter import Node, Parser, QueryCursor

from retrieval.code_usage.grammars import Grammar, compiled
from retrieval.code_usage.parse_errors import Unparsable

_DEEPEST = 400
_MOST_OPEN_ANGLES = 40
_SECONDS = 1.0
# Copied anew for every node whose text is asked for.
_PIECE_BYTES = 1_024
_BRACKETS = re.compile(rb"[(\[{)\]}]")
_STEPS = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1}


def named_nodes(text: str, grammar: Grammar) -> Iterator[Node]:
    """The nodes of the types that `grammar` looks at, in order; errors in the text are passed over.

    Raises:
        Unparsable: the text is nested too deeply, or parsing it takes too long.
    """
    source = text.encode("utf-8", "replace")
    _check_depth(source)
    language, query = compiled(grammar.package, grammar.entry, grammar.captured)
    until = time.monotonic() + _SECONDS
    try:
        tree = Parser(language).parse(
            lambda offset, _: source[offset : offset + _PIECE_BYTES],
            progress_callback=lambda _offset, _is_error: time.monotonic() > until,
        )
    except ValueError as error:
        raise Unparsable("parsing takes too long") from error
    captures = QueryCursor(query).captures(tree.root_node)
    yield from sorted(captures.get("node", ()), key=lambda node: (node.start_byte, -node.end_byte))


def _check_depth(source: bytes) -> None:
    """Refuse what only costs time: the parser's work and memory grow faster than the depth of nesting."""
    depths = accumulate(_STEPS[match.group()] for match in _BRACKETS.finditer(source))
    lowest = 0
    for depth in depths:
        lowest = min(lowest, depth)
        if depth - lowest > _DEEPEST:
            raise Unparsable("nested too deeply")
    if any(part.count(b"<") - part.count(b">") > _MOST_OPEN_ANGLES for part in re.split(rb"[;{}]", source)):
        raise Unparsable("nested too deeply")
