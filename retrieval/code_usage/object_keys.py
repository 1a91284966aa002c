"""Options of JavaScript as keys of object literals: the keys in front of one, and where the outermost object goes.

A file `vite.config.ts` or `.eslintrc.js` holds the options of the product that its name begins with.
"""

import re

from tree_sitter import Node

from retrieval.code_usage.tree_imports import Path, text_of

_CONFIGURATION = re.compile(
    r"(?:^|/)(?:(?P<config>[a-z][a-z0-9-]*)\.config(?:\.\w+)?|\.(?P<rc>[a-z][a-z0-9-]*?)rc)\.[cm]?[jt]sx?$"
)
_KEYED = ("pair", "method_definition")
_AROUND = frozenset(
    "object array arguments parenthesized_expression arrow_function return_statement statement_block as_expression"
    " satisfies_expression spread_element argument_list hash".split()
)
_CALLS = ("call_expression", "new_expression", "call")
_DEEPEST = 60


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
