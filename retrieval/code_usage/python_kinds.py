"""What a Python file's path and the kinds of its nodes tell before anything is read."""

import ast

# Most of a tree is of kinds that name nothing: told apart by one look-up, they cost a third of the time.
EMPTY = frozenset((ast.Load, ast.Store, ast.Del, ast.Pass, *ast.operator.__subclasses__(), *ast.cmpop.__subclasses__()))
UNNAMING = frozenset((ast.Module, ast.Return, ast.If, ast.BinOp, ast.BoolOp, ast.Compare, ast.Subscript, ast.Assert))


def module_of(name: str) -> tuple[str, ...]:
    """The parts of a file's module, as far as its path tells."""
    parts = name.removesuffix(".py").split("/")
    return tuple(part for part in parts if part and part != "__init__")
