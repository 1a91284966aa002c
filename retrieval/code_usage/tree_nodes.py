"""What the surroundings of a node in a syntax tree tell.

Options of JavaScript are keys of object literals: the keys in front of one, and where the outermost object goes. A file
`vite.config.ts` or `.eslintrc.js` holds the options of the product that its name begins with.
"""

import re

from tree_sitter import Node

from retrieval.code_usage.tree_imports import Path, text_of

_MAX_WORDS = 8
_CONFIGURATION = re.compile(
    r"(?:^|/)(?:(?P<config>[a-z][a-z0-9-]*)\.config(?:\.\w+)?|\.(?P<rc>[a-z][a-z0-9-]*?)rc)\.[cm]?[jt]sx?$"
)
_KEYED = ("pair", "method_definition")
_AROUND = frozenset(
    "object array arguments parenthesized_expression arrow_function return_statement statement_block as_expression"
    " satisfies_expression spread_element argument_list hash annotation_argument_list".split()
)
_CALLS = ("call_expression", "new_expression", "call", "annotation")
_DEEPEST = 60


def name_of(node: Node) -> str:
    """The name that a definition or declaration gives; empty where it has none."""
    named = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    while named is not None and (inner := named.child_by_field_name("declarator")):
        named = inner
    return text_of(named)


def is_docstring(node: Node) -> bool:
    """Whether the content of a string is a statement of its own: prose."""
    return (
        node.parent is not None and node.parent.parent is not None and node.parent.parent.type == "expression_statement"
    )


def is_key(node: Node) -> bool:
    """Whether the content of a string is a key of a dictionary."""
    literal = node.parent
    return bool(literal and literal.parent and literal.parent.child_by_field_name("key") == literal)


def words_before(node: Node) -> tuple[str, ...]:
    """The strings in front of one in a list or call, at most 8: the words of a command before its flag."""
    literal = node.parent
    if literal is None or literal.parent is None:
        return ()
    before = (child for child in literal.parent.named_children if child.start_byte < literal.start_byte)
    words = (text_of(child).strip("'\"`") for child in before)
    return tuple(word for word in words if re.fullmatch(r"[A-Za-z][\w./-]*", word))[-_MAX_WORDS:]


def configured_product(name: str) -> str | None:
    """The product whose options the file of this path holds, told by its name; None for other files."""
    found = _CONFIGURATION.search(name)
    return (found["config"] or found["rc"]) if found else None


def keys_around(node: Node) -> tuple[Path, Node | None]:
    """The keys of the objects around a key, outermost first, and the call or JSX element that takes the outermost
    object; None for the latter where nothing takes it."""
    keys: list[str] = []
    around = node.parent
    for _ in range(_DEEPEST):
        if around is None:
            break
        if around.type in _CALLS or around.type.startswith("jsx_"):
            return tuple(reversed(keys)), around
        if around.type in _KEYED:
            keys.append(key_of(around))
        elif around.type not in _AROUND:
            break
        around = around.parent
    return tuple(reversed(keys)), None


def key_of(node: Node) -> str:
    """What a pair or a method of an object is called; the whole of a shorthand."""
    name = node.child_by_field_name("key" if node.type == "pair" else "name") or node
    return text_of(name).strip("'\"`")
