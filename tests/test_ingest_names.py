"""A product's name without a version beside it: in a title, in the name of a file or folder."""

import pytest

from ingest.releases.subjects import name_by_place, read_name_in_title, read_package_title


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Gizmo Changelog", "Gizmo"),
        ("libfoo NEWS", "libfoo"),
        ("Changelog for X", "X"),
        ("What's new in X", "X"),
        ("What’s New In The Gizmo Project", "Gizmo"),
        ("X release notes", "X"),
        ("X Release History", "X"),
        ("Change Log of X", "X"),
        ("Release Notes: Spring Boot", "Spring Boot"),
        ("Gizmo - Changelog", "Gizmo"),
        ("Gizmo’s Change-Log", "Gizmo"),
        ("Visual Studio Code Release Notes", "Visual Studio Code"),
        ("scikit-learn release history", "scikit-learn"),
        ("Node.js ChangeLog", "Node.js"),
        ("@scope/pkg Changelog", "@scope/pkg"),
        ("Changelog - @scope/pkg", "@scope/pkg"),
        ("C++ Boost Changelog", "C++ Boost"),
        ("Changes of Foo", "Foo"),
        ("NEWS for libmarl", "libmarl"),
        ("libmarl NEWS -- history of user-visible changes", "libmarl"),
        ("NEWS for libmarl - a library", "libmarl"),
        ("Overview of changes in GLib", "GLib"),
        ("Release notes for the marl library", "marl"),
    ],
)
def test_a_title_names_what_its_notes_are_about(title: str, name: str) -> None:
    assert read_name_in_title(title) == name


@pytest.mark.parametrize(
    "title",
    ["", "Gizmo", "Hello", "Changelog", "Release History", "What's new", "Project Changelog", "Full changelog",
     "Latest Changes", "All notable changes", "All notable changes to this project", "Breaking Changes", "API changes",
     "Security News", "Bug fixes and changes", "Summary of changes", "Changes in this release", "Known issues",
     "Release notes and known issues", "Changes to the build system", "History repeats itself", "What's new in 3.10",
     "Changelog of gizmo, all notable changes are here", "Changes since the fork"],
)  # fmt: skip
def test_a_title_that_names_no_product(title: str) -> None:
    assert read_name_in_title(title) == ""


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("@acme/form", "@acme/form"),
        ("Changelog - @acme/core", "@acme/core"),
        ("form", "form"),
        ("acme-form", "acme-form"),
        ("acme-form Changelog", "acme-form"),
        ("platform", ""),
        ("Change Log", ""),
        ("The form", ""),
        ("marl", ""),
    ],
)
def test_a_title_that_is_a_package_alone(title: str, name: str) -> None:
    assert read_package_title(title, folders=("packages", "form")) == name


@pytest.mark.parametrize(
    ("source", "root", "name"),
    [
        ("CHANGELOG.md", "/x/gizmo", "gizmo"),
        ("CHANGELOG.md", "/x/gizmo/CHANGELOG.md", "gizmo"),
        ("NEWS.2", "/x/gizmo-1.2.0", "gizmo"),
        ("release-9.1.0.txt", "/x/foo", "foo"),
        ("4.2.txt", "/x/foo", "foo"),
        ("plain.txt", "/x/notes", "plain"),
        ("gizmo_NEWS", "/x/y", "gizmo"),
        ("spring-boot-changelog.md", "/x/y", "spring-boot"),
        ("2025-04-23-pytorch-2-7.md", "/x/y", "pytorch"),
        ("000_713bd267657e8b16.txt", "/x/seeds", "seeds"),
        ("gizmo-713bd267657e8b16.txt", "/x/y", "y"),
        ("why-everyone-should-move-to-gizmo-now.md", "/x/y", "y"),
        ("index.html", "/x/docs", "docs"),
        ("v1.4/settings.md", "/x/gizmo-docs", "gizmo"),
        ("README.md", "/x/3f786850e387550fdab836ed7e6dc881de23001b", "unknown"),
        ("README.md", "/", "unknown"),
    ],
)
def test_a_document_that_nobody_names_goes_by_its_place(source: str, root: str, name: str) -> None:
    assert name_by_place(source, root=root) == name
