"""The languages that are read by tree-sitter, each with the node types that hold its names."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tree_sitter import Language


@dataclass(frozen=True, slots=True)
class Grammar:
    """One language; node types and fields are those of its grammar."""

    package: str
    """The wheel's module."""
    identifiers: tuple[str, ...]
    members: Mapping[str, tuple[str, str]]
    """Types of `a.b`, with the fields of the object and of the name behind it."""
    imports: tuple[str, ...]
    through: Mapping[str, str] = field(default_factory=dict)
    """Types of calls, constructions and subscripts, with the field of what is called."""
    wrappers: tuple[str, ...] = ()
    """Types that change nothing of what they enclose: parentheses, `await`."""
    bindings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Types of `a = b`, with the fields of the name and of the value."""
    typed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Types of declarations, with the fields of the name and of the type."""
    classes: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    keywords: Mapping[str, str | None] = field(default_factory=dict)
    """Types of named arguments, with the field of the name; None where it is the first child."""
    strings: tuple[str, ...] = ()
    bare_names: bool = False
    """Whether names stand without anything that tells where they come from: C's functions, Ruby's methods."""
    own_objects: frozenset[str] = frozenset()
    """Objects of the language itself, whose members are of no product."""
    scoped: bool = False
    """Whether functions and classes have names of their own; elsewhere a name is one for the whole file."""
    entry: str = "language"

    @property
    def captured(self) -> tuple[str, ...]:
        """Every type that is looked at."""
        return tuple(
            dict.fromkeys(
                (
                    *self.identifiers,
                    *self.members,
                    *self.imports,
                    *self.bindings,
                    *self.typed,
                    *self.classes,
                    *self.functions,
                    *self.keywords,
                    *self.strings,
                )
            )
        )


