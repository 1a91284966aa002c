"""Python's requirement, project and lock files: what is read from whole files and from the parts that a diff shows."""

import json
import tomllib

import pytest
from dependency_files import COMPILED, PIPFILE_LOCK, POETRY, POETRY_LOCK, PYPROJECT, UV_LOCK, lines_of, read

from corpus.dependencies.model import Ecosystem
from corpus.dependencies.reading import read_dependencies


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


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param("requirements/prod.txt", COMPILED, ["asgiref 3.7.2 @7", "django 4.2.16 @11"], id="pip-compile"),
        pytest.param(
            "pyproject.toml",
            PYPROJECT,
            [
                "hatchling 1.27 @2",
                "hatch-vcs - @2",
                "python 3.11 @7",
                "django 4.2 @14",
                "numpy 1.26 @15",
                "plain - @16",
                "pinned 2.3.1 @17",
                "pytest 7.4 @21",
                "shop - @21",
                "ruff 0.4.1 @25",
                "urllib3 - @30",
            ],
            id="pyproject.toml",
        ),
        pytest.param(
            "pyproject.toml",
            POETRY,
            [
                "python 3.10 @6",
                "django 4.2 @7",
                "celery 5.3 @8",
                "uvicorn 0.30.1 @9",
                "anything - @10",
                "several 1.0 @13",
                "several 2.0 @14",
                "mypy 1.8 @18",
            ],
            id="poetry",
        ),
        pytest.param("uv.lock", UV_LOCK, ["django 4.2.16 @6", "torch 2.9.0 @30"], id="uv.lock without the project"),
        pytest.param("poetry.lock", POETRY_LOCK, ["django 4.2.16 @3", "Jinja2 3.1.4 @19"], id="poetry.lock"),
        pytest.param("pdm.lock", POETRY_LOCK, ["django 4.2.16 @3", "Jinja2 3.1.4 @19"], id="pdm.lock"),
        pytest.param("Pipfile.lock", PIPFILE_LOCK, ["python 3.12 @5", "django 4.2.16 @15"], id="Pipfile.lock"),
        pytest.param(
            "Pipfile",
            '[packages]\ndjango = "~=4.2"\nflask = {version = ">=2.3", extras = ["async"]}\nany = "*"\n'
            '[requires]\npython_version = "3.12"\n',
            ["django 4.2 @2", "flask 2.3 @3", "any - @4", "python 3.12 @6"],
            id="Pipfile",
        ),
        pytest.param(
            "setup.cfg",
            "[metadata]\nversion = 1.2\n[options]\npython_requires = >=3.9\ninstall_requires =\n    django>=4.2\n"
            "    plain\n[options.extras_require]\ntest =\n    pytest>=7; python_version>'3.8'\n",
            ["python 3.9 @4", "django 4.2 @6", "pytest 7 @10"],
            id="setup.cfg",
        ),
        pytest.param(
            "tox.ini",
            "[testenv]\ndeps =\n    django42: Django>=4.2,<5\n    pytest==8.0\ncommands = pytest -q\n",
            ["Django 4.2 @3", "pytest 8.0 @4"],
            id="tox.ini with factors",
        ),
        pytest.param(
            "setup.py",
            "setup(\n  version='1.2',\n  python_requires='>=3.8',\n  install_requires=['django>=4.2', \"six\"],\n)",
            ["python 3.8 @3", "django 4.2 @4"],
            id="setup.py",
        ),
        pytest.param(
            "environment.yml",
            "name: shop\ndependencies:\n  - python=3.11\n  - conda-forge::numpy=1.26.4=py311_0\n  - pandas>=2.1\n"
            "  - pip:\n      - django==4.2\n      - plain\n",
            ["python 3.11 @3", "numpy 1.26.4 @4", "pandas 2.1 @5", "django 4.2 @7"],
            id="conda",
        ),
        pytest.param(".python-version", "3.12.1\n", ["python 3.12.1 @1"], id=".python-version"),
        pytest.param("runtime.txt", "python-3.11.4", ["python 3.11.4 @1"], id="runtime.txt"),
        pytest.param(
            ".tool-versions",
            "python 3.12.1\nnodejs 20.9.0\nruby 3\n",
            ["python 3.12.1 @1", "node 20.9.0 @2"],
            id="asdf",
        ),
    ],
)
def test_whole_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text) == found


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "pyproject.toml", '    "django>=4.2",\n    "plain",\n]', ["django 4.2 @40"], id="an array's middle"
        ),
        pytest.param(
            "pyproject.toml",
            'celery = "5.3.1"\ndjango = "^4.2"',
            ["celery 5.3.1 @40", "django 4.2 @41"],
            id="a pin among ranges",
        ),
        pytest.param("pyproject.toml", 'name = "shop"\nversion = "1.2.3"\ndescription = "x"', [], id="the own version"),
        pytest.param("pyproject.toml", 'python_version = "3.11"\nminversion = "6.0"', [], id="settings of tools"),
        pytest.param(
            "pyproject.toml",
            'optional-dependencies.test = [\n  "pytest>=8",\n]\n[dependency-groups]\na = [{include-group = "b"}]',
            ["pytest 8 @41"],
            id="a dotted key",
        ),
        pytest.param("requirements/extras/redis.txt", "redis>=5", ["redis 5 @40"], id="a folder below"),
        pytest.param("pyproject.toml", 'requires-python = ">=3.11"', ["python 3.11 @40"], id="requires-python"),
        pytest.param(
            "pyproject.toml", '    "A>=1",\n]\n[tool.ruff]\nselect = ["B>=1"]', ["A 1 @40"], id="a table begins below"
        ),
        pytest.param(
            "uv.lock",
            'name = "django"\nversion = "5.1"\nsource = { registry = "x" }',
            ["django 5.1 @41"],
            id="uv.lock's fields",
        ),
        pytest.param("uv.lock", '    { name = "asgiref" },\n]\nversion = "1"', [], id="a version without its name"),
        pytest.param("Pipfile.lock", '"index": "pypi",\n"version": "==4.2"', [], id="Pipfile.lock without the name"),
    ],
)
def test_part_of_a_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text, first=40) == found


