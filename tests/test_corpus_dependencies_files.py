"""Dependency files of every ecosystem: what is read from whole files, and from the parts that a diff shows."""

import pytest
from case_files import Case, read_cases
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


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        pytest.param("postgres:15.4-alpine3.18", "postgres 15.4", id="a suffix"),
        pytest.param("docker.io/library/postgres:15", "postgres 15", id="the registry's full name"),
        pytest.param("localhost:5000/team/app:v1.2", "team/app 1.2", id="a registry with a port"),
        pytest.param("public.ecr.aws/docker/library/python:3.12", "python 3.12", id="a mirror of the library"),
        pytest.param("python:3.13.0rc1-slim", "python 3.13.0rc1", id="a candidate"),
        pytest.param("python:3.13-rc-slim", "python 3.13", id="a candidate without a number"),
        pytest.param("pytorch/pytorch:2.9.0-cuda12.8-cudnn9-runtime", "pytorch/pytorch 2.9.0", id="two suffixes"),
        pytest.param("redis:latest", "redis -", id="latest"),
        pytest.param("debian:bookworm-slim", "debian -", id="a name for a tag"),
        pytest.param("redis", "redis -", id="no tag"),
        pytest.param("redis@sha256:0123", "redis -", id="a digest alone"),
        pytest.param("redis:7.2@sha256:0123", "redis 7.2", id="a tag with a digest"),
    ],
)
def test_image_reference(reference: str, found: str) -> None:
    assert read("compose.yml", f"image: {reference}") == [f"{found} @1"]


def test_images_and_actions_are_named_by_their_ecosystems() -> None:
    found = read_dependencies(".github/workflows/a.yml", lines_of("- uses: a/b@v1\n- image: redis:7\n- run: npx c@1.2"))

    assert found == (
        Dependency("a/b", Ecosystem.ACTION, "1", 1, ".github/workflows/a.yml", "v1"),
        Dependency("redis", Ecosystem.IMAGE, "7", 2, ".github/workflows/a.yml", "7"),
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("django==4.2", ["django 4.2 @1"], id="a pin"),
        pytest.param("Django[argon2,bcrypt] >= 4.2, < 5.0  # web", ["Django 4.2 @1"], id="extras, blanks, a comment"),
        pytest.param("django>4.2,!=4.2.3,<=5", ["django 4.2 @1"], id="a lower bound among others"),
        pytest.param("django<5", ["django - @1"], id="an upper bound alone tells no version"),
        pytest.param("django!=4.2", ["django - @1"], id="an exclusion tells no version"),
        pytest.param("django~=4.2.1", ["django 4.2.1 @1"], id="a compatible release"),
        pytest.param("django==4.2.*", ["django 4.2 @1"], id="a wildcard"),
        pytest.param("django", ["django - @1"], id="a name alone"),
        pytest.param("django===4.2", ["django 4.2 @1"], id="an arbitrary equality"),
        pytest.param("torch==2.9.0+cu128", ["torch 2.9.0 @1"], id="build metadata goes"),
        pytest.param("django==5.0rc1; python_version>'3.9'", ["django 5.0rc1 @1"], id="a candidate, a marker"),
        pytest.param("django == 4.2 --hash=sha256:aa", ["django 4.2 @1"], id="a hash on the same line"),
        pytest.param("django==4.2 \\", ["django 4.2 @1"], id="a line that goes on"),
        pytest.param("a @ https://e.org/a-1.2-py3-none-any.whl", ["a 1.2 @1"], id="a wheel's address"),
        pytest.param("a @ git+https://e.org/a.git@v1.2.3", ["a 1.2.3 @1"], id="a git tag"),
        pytest.param("a @ git+https://e.org/a.git@main", ["a - @1"], id="a git branch"),
        pytest.param("-e git+https://e.org/a.git@1.2#egg=a", ["a 1.2 @1"], id="an editable egg"),
        pytest.param("-r base.txt\n--no-binary :all:\n-e .\n./local", [], id="options and paths"),
        pytest.param("# django==4.2\n\n   \n", [], id="comments and blanks"),
        pytest.param("<<<<<<< HEAD\ndjango==\n=======\n((((\n", [], id="what is none"),
    ],
)
def test_requirement_line(text: str, found: list[str]) -> None:
    assert read("requirements.txt", text) == found


def test_entities_of_xml_are_never_filled_in() -> None:
    text = '<!DOCTYPE p [<!ENTITY v "9.9">]>\n<dependency><artifactId>a</artifactId><version>&v;</version></dependency>'

    assert read("pom.xml", text) == ["a - @2"]
