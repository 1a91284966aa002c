"""Dependency files of every ecosystem: what is read from whole files, and from the parts that a diff shows."""

import pytest
from case_files import Case, read_cases, read_rows
from dependency_files import FILES, file_text, lines_of, read

from corpus.dependencies.dependency_files import read_dependencies


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


def test_the_same_dependency_has_the_name_of_its_ecosystem() -> None:
    expected = {
        "Cargo.toml": {"tool", "cargo"},
        "go.mod": {"tool", "go"},
        "pom.xml": {"maven"},
        "build.gradle.kts": {"maven"},
        "pyproject.toml": {"pypi"},
        "compose.yml": {"image"},
        ".github/workflows/test.yml": {"action"},
    }
    for path, ecosystems in expected.items():
        assert {str(each.ecosystem) for each in read_dependencies(path, lines_of(FILES[path]))} == ecosystems, path


@pytest.mark.parametrize(("text", "found"), read_rows("corpus-requirement-line", list))
def test_requirement_line(text: str, found: list[str]) -> None:
    assert read("requirements.txt", text) == found


def test_entities_of_xml_are_never_filled_in() -> None:
    text = '<!DOCTYPE p [<!ENTITY v "9.9">]>\n<dependency><artifactId>a</artifactId><version>&v;</version></dependency>'

    assert read("pom.xml", text) == ["a - @2"]
