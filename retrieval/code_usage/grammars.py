"""The languages that are read by tree-sitter, and the types of node that hold names in any of their grammars."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tree_sitter import Language, Node


@dataclass(frozen=True, slots=True)
class Grammar:
    """One language."""

    package: str
    """The wheel's module."""
    entry: str = "language"
    scoped: bool = False
    """Whether functions and classes have names of their own; elsewhere a name is one for the whole file."""
    bare_names: bool = False
    """Whether names stand without anything that tells where they come from: C's functions, Ruby's methods."""
    own_objects: frozenset[str] = frozenset()
    """Objects of the language itself, whose members are of no product."""


_RUBY = Grammar("tree_sitter_ruby", bare_names=True)
_JAVASCRIPT = Grammar(
    "tree_sitter_javascript",
    own_objects=frozenset("Array Date JSON Math Number Object Promise Reflect RegExp String Symbol console".split()),
)
_TYPESCRIPT = replace(_JAVASCRIPT, package="tree_sitter_typescript", entry="language_typescript")
GRAMMARS: Mapping[str, Grammar] = {
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), _JAVASCRIPT),
    **dict.fromkeys((".ts", ".mts", ".cts"), _TYPESCRIPT),
    ".tsx": replace(_TYPESCRIPT, entry="language_tsx"),
    ".go": Grammar("tree_sitter_go"),
    ".rs": Grammar("tree_sitter_rust"),
    ".java": Grammar("tree_sitter_java"),
    **dict.fromkeys((".rb", ".rake", ".gemspec"), _RUBY),
    **dict.fromkeys((".c", ".h"), Grammar("tree_sitter_c", bare_names=True)),
    **dict.fromkeys((".py", ".pyi"), Grammar("tree_sitter_python", scoped=True)),
}
"""For each ending of a file's name, what reads it."""

IDENTIFIERS = frozenset(("identifier", "type_identifier", "constant", "shorthand_property_identifier"))
IMPORTS = frozenset(
    "import_statement import_from_statement export_statement import_spec import_declaration use_declaration"
    " preproc_include".split()
)
MEMBERS = frozenset(
    "member_expression nested_type_identifier selector_expression qualified_type field_expression scoped_identifier"
    " scoped_type_identifier method_invocation field_access call scope_resolution attribute".split()
)
"""`a.b`; Ruby's calls are members too, Python's aren't."""
_OWNERS = ("object", "operand", "value", "argument", "path", "scope", "receiver", "module", "package")
_MEMBER_NAMES = ("property", "attribute", "field", "name", "method")
CALLED: Mapping[str, str] = {
    "call_expression": "function",
    "call": "function",
    "new_expression": "constructor",
    "object_creation_expression": "type",
    "composite_literal": "type",
    "struct_expression": "name",
    "macro_invocation": "macro",
    "subscript_expression": "object",
    "subscript": "value",
    "index_expression": "operand",
    "element_reference": "object",
}
"""Calls, constructions and subscripts, with the field of what is called."""
WRAPPERS = frozenset(
    "parenthesized_expression await await_expression non_null_expression as_expression try_expression unary_expression"
    " reference_expression reference_type pointer_type array_type generic_type expression_list".split()
)
"""What changes nothing of what it encloses."""
BINDINGS = frozenset(
    "variable_declarator short_var_declaration var_spec let_declaration assignment named_expression for_statement"
    " as_pattern".split()
)
TYPED = frozenset(
    "required_parameter public_field_definition parameter_declaration field_declaration parameter formal_parameter"
    " local_variable_declaration typed_parameter typed_default_parameter assignment".split()
)
BOUND_NAMES = ("name", "left", "pattern", "declarator", "alias")
BOUND_VALUES = ("value", "right")
CLASSES = frozenset(("class", "class_declaration", "abstract_class_declaration", "class_definition"))
FUNCTIONS = frozenset(
    "function_declaration function_definition function_item method_definition method_declaration method"
    " singleton_method struct_item enum_item trait_item".split()
)
KEYWORDS = frozenset(
    "pair method_definition shorthand_property_identifier jsx_attribute element_value_pair keyword_argument".split()
)
STRINGS = frozenset(
    "string_fragment string_content interpreted_string_literal_content raw_string_literal_content simple_symbol".split()
)
TYPES_READ = frozenset().union(*(IDENTIFIERS, IMPORTS, MEMBERS, BINDINGS, TYPED, CLASSES, FUNCTIONS, KEYWORDS, STRINGS))


def field_of(node: Node, names: tuple[str, ...]) -> Node | None:
    """The child in the first of these fields that the node has."""
    return next((child for name in names if (child := node.child_by_field_name(name))), None)


def member_of(node: Node | None) -> tuple[Node | None, Node] | None:
    """What stands before the name of `a.b`, and the name; None where the node is no such thing."""
    if node is None or node.type not in MEMBERS:
        return None
    name = field_of(node, _MEMBER_NAMES)
    return (field_of(node, _OWNERS), name) if name else None


@lru_cache(maxsize=16)
def load_language(package: str, entry: str) -> Language:
    """The language that a grammar's wheel holds."""
    return Language(getattr(importlib.import_module(package), entry)())