def test_gap_in_the_lines_forgets_the_table() -> None:
    above, below = lines_of("[tool.ruff]\nselect = ["), lines_of('    "django>=4.2",', first=30)

    assert [each.name for each in read_dependencies("pyproject.toml", above + below)] == ["django"]


def test_uv_lock_agrees_with_tomllib() -> None:
    parsed = tomllib.loads(UV_LOCK)["package"]
    remote = {each["name"]: each["version"].partition("+")[0] for each in parsed if "registry" in each["source"]}

    assert {each.name: each.version for each in read_dependencies("uv.lock", lines_of(UV_LOCK))} == remote


def test_poetry_lock_agrees_with_tomllib() -> None:
    parsed = {each["name"]: each["version"] for each in tomllib.loads(POETRY_LOCK)["package"]}

    assert {each.name: each.version for each in read_dependencies("poetry.lock", lines_of(POETRY_LOCK))} == parsed


def test_pyproject_agrees_with_tomllib() -> None:
    parsed = tomllib.loads(PYPROJECT)
    groups = [
        parsed["build-system"]["requires"],
        [f"python{parsed['project']['requires-python']}"],
        parsed["project"]["dependencies"],
        parsed["project"]["optional-dependencies"]["test"],
        [each for each in parsed["dependency-groups"]["dev"] if isinstance(each, str)],
        parsed["tool"]["uv"]["constraint-dependencies"],
    ]
    alone = [line.split()[:2] for group in groups for each in group for line in read("requirements.txt", each)]

    assert [line.split()[:2] for line in read("pyproject.toml", PYPROJECT)] == alone


def test_pipfile_lock_agrees_with_json() -> None:
    parsed = {name: each["version"][2:] for name, each in json.loads(PIPFILE_LOCK)["default"].items()}
    found = read_dependencies("Pipfile.lock", lines_of(PIPFILE_LOCK))

    assert {each.name: each.version for each in found if each.name != "python"} == parsed


def test_python_is_named_by_pypi() -> None:
    (python,) = read_dependencies("pyproject.toml", lines_of('[project]\nrequires-python = ">=3.11"'))

    assert python.ecosystem is Ecosystem.PYPI
