"""What the surroundings of a node in a syntax tree tell."""

import re

from tree_sitter import Node

from retrieval.code_usage.tree_imports import text_of

_MAX_WORDS = 8


def name_of(node: Node) -> str:
    """The name that a definition or declaration gives; empty where it has none."""
    named = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    for _ in range(4):
        if named is None or not (inner := named.child_by_field_name("declarator")):
            break
        named = inner
    return text_of(named)


def is_docstring(node: Node) -> bool:
    """Whether the content of a string is a statement of its own: prose."""
    around = node.parent
    return around is not None and around.parent is not None and around.parent.type == "expression_statement"


def words_before(node: Node) -> tuple[str, ...]:
    """The strings in front of one in a list or call, at most 8: the words of a command before its flag."""
    literal = node.parent
    around = literal.parent if literal else None
    if literal is None or around is None:
        return ()
    words = (text_of(child).strip("'\"`") for child in around.named_children if child.start_byte < literal.start_byte)
    return tuple(word for word in words if re.fullmatch(r"[A-Za-z][\w./-]*", word))[-_MAX_WORDS:]
