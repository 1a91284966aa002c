"""Dependency files of every ecosystem: what is read from whole files, and from the parts that a diff shows."""

import pytest
from case_files import Case, read_cases, read_rows
from dependency_files import FILES, file_text, lines_of, read

from corpus.dependencies.dependency_files import read_dependencies
from corpus.dependencies.model import Dependency, Ecosystem


@pytest.mark.parametrize("case", read_cases("dependency-files"), ids=lambda case: case.name)
def test_whole_file(case: Case) -> None:
    """A case names its path, and after `<` the file of `data/dependencies` that is its text."""
    path, _, file = case.subject.partition(" < ")
    assert read(path, file_text(file) if file else case.text) == case.gives


@pytest.mark.parametrize("case", read_cases("dependency-parts"), ids=lambda case: case.name)
def test_part_of_a_file(case: Case) -> None:
    assert read(case.subject, case.text, first=40) == case.gives


@pytest.mark.parametrize(("reference", "found"), read_rows("corpus-image-reference"))
def test_image_reference(reference: str, found: str) -> None:
    assert read("compose.yml", f"image: {reference}") == [f"{found} @1"]


def test_images_and_actions_are_named_by_their_ecosystems() -> None:
    found = read_dependencies(".github/workflows/a.yml", lines_of("- uses: a/b@v1\n- image: redis:7\n- run: npx c@1.2"))

    assert found == (
        Dependency("a/b", Ecosystem.ACTION, "1", 1, ".github/workflows/a.yml", "v1"),
        Dependency("redis", Ecosystem.IMAGE, "7", 2, ".github/workflows/a.yml"),
        Dependency("c", Ecosystem.NPM, "1.2", 3, ".github/workflows/a.yml"),
    )


def test_the_same_dependency_has_the_name_of_its_ecosystem() -> None:
    expected = {
        "Cargo.toml": {"tool", "cargo"},
        "go.mod": {"tool", "go"},
        "Gemfile": {"tool", "rubygems"},
        "composer.json": {"tool", "composer"},
        "pom.xml": {"maven"},
        "build.gradle.kts": {"maven"},
        "src/Web.csproj": {"nuget"},
        "pyproject.toml": {"pypi"},
    }
    for path, ecosystems in expected.items():
        assert {str(each.ecosystem) for each in read_dependencies(path, lines_of(FILES[path]))} == ecosystems, path


@pytest.mark.parametrize(("text", "found"), read_rows("corpus-requirement-line", list))
def test_requirement_line(text: str, found: list[str]) -> None:
    assert read("requirements.txt", text) == found


def test_entities_of_xml_are_never_filled_in() -> None:
    text = '<!DOCTYPE p [<!ENTITY v "9.9">]>\n<dependency><artifactId>a</artifactId><version>&v;</version></dependency>'

    assert read("pom.xml", text) == ["a - @2"]
