"""A product's name without a version beside it: in a title, in the name of a file or folder."""

import pytest
from case_files import read_rows

from ingest.releases.subjects import (
    name_by_place,
    package_folders,
    read_name_in_title,
    read_own_name,
    read_package_title,
)


@pytest.mark.parametrize(("title", "name"), read_rows("ingest-a-title-names-what-its-notes-are-about"))
def test_a_title_names_what_its_notes_are_about(title: str, name: str) -> None:
    assert read_name_in_title(title) == name


@pytest.mark.parametrize("title", read_rows("ingest-a-title-that-names-no-product"))
def test_a_title_that_names_no_product(title: str) -> None:
    assert read_name_in_title(title) == ""


@pytest.mark.parametrize(("title", "name"), read_rows("ingest-a-title-that-is-a-package-alone"))
def test_a_title_that_is_a_package_alone(title: str, name: str) -> None:
    assert read_package_title(title, folders=("packages", "form")) == name


@pytest.mark.parametrize(("text", "name"), read_rows("ingest-a-text-names-itself"))
def test_a_text_names_itself_by_its_module_or_its_links(text: str, name: str) -> None:
    assert read_own_name(text) == name


@pytest.mark.parametrize(("source", "root", "name"), read_rows("ingest-a-document-that-nobody-names-goes-by-its-place"))
def test_a_document_that_nobody_names_goes_by_its_place(source: str, root: str, name: str) -> None:
    assert name_by_place(source, root=root) == name


@pytest.mark.parametrize(
    ("above", "packages"), [("acme", {"acme/form", "acme/core"}), ("acme/v4.3.0", set()), ("acme/4.3/docs", set())]
)
def test_folders_beside_each_other_are_packages_unless_they_hold_the_pages_of_a_release(
    above: str, packages: set[str]
) -> None:
    assert package_folders([f"{above}/form/index.md", f"{above}/core/index.md"]) == packages
