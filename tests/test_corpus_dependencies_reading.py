"""What a part of a dependency file shows, and which files are such."""

import pytest
from dependency_files import FILES, lines_of
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from corpus.dependencies.dependency_files import is_dependency_file, read_dependencies

_paths = st.sampled_from(sorted(FILES))


@examples(40)
@given(st.data(), _paths)
def test_part_finds_nothing_that_the_whole_file_does_not_know_the_version_of(data: st.DataObject, path: str) -> None:
    lines = lines_of(FILES[path])
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    whole = {(each.name, each.line): each.version for each in read_dependencies(path, lines)}

    for each in read_dependencies(path, lines[start:end]):
        if (each.name, each.line) in whole:
            # A version filled in from a line out of sight is unknown, never another.
            assert each.version in {whole[each.name, each.line], None}


STATING = (
    "requirements-dev.txt dev_requirements.in requirements/base.txt constraints.txt services/api/pyproject.toml"
    " web\\package.json Dockerfile.prod prod.dockerfile Containerfile docker-compose.override.yml"
    " .github/workflows/ci.yaml actions/setup/action.yml uv.lock"
).split()
OTHERS = ["", *"notes.txt src/app.py package.json.md my-setup.py build.sbt".split(), "requirements/" * 800 + "a.txt"]


@pytest.mark.parametrize("path", STATING + OTHERS)
def test_file_is_known_by_its_path(path: str) -> None:
    assert is_dependency_file(path) is (path in STATING)
    assert path in STATING or read_dependencies(path, lines_of("django==4.2")) == ()


@pytest.mark.timeout(60)
def test_blanks_after_a_bracket_are_read_once() -> None:
    # Given back one by one, those of each line take a second.
    assert read_dependencies("uv.lock", lines_of(f"[{' ' * 9_000}!\n" * 200)) == ()