_JAVASCRIPT = Grammar(
    package="tree_sitter_javascript",
    identifiers=("identifier", "shorthand_property_identifier"),
    members={"member_expression": ("object", "property")},
    imports=("import_statement", "export_statement"),
    through={"call_expression": "function", "new_expression": "constructor", "subscript_expression": "object"},
    wrappers=("parenthesized_expression", "await_expression"),
    bindings={"variable_declarator": ("name", "value")},
    classes=("class_declaration", "class"),
    functions=("function_declaration", "method_definition"),
    keywords={
        "pair": "key",
        "method_definition": "name",
        "shorthand_property_identifier": None,
        "jsx_attribute": None,
    },
    strings=("string_fragment",),
    own_objects=frozenset("Array Date JSON Math Number Object Promise Reflect RegExp String Symbol console".split()),
)
_TYPESCRIPT = Grammar(
    package="tree_sitter_typescript",
    identifiers=("identifier", "type_identifier", "shorthand_property_identifier"),
    members={"member_expression": ("object", "property"), "nested_type_identifier": ("module", "name")},
    imports=("import_statement", "export_statement"),
    through=_JAVASCRIPT.through,
    wrappers=(*_JAVASCRIPT.wrappers, "non_null_expression", "as_expression"),
    bindings=_JAVASCRIPT.bindings,
    typed={"required_parameter": ("pattern", "type"), "public_field_definition": ("name", "type")},
    classes=("class_declaration", "class", "abstract_class_declaration"),
    functions=_JAVASCRIPT.functions,
    keywords={name: field for name, field in _JAVASCRIPT.keywords.items() if name != "jsx_attribute"},
    strings=_JAVASCRIPT.strings,
    own_objects=_JAVASCRIPT.own_objects,
    entry="language_typescript",
)
_GO = Grammar(
    package="tree_sitter_go",
    identifiers=("identifier", "type_identifier"),
    members={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
    imports=("import_spec",),
    through={"call_expression": "function", "composite_literal": "type", "index_expression": "operand"},
    wrappers=("parenthesized_expression", "unary_expression", "pointer_type", "expression_list"),
    bindings={"short_var_declaration": ("left", "right"), "var_spec": ("name", "value")},
    typed={"parameter_declaration": ("name", "type"), "field_declaration": ("name", "type")},
    functions=("function_declaration", "method_declaration"),
    strings=("interpreted_string_literal_content", "raw_string_literal_content"),
)
_RUST = Grammar(
    package="tree_sitter_rust",
    identifiers=("identifier", "type_identifier"),
    members={
        "field_expression": ("value", "field"),
        "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
    },
    imports=("use_declaration",),
    through={"call_expression": "function", "struct_expression": "name", "macro_invocation": "macro"},
    wrappers=("reference_expression", "try_expression", "await_expression", "generic_type", "reference_type"),
    bindings={"let_declaration": ("pattern", "value")},
    typed={"parameter": ("pattern", "type"), "field_declaration": ("name", "type")},
    functions=("function_item", "struct_item", "enum_item", "trait_item"),
    strings=("string_content",),
)
_JAVA = Grammar(
    package="tree_sitter_java",
    identifiers=("identifier", "type_identifier"),
    members={
        "method_invocation": ("object", "name"),
        "field_access": ("object", "field"),
        "scoped_identifier": ("scope", "name"),
    },
    imports=("import_declaration",),
    through={"object_creation_expression": "type"},
    wrappers=("parenthesized_expression", "generic_type", "array_type"),
    typed={
        "field_declaration": ("declarator", "type"),
        "local_variable_declaration": ("declarator", "type"),
        "formal_parameter": ("name", "type"),
    },
    classes=("class_declaration",),
    functions=("method_declaration",),
    keywords={"element_value_pair": "key"},
    strings=("string_fragment",),
)
_RUBY = Grammar(
    package="tree_sitter_ruby",
    identifiers=("identifier", "constant"),
    members={"call": ("receiver", "method"), "scope_resolution": ("scope", "name")},
    imports=(),
    through={"element_reference": "object"},
    bindings={"assignment": ("left", "right")},
    classes=("class",),
    functions=("method", "singleton_method"),
    keywords={"pair": "key"},
    strings=("string_content", "simple_symbol"),
    bare_names=True,
)
_C = Grammar(
    package="tree_sitter_c",
    identifiers=("identifier", "type_identifier"),
    members={"field_expression": ("argument", "field")},
    imports=("preproc_include",),
    through={"call_expression": "function"},
    functions=("function_definition",),
    strings=("string_content",),
    bare_names=True,
)
_PYTHON = Grammar(
    package="tree_sitter_python",
    identifiers=("identifier",),
    members={"attribute": ("object", "attribute")},
    imports=("import_statement", "import_from_statement"),
    through={"call": "function", "subscript": "value"},
    wrappers=("parenthesized_expression", "await"),
    bindings={
        "assignment": ("left", "right"),
        "named_expression": ("name", "value"),
        "for_statement": ("left", "right"),
        "as_pattern": ("alias", ""),
    },
    typed={
        "typed_parameter": ("", "type"),
        "typed_default_parameter": ("name", "type"),
        "assignment": ("left", "type"),
    },
    classes=("class_definition",),
    functions=("function_definition",),
    keywords={"keyword_argument": "name"},
    strings=("string_content",),
    scoped=True,
)
_TSX = replace(_TYPESCRIPT, keywords=_JAVASCRIPT.keywords, entry="language_tsx")

GRAMMARS: Mapping[str, Grammar] = {
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), _JAVASCRIPT),
    **dict.fromkeys((".ts", ".mts", ".cts"), _TYPESCRIPT),
    ".tsx": _TSX,
    ".go": _GO,
    ".rs": _RUST,
    ".java": _JAVA,
    **dict.fromkeys((".rb", ".rake", ".gemspec"), _RUBY),
    **dict.fromkeys((".c", ".h"), _C),
    **dict.fromkeys((".py", ".pyi"), _PYTHON),
}
"""For each ending of a file's name, what reads it."""


@lru_cache(maxsize=16)
def load_language(package: str, entry: str) -> Language:
    """The language that a grammar's wheel holds."""
    return Language(getattr(importlib.import_module(package), entry)())
