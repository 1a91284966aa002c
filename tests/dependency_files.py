"""Dependency files of every kind, from `data/dependencies`, and what is read from them as short words."""

from pathlib import Path

from corpus.dependencies.model import Line
from corpus.dependencies.reading import read_dependencies


def _text(name: str) -> str:
    return (Path(__file__).parent / "data" / "dependencies" / f"{name}.txt").read_text("utf-8")


COMPILED = _text("requirements.txt")
PYPROJECT = _text("pyproject.toml")
POETRY = _text("poetry.pyproject.toml")
UV_LOCK = _text("uv.lock")
POETRY_LOCK = _text("poetry.lock")
PIPFILE_LOCK = _text("Pipfile.lock")
PACKAGE = _text("package.json")
PACKAGE_LOCK_3 = _text("package-lock.3.json")
PACKAGE_LOCK_1 = _text("package-lock.1.json")
YARN_1 = _text("yarn.1.lock")
YARN_BERRY = _text("yarn.berry.lock")
PNPM_9 = _text("pnpm-lock.yaml")
DOCKERFILE = _text("Dockerfile")
COMPOSE = _text("compose.yml")
KUBERNETES = _text("kubernetes.yml")
HELM_VALUES = _text("helm.values.yml")
WORKFLOW = _text("github.workflow.yml")
PRE_COMMIT = _text("pre-commit-config.yaml")
CARGO = _text("Cargo.toml")
POM = _text("pom.xml")
GRADLE = _text("build.gradle")
CATALOGUE = _text("libs.versions.toml")
CSPROJ = _text("csproj.xml")
CARGO_LOCK = _text("Cargo.lock")
GO_MOD = _text("go.mod")
GEMFILE = _text("Gemfile")
GEMSPEC = _text("gemspec")
GEMFILE_LOCK = _text("Gemfile.lock")
COMPOSER = _text("composer.json")
COMPOSER_LOCK = _text("composer.lock")
NUGET_LOCK = _text("packages.lock.json")
MIX = _text("mix.exs")
MIX_LOCK = _text("mix.lock")
CMAKE = _text("CMakeLists")

FILES = {
    "requirements.txt": COMPILED,
    "pyproject.toml": PYPROJECT + POETRY,
    "Pipfile": POETRY,
    "Pipfile.lock": PIPFILE_LOCK,
    "uv.lock": UV_LOCK,
    "poetry.lock": POETRY_LOCK,
    "setup.cfg": "install_requires =\n    django>=4.2\n",
    "setup.py": "setup(install_requires=['django>=4.2'])",
    "environment.yml": "- python=3.11\n- django==4.2\n",
    "package.json": PACKAGE,
    "package-lock.json": PACKAGE_LOCK_3 + PACKAGE_LOCK_1,
    "yarn.lock": YARN_1 + YARN_BERRY,
    "pnpm-lock.yaml": PNPM_9,
    "bun.lock": '    "react": ["react@18.2.0", "", {}]',
    "Dockerfile": DOCKERFILE,
    "compose.yml": COMPOSE + HELM_VALUES,
    ".github/workflows/test.yml": WORKFLOW,
    ".pre-commit-config.yaml": PRE_COMMIT,
    ".python-version": "3.12",
    ".tool-versions": "python 3.12",
    "Cargo.toml": CARGO,
    "Cargo.lock": CARGO_LOCK,
    "go.mod": GO_MOD,
    "Gemfile": GEMFILE,
    "gears.gemspec": GEMSPEC,
    "Gemfile.lock": GEMFILE_LOCK,
    "composer.json": COMPOSER,
    "composer.lock": COMPOSER_LOCK,
    "pom.xml": POM,
    "build.gradle.kts": GRADLE,
    "gradle.properties": "leverVersion=2.3.1\n",
    "gradle/libs.versions.toml": CATALOGUE,
    "gradle-wrapper.properties": "distributionUrl=https\\://host.example/gradle-8.5-bin.zip\n",
    "src/Web.csproj": CSPROJ,
    "packages.lock.json": NUGET_LOCK,
    "mix.exs": MIX,
    "mix.lock": MIX_LOCK,
    "CMakeLists.txt": CMAKE,
}
"""By a path that each is known by."""


def lines_of(text: str, *, first: int = 1) -> tuple[Line, ...]:
    return tuple(Line(number, line) for number, line in enumerate(text.split("\n"), first))


def read(path: str, text: str, *, first: int = 1) -> list[str]:
    """Each dependency as `name version @line`; a dash stands for no version. `first` above 1 makes it a part."""
    found = read_dependencies(path, lines_of(text, first=first))
    return [f"{dependency.name} {dependency.version or '-'} @{dependency.line}" for dependency in found]
