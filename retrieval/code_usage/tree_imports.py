"""What the imports of each language bind: a local name, and the path that it stands for."""

import re
from collections.abc import Callable, Iterator, Mapping

from tree_sitter import Node

Path = tuple[str, ...]
Import = tuple[str | None, Path]
"""The local name, `*` where Python takes over all names of a module; None where nothing is bound by name."""


def text_of(node: Node | None) -> str:
    """The source of a node; empty for none."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def read_imports(package: str, node: Node) -> Iterator[Import]:
    """What one import of the language that `package` parses binds."""
    yield from _READERS[package](node)


def _ecmascript(node: Node) -> Iterator[Import]:
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = (text_of(source).strip("'\"`"),)
    yield None, module
    for clause in _below(node, ("import_clause", "export_clause", "import_require_clause")):
        for child in clause.named_children:
            if child.type == "identifier":
                yield text_of(child), module
            elif child.type == "namespace_import":
                yield text_of(child.named_children[-1] if child.named_children else None), module
        for specifier in _below(clause, ("import_specifier", "export_specifier", "named_imports")):
            names = _below(specifier, ("import_specifier",)) if specifier.type == "named_imports" else [specifier]
            for name in names:
                imported = text_of(name.child_by_field_name("name"))
                yield text_of(name.child_by_field_name("alias")) or imported, (*module, imported)


def _go(node: Node) -> Iterator[Import]:
    module = text_of(node.child_by_field_name("path")).strip('"`')
    if not module:
        return
    name = text_of(node.child_by_field_name("name"))
    parts = module.split("/")
    # `github.com/x/gin/v2` is package `gin`; `gopkg.in/yaml.v3` is `yaml`.
    if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit():
        parts.pop()
    bound = name or parts[-1].partition(".")[0].removeprefix("go-")
    parts[-1] = re.sub(r"\.v\d+$", "", parts[-1])
    yield (None if bound in (".", "_") else bound), ("/".join(parts),)


def _rust(node: Node) -> Iterator[Import]:
    argument = node.child_by_field_name("argument")
    waiting: list[tuple[Node, Path]] = [(argument, ())] if argument else []
    while waiting:
        use, before = waiting.pop()
        path = use.child_by_field_name("path")
        match use.type:
            case "scoped_use_list":
                start = (*before, *_rust_path(path))
                inner = use.child_by_field_name("list")
                waiting.extend((child, start) for child in (inner.named_children if inner else ()))
            case "use_list":
                waiting.extend((child, before) for child in use.named_children)
            case "use_as_clause":
                yield text_of(use.child_by_field_name("alias")), (*before, *_rust_path(path))
            case "use_wildcard":
                yield None, (*before, *_rust_path(use.named_children[0] if use.named_children else None))
            case _:
                whole = (*before, *_rust_path(use))
                if whole[-1:] == ("self",):
                    whole = whole[:-1]
                if whole:
                    yield whole[-1], whole


def _rust_path(node: Node | None) -> Path:
    return tuple(part.strip() for part in text_of(node).split("::") if part.strip())


def _java(node: Node) -> Iterator[Import]:
    name = next((text_of(child) for child in node.named_children if "identifier" in child.type), "")
    path = tuple(name.split("."))
    every = any(child.type == "asterisk" for child in node.named_children)
    yield (None if every else path[-1]), path


def _c(node: Node) -> Iterator[Import]:
    header = text_of(node.child_by_field_name("path")).strip('<>"')
    yield None, tuple(part for part in header.removesuffix(".h").split("/") if part)


def _python(node: Node) -> Iterator[Import]:
    module = node.child_by_field_name("module_name")
    written = text_of(module)
    # A first part of dots marks a module of the code's own.
    dots = written[: len(written) - len(written.lstrip("."))]
    before = tuple(filter(None, (dots, *written.split("."))))
    if module is not None:
        is_star = any(child.type == "wildcard_import" for child in node.named_children)
        yield "*" if is_star else None, before
    for name in node.children_by_field_name("name"):
        alias = text_of(name.child_by_field_name("alias"))
        path = tuple(text_of(name.child_by_field_name("name") or name).split("."))
        if module is not None:
            yield alias or path[-1], (*before, *path)
        else:
            yield None, path
            yield (alias, path) if alias else (path[0], path[:1])


def _below(node: Node, types: tuple[str, ...]) -> list[Node]:
    return [child for child in node.named_children if child.type in types]


_READERS: Mapping[str, Callable[[Node], Iterator[Import]]] = {
    "tree_sitter_javascript": _ecmascript,
    "tree_sitter_typescript": _ecmascript,
    "tree_sitter_go": _go,
    "tree_sitter_rust": _rust,
    "tree_sitter_java": _java,
    "tree_sitter_c": _c,
    "tree_sitter_python": _python,
}
