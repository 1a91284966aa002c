"""Container images, GitHub workflows and commands that install: what is read from whole files and from their parts."""

import pytest
import yaml
from dependency_files import COMPOSE, DOCKERFILE, HELM_VALUES, KUBERNETES, PRE_COMMIT, WORKFLOW, lines_of, read

from corpus.dependencies.model import Dependency, Ecosystem
from corpus.dependencies.reading import read_dependencies


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


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "docker/Dockerfile.web",
            DOCKERFILE,
            [
                "python 3.12.1 @2",
                "node 20 @3",
                "typescript 5.4.2 @5",
                "@scope/tool 1.2 @5",
                "django 4.2 @11",
                "gunicorn 22.0.0 @12",
                "numpy 1.26 @15",
                "astral-sh/uv 0.5.1 @16",
                "ruff 0.4.1 @18",
                "numpy 1.26.4 @18",
                "scratch - @20",
            ],
            id="Dockerfile",
        ),
        pytest.param("compose.yaml", COMPOSE, ["postgres 15.4 @3", "redis 7.2 @5", "team/app 1.2.3 @8"], id="compose"),
        pytest.param(
            "deploy/web.yaml", KUBERNETES, ["nginx 1.27.0 @8", "prometheus/node-exporter 1.8.2 @9"], id="Kubernetes"
        ),
        pytest.param("chart/values.yaml", HELM_VALUES, ["bitnami/postgresql 16.2.0 @4"], id="Helm values"),
        pytest.param("chart/templates/web.yaml", "image: {{ .Values.image }}:1.2", [], id="Helm template"),
        pytest.param(
            ".github/workflows/tools.yml",
            "with:\n  go-version: '1.22'\n  terraform_version: 1.9.5\n  go-version-file: go.mod\n  my-go-version: 3\n",
            ["go 1.22 @2", "terraform 1.9.5 @3"],
            id="workflow: tools",
        ),
        pytest.param(
            ".github/workflows/test.yml",
            WORKFLOW,
            [
                "python 3.12 @5",
                "postgres 16 @8",
                "actions/checkout 4 @10",
                "actions/setup-python 5.3.0 @11",
                "python 3.12 @13",
                "actions/setup-node 4.0.2 @14",
                "node 20 @16",
                "github/codeql-action 3 @17",
                "pypa/gh-action-pypi-publish 1 @18",
                "some/action - @19",
                "alpine 3.20 @21",
                "tox 4.14 @22",
                "django 4.2 @26",
                "psycopg 3.1 @27",
                "npm 10.5.0 @28",
                "owner/repository 2 @30",
            ],
            id="workflow",
        ),
        pytest.param(
            ".pre-commit-config.yaml",
            PRE_COMMIT,
            ["ruff 0.4.1 @3", "mypy 1.8.0 @8", "types-PyYAML 6.0.1 @11", "django-stubs 4.2 @11"],
            id="pre-commit",
        ),
    ],
)
def test_whole_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text) == found


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "Dockerfile",
            "        django==4.2 \\\n        gunicorn~=22.0 \\",
            ["django 4.2 @40", "gunicorn 22.0 @41"],
            id="the middle of a command",
        ),
        pytest.param("Dockerfile", "FROM python:$V-slim", ["python - @40"], id="an argument out of sight"),
        pytest.param(
            "Dockerfile",
            "ENV A_VERSION=1.8.3 B=2\nRUN pip install \"a==$A_VERSION\" 'c >= 3.1'",
            ["a 1.8.3 @40", "c 3.1 @41"],
            id="a setting",
        ),
        pytest.param("Dockerfile", "ARG A=15\nFROM postgres:$A.4", ["postgres 15.4 @41"], id="a version put together"),
        pytest.param("Dockerfile", 'RUN ["pip", "install", "a==1.2"]', ["a 1.2 @40"], id="a command as a list"),
        pytest.param("ci.yml", "run: corepack prepare pnpm@8.6.0 --activate", [], id="commands of other YAML files"),
        pytest.param("action.yml", "run: corepack prepare pnpm@8.6.0", ["pnpm 8.6.0 @40"], id="corepack"),
        pytest.param("action.yml", "    - uses: actions/cache@v4", ["actions/cache 4 @40"], id="a step"),
        pytest.param("values.yaml", '  tag: "16.2.0"', [], id="a tag without its repository"),
        pytest.param(
            ".pre-commit-config.yaml", "    rev: v1.2\n    hooks:", [], id="a revision without its repository"
        ),
    ],
)
def test_part_of_a_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text, first=40) == found


def test_images_and_actions_are_named_by_their_ecosystems() -> None:
    found = read_dependencies(".github/workflows/a.yml", lines_of("- uses: a/b@v1\n- image: redis:7\n- run: npx c@1.2"))

    assert found == (
        Dependency("a/b", Ecosystem.ACTION, "1", ".github/workflows/a.yml", 1),
        Dependency("redis", Ecosystem.IMAGE, "7", ".github/workflows/a.yml", 2),
        Dependency("c", Ecosystem.NPM, "1.2", ".github/workflows/a.yml", 3),
    )


@pytest.mark.parametrize("text", [COMPOSE, KUBERNETES], ids=["compose", "Kubernetes"])
def test_every_image_that_yaml_finds_is_read(text: str) -> None:
    def images(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [node["image"]] if isinstance(node.get("image"), str) else []
            return own + [each for value in node.values() for each in images(value)]
        return [each for value in node for each in images(value)] if isinstance(node, list) else []

    found = read_dependencies("compose.yaml", lines_of(text))
    assert [each.name for each in found] == [
        read("a.yml", f"image: {each}")[0].split()[0] for each in images(yaml.safe_load(text))
    ]


def test_every_action_that_yaml_finds_is_read() -> None:
    steps = yaml.safe_load(WORKFLOW)["jobs"]["test"]["steps"]
    used = [step["uses"].split("@")[0] for step in steps if "uses" in step and step["uses"][0] not in ".d"]

    found = read_dependencies(".github/workflows/a.yml", lines_of(WORKFLOW))
    actions = [each.name for each in found if each.ecosystem is Ecosystem.ACTION]
    assert actions[:-1] == ["/".join(each.split("/")[:2]) for each in used]


def test_a_repository_with_a_tag_of_its_own_takes_none_from_below() -> None:
    assert read("values.yaml", "repository: a.example/postgres:15.4\ntag: 16.2\n") == []
    assert read("values.yaml", "repository: a.example:5000/postgres\ntag: 16.2\n") == ["postgres 16.2 @2"]
