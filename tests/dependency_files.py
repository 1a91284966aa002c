"""Dependency files of every kind, from `data/dependencies`, and what is read from them as short words."""

from pathlib import Path

from corpus.dependencies.dependency_files import read_dependencies
from corpus.dependencies.model import Line


def file_text(name: str) -> str:
    return (Path(__file__).parent / "data" / "dependencies" / f"{name}.txt").read_text("utf-8")


FILES = {
    "requirements.txt": file_text("requirements.txt"),
    "pyproject.toml": file_text("pyproject.toml") + file_text("poetry.pyproject.toml"),
    "uv.lock": file_text("uv.lock"),
    "poetry.lock": file_text("poetry.lock"),
    "package.json": file_text("package.json"),
    "package-lock.json": file_text("package-lock.3.json") + file_text("package-lock.1.json"),
    "yarn.lock": file_text("yarn.1.lock") + file_text("yarn.berry.lock"),
    "pnpm-lock.yaml": file_text("pnpm-lock.yaml"),
    "Dockerfile": file_text("Dockerfile"),
    "compose.yml": file_text("compose.yml"),
    ".github/workflows/test.yml": file_text("github.workflow.yml"),
    "Cargo.toml": file_text("Cargo.toml"),
    "Cargo.lock": file_text("Cargo.lock"),
    "go.mod": file_text("go.mod"),
    "Gemfile.lock": file_text("Gemfile.lock"),
    "pom.xml": file_text("pom.xml"),
    "build.gradle.kts": file_text("build.gradle"),
}
"""By a path that each is known by."""


def lines_of(text: str, *, first: int = 1) -> tuple[Line, ...]:
    return tuple(Line(number, line) for number, line in enumerate(text.split("\n"), first))


def read(path: str, text: str, *, first: int = 1) -> list[str]:
    """Each dependency as `name version @line`; a dash stands for no version. `first` above 1 makes it a part."""
    found = read_dependencies(path, lines_of(text, first=first))
    return [f"{dependency.name} {dependency.version or '-'} @{dependency.line}" for dependency in found]
