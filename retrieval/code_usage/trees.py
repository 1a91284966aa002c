"""Text to syntax tree by tree-sitter, within bounds of time and depth.

Time is the thread's own on the processor: what is read mustn't depend on what else the machine is doing.
"""

import re
import time
from collections.abc import Iterator
from itertools import accumulate

from tree_sitter import Node, Parser, Tree

from retrieval.code_usage.grammars import TYPES_READ, Grammar, load_language
from retrieval.code_usage.model import Unparsable

_DEEPEST = 400
_DEEPEST_TREE = 2_000
_MOST_OPEN_ANGLES = 40
_SECONDS = 1.0
_READING_SECONDS = 10.0
_PIECE_BYTES = 4_096
_BRACKETS = re.compile(rb"[(\[{)\]}]")
_STEPS = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1}


def named_nodes(text: str, grammar: Grammar) -> Iterator[Node]:
    """The nodes that may hold names, in order; errors in the text are passed over.

    Raises:
        Unparsable: the text is nested too deeply, or parsing it takes too long.
    """
    source = text.encode("utf-8", "replace")
    _check_depth(source)
    if grammar.package == "tree_sitter_java":
        _check_angles(source)
    language = load_language(grammar.package, grammar.entry)
    until = time.thread_time() + _SECONDS
    try:
        parser = Parser(language)
        tree = parser.parse(
            lambda offset, _: source[offset : offset + _PIECE_BYTES],
            progress_callback=lambda _offset, _is_error: time.thread_time() > until,
        )
    except ValueError as error:
        raise Unparsable("parsing takes too long") from error
    # A second tree takes over the first, and gives the text of its nodes without asking back for each; where there are
    # errors it would be parsed anew, without bounds.
    yield from _read_nodes(tree if tree.root_node.has_error else parser.parse(source, tree))


def _read_nodes(tree: Tree) -> Iterator[Node]:
    # A query would do the same, but its time grows with the square of the depth.
    cursor = tree.walk()
    depth = 0
    until = time.thread_time() + _READING_SECONDS
    while True:
        node = cursor.node
        if node is not None and node.is_named and node.type in TYPES_READ:
            # Users of the nodes look around them, which is slow among many thousand siblings.
            if time.thread_time() > until:
                raise Unparsable("reading takes too long")
            yield node
        if cursor.goto_first_child():
            depth += 1
            if depth > _DEEPEST_TREE:
                raise Unparsable("nested too deeply")
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1


def _check_depth(source: bytes) -> None:
    """Refuse what only costs time: the parser's work and memory grow faster than the depth of nesting."""
    depths = accumulate(_STEPS[match.group()] for match in _BRACKETS.finditer(source))
    lowest = 0
    for depth in depths:
        lowest = min(lowest, depth)
        if depth - lowest > _DEEPEST:
            raise Unparsable("nested too deeply")


def _check_angles(source: bytes) -> None:
    """Refuse what makes the parser of Java take gigabytes: comparisons that might all be type arguments."""
    if any(part.count(b"<") - part.count(b">") > _MOST_OPEN_ANGLES for part in re.split(rb"[;{}]", source)):
        raise Unparsable("nested too deeply")
