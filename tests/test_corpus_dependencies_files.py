"""Dependency files of every ecosystem: what is read from whole files, and from the parts that a diff shows."""

import pytest
from dependency_files import (
    CARGO,
    CARGO_LOCK,
    CATALOGUE,
    CMAKE,
    COMPILED,
    COMPOSE,
    COMPOSER,
    COMPOSER_LOCK,
    CSPROJ,
    DOCKERFILE,
    GEMFILE,
    GEMFILE_LOCK,
    GEMSPEC,
    GO_MOD,
    GRADLE,
    HELM_VALUES,
    KUBERNETES,
    MIX,
    MIX_LOCK,
    NUGET_LOCK,
    PACKAGE,
    PACKAGE_LOCK_1,
    PACKAGE_LOCK_3,
    PIPFILE_LOCK,
    PNPM_9,
    POETRY,
    POETRY_LOCK,
    POM,
    PRE_COMMIT,
    PYPROJECT,
    UV_LOCK,
    WORKFLOW,
    YARN_1,
    YARN_BERRY,
    lines_of,
    read,
)

from corpus.dependencies.model import Dependency, Ecosystem
from corpus.dependencies.reading import read_dependencies


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "docker/Dockerfile.web",
            DOCKERFILE,
            "python 3.12.1 @2, node 20 @3, typescript 5.4.2 @5, @scope/tool 1.2 @5, django 4.2 @11, "
            "gunicorn 22.0.0 @12, numpy 1.26 @15, astral-sh/uv 0.5.1 @16, ruff 0.4.1 @18, numpy 1.26.4 @18, "
            "scratch - @20",
            id="Dockerfile",
        ),
        pytest.param("compose.yaml", COMPOSE, "postgres 15.4 @3, redis 7.2 @5, team/app 1.2.3 @8", id="compose"),
        pytest.param(
            "deploy/web.yaml", KUBERNETES, "nginx 1.27.0 @8, prometheus/node-exporter 1.8.2 @9", id="Kubernetes"
        ),
        pytest.param("chart/values.yaml", HELM_VALUES, "bitnami/postgresql 16.2.0 @4", id="Helm values"),
        pytest.param("chart/templates/web.yaml", "image: {{ .Values.image }}:1.2", "", id="Helm template"),
        pytest.param(
            ".github/workflows/tools.yml",
            "with:\n  go-version: '1.22'\n  terraform_version: 1.9.5\n  go-version-file: go.mod\n  my-go-version: 3\n",
            "go 1.22 @2, terraform 1.9.5 @3",
            id="workflow: tools",
        ),
        pytest.param(
            ".github/workflows/test.yml",
            WORKFLOW,
            "python 3.12 @5, postgres 16 @8, actions/checkout 4 @10, actions/setup-python 5.3.0 @11, "
            "python 3.12 @13, actions/setup-node 4.0.2 @14, node 20 @16, github/codeql-action 3 @17, "
            "pypa/gh-action-pypi-publish 1 @18, some/action - @19, alpine 3.20 @21, tox 4.14 @22, "
            "django 4.2 @26, psycopg 3.1 @27, npm 10.5.0 @28, owner/repository 2 @30",
            id="workflow",
        ),
        pytest.param(
            ".pre-commit-config.yaml",
            PRE_COMMIT,
            "ruff 0.4.1 @3, mypy 1.8.0 @8, types-PyYAML 6.0.1 @11, django-stubs 4.2 @11",
            id="pre-commit",
        ),
        pytest.param(
            "crates/a/Cargo.toml",
            CARGO,
            "rust 1.70 @4, gearbox 4.2 @7, turbine 3.1 @8, cog 2.0.1 @9, tagged 1.5 @11, lever 1.0 @15, "
            "epoll 0.3 @19, wheel 0.9.1 @22",
            id="Cargo.toml",
        ),
        pytest.param("Cargo.lock", CARGO_LOCK, "gearbox 4.2.1 @5", id="Cargo.lock, without the project's crates"),
        pytest.param("rust-toolchain.toml", '[toolchain]\nchannel = "1.83.0"', "rust 1.83.0 @2", id="toolchain"),
        pytest.param(
            "go.mod",
            GO_MOD,
            "go 1.21 @3, go 1.22.3 @4, example.com/acme/gears 1.7.7 @7, gopkg.in/cogs.v3 3.0.1 @8, "
            "example.com/acme/lever/v2 2.0.0 @9, example.com/wheel 0.0.0-20240101120000-abcdef123456 @12, "
            "example.com/fork/gears 1.8.0 @17",
            id="go.mod",
        ),
        pytest.param(
            "Gemfile",
            GEMFILE,
            "ruby 3.3.0 @2, gears 7.1.2 @3, cogs 1.4 @4, plain - @5, lever 1.0.0.rc1 @6, axle - @7",
            id="Gemfile",
        ),
        pytest.param("a.gemspec", GEMSPEC, "ruby 3.1 @2, gears 5.2 @3, cogs 1.0 @4", id="gemspec"),
        pytest.param("Gemfile.lock", GEMFILE_LOCK, "gears 7.1.2 @9, nokogear 1.15.0 @11", id="Gemfile.lock"),
        pytest.param(
            "composer.json",
            COMPOSER,
            "php 8.1 @5, acme/gears 12.0 @6, acme/cogs 1.0 @7, acme/lever - @11",
            id="composer.json",
        ),
        pytest.param("composer.lock", COMPOSER_LOCK, "acme/gears 12.1.0 @5", id="composer.lock"),
        pytest.param(
            "pom.xml",
            POM,
            "org.acme.boot:acme-boot-parent 3.2.0 @8, org.acme:gears 2.8.9 @14, cog 1.2 @15, java 17 @16, "
            "org.acme:lever 31.1 @31, wheel-plugin 3.0.0.Final @36",
            id="pom.xml, a property at its own line",
        ),
        pytest.param(
            "app/build.gradle.kts",
            GRADLE,
            "org.acme.boot 3.2.0 @2, wheel 1.1 @3, org.jetbrains.kotlin.jvm 1.9.20 @4, "
            "org.acme:lever 2.3.1 @7, org.acme:x 1.4 @8, org.acme:rack 6.1 @9, cam 1.2 @10, "
            "org.acme:gears 2.8.9 @13, org.acme:cogs 4.0 @14, org.acme:axle 1.5 @15, org.acme:bom - @18",
            id="build.gradle, both ways of Groovy and Kotlin",
        ),
        pytest.param(
            "gradle/libs.versions.toml",
            CATALOGUE,
            "org.acme:lever-core 2.3.1 @2, unused-thing 1.2 @3, org.acme:gears 2.8.9 @6, "
            "org.acme:axle 1.5 @7, org.acme.boot 3.2.0 @9",
            id="version catalogue",
        ),
        pytest.param(
            "gradle.properties", "a.jvm=-Xmx2g\nversion=1.0\nleverVersion=2.3", "lever 2.3 @3", id="properties"
        ),
        pytest.param(
            "gradle.lockfile", "org.acme:gears:2.8.9=a,b\nempty=", "org.acme:gears 2.8.9 @1", id="Gradle's lock"
        ),
        pytest.param(
            "gradle-wrapper.properties",
            "distributionUrl=https\\://x.example/gradle-8.5-bin.zip",
            "gradle 8.5 @1",
            id="wrapper",
        ),
        pytest.param(
            "src/Web.csproj",
            CSPROJ,
            "Acme.Cogs 4.1.0 @6, axle 4.2.0 @7, Acme.Gears 8.0.1 @10, Acme.Lever 2.1 @13, Acme.Wheel 7 @15",
            id="csproj",
        ),
        pytest.param(
            "Directory.Packages.props",
            '<PackageVersion Include="A" Version="1.2" />',
            "A 1.2 @1",
            id="central versions",
        ),
        pytest.param(
            "packages.config", '<package id="A" version="1.2" targetFramework="net48" />', "A 1.2 @1", id="config"
        ),
        pytest.param("packages.lock.json", NUGET_LOCK, "Acme.Gears 8.0.1 @3", id="NuGet's lock"),
        pytest.param("mix.exs", MIX, "elixir 1.15 @2, gears 1.7.0 @3, cogs 3.0.0 @4, lever 1.4.0 @5", id="mix.exs"),
        pytest.param("mix.lock", MIX_LOCK, "gears 1.7.2 @2", id="mix.lock"),
        pytest.param("CMakeLists.txt", CMAKE, "Gears 1.74 @3, cogs 10.1.0 @8, lever 2.1 @10", id="CMake"),
        pytest.param(
            "web/package.json",
            PACKAGE,
            "pnpm 8.6.0 @4, node 18 @5, npm 9 @5, react 17.0.2 @11, @scope/pkg 1.2 @12, own - @13, "
            "newest - @14, forked - @15, lodash 4.17.0 @16, either 16.8 @17, vue 3.3 @19, inner 1.0.1 @20, "
            "semver 7.5.2 @21",
            id="package.json",
        ),
        pytest.param(
            "package.json", '{"version":"1.0.0","dependencies":{"react":"^18.0.0"}}', "react 18.0.0 @1", id="one line"
        ),
        pytest.param(
            "package-lock.json", PACKAGE_LOCK_3, "react 17.0.2 @16, @babel/core 7.24.0 @21", id="package-lock 3"
        ),
        pytest.param("npm-shrinkwrap.json", PACKAGE_LOCK_1, "react 17.0.2 @7, inner 2.0.1 @11", id="package-lock 1"),
        pytest.param("yarn.lock", YARN_1, "@babel/core 7.24.0 @5, react 17.0.2 @11", id="yarn 1"),
        pytest.param("yarn.lock", YARN_BERRY, "@babel/core 7.24.0 @6, react 17.0.2 @15", id="yarn berry"),
        pytest.param(
            "pnpm-lock.yaml",
            PNPM_9,
            "react 18.2.0 @9, react-dom 18.2.0 @12, @babel/core 7.24.0 @19, react 18.2.0 @23, react-dom 18.2.0 @28",
            id="pnpm 9",
        ),
        pytest.param(
            "pnpm-lock.yaml",
            "packages:\n\n  /@babel/core@7.24.0(x@1.0.0):\n    dev: true\n\n  /react@18.2.0:\n",
            "@babel/core 7.24.0 @3, react 18.2.0 @6",
            id="pnpm 6",
        ),
        pytest.param(
            "pnpm-lock.yaml",
            "packages:\n\n  /@babel/core/7.24.0_supports-color@5.5.0:\n    dev: true\n\n  /react/18.2.0:\n",
            "@babel/core 7.24.0 @3, react 18.2.0 @6",
            id="pnpm 5",
        ),
        pytest.param(
            "bun.lock",
            '{\n  "packages": {\n    "react": ["react@18.2.0", "", {}, "sha512-aa"],\n  }\n}',
            "react 18.2.0 @3",
            id="bun",
        ),
        pytest.param(".nvmrc", "v20.9.0\n", "node 20.9.0 @1", id=".nvmrc"),
        pytest.param(".nvmrc", "lts/*\n", "", id="a name instead of a version"),
        pytest.param("requirements/prod.txt", COMPILED, "asgiref 3.7.2 @7, django 4.2.16 @11", id="pip-compile"),
        pytest.param(
            "pyproject.toml",
            PYPROJECT,
            "hatchling 1.27 @2, hatch-vcs - @2, python 3.11 @7, django 4.2 @14, numpy 1.26 @15, "
            "plain - @16, pinned 2.3.1 @17, pytest 7.4 @21, shop - @21, ruff 0.4.1 @25, urllib3 - @30",
            id="pyproject.toml",
        ),
        pytest.param(
            "pyproject.toml",
            POETRY,
            "python 3.10 @6, django 4.2 @7, celery 5.3 @8, uvicorn 0.30.1 @9, anything - @10, "
            "several 1.0 @13, several 2.0 @14, mypy 1.8 @18",
            id="poetry",
        ),
        pytest.param("uv.lock", UV_LOCK, "django 4.2.16 @6, torch 2.9.0 @30", id="uv.lock without the project"),
        pytest.param("poetry.lock", POETRY_LOCK, "django 4.2.16 @3, Jinja2 3.1.4 @19", id="poetry.lock"),
        pytest.param("pdm.lock", POETRY_LOCK, "django 4.2.16 @3, Jinja2 3.1.4 @19", id="pdm.lock"),
        pytest.param("Pipfile.lock", PIPFILE_LOCK, "python 3.12 @5, django 4.2.16 @15", id="Pipfile.lock"),
        pytest.param(
            "Pipfile",
            '[packages]\ndjango = "~=4.2"\nflask = {version = ">=2.3", extras = ["async"]}\nany = "*"\n'
            '[requires]\npython_version = "3.12"\n',
            "django 4.2 @2, flask 2.3 @3, any - @4, python 3.12 @6",
            id="Pipfile",
        ),
        pytest.param(
            "setup.cfg",
            "[metadata]\nversion = 1.2\n[options]\npython_requires = >=3.9\ninstall_requires =\n    django>=4.2\n"
            "    plain\n[options.extras_require]\ntest =\n    pytest>=7; python_version>'3.8'\n",
            "python 3.9 @4, django 4.2 @6, pytest 7 @10",
            id="setup.cfg",
        ),
        pytest.param(
            "tox.ini",
            "[testenv]\ndeps =\n    django42: Django>=4.2,<5\n    pytest==8.0\ncommands = pytest -q\n",
            "Django 4.2 @3, pytest 8.0 @4",
            id="tox.ini with factors",
        ),
        pytest.param(
            "setup.py",
            "setup(\n  version='1.2',\n  python_requires='>=3.8',\n  install_requires=['django>=4.2', \"six\"],\n)",
            "python 3.8 @3, django 4.2 @4",
            id="setup.py",
        ),
        pytest.param(
            "environment.yml",
            "name: shop\ndependencies:\n  - python=3.11\n  - conda-forge::numpy=1.26.4=py311_0\n  - pandas>=2.1\n"
            "  - pip:\n      - django==4.2\n      - plain\n",
            "python 3.11 @3, numpy 1.26.4 @4, pandas 2.1 @5, django 4.2 @7",
            id="conda",
        ),
        pytest.param(".python-version", "3.12.1\n", "python 3.12.1 @1", id=".python-version"),
        pytest.param("runtime.txt", "python-3.11.4", "python 3.11.4 @1", id="runtime.txt"),
        pytest.param(
            ".tool-versions", "python 3.12.1\nnodejs 20.9.0\nruby 3\n", "python 3.12.1 @1, node 20.9.0 @2", id="asdf"
        ),
    ],
)
def test_whole_file(path: str, text: str, found: str) -> None:
    assert ", ".join(read(path, text)) == found


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "Dockerfile",
            "        django==4.2 \\\n        gunicorn~=22.0 \\",
            "django 4.2 @40, gunicorn 22.0 @41",
            id="the middle of a command",
        ),
        pytest.param("Dockerfile", "FROM python:$V-slim", "python - @40", id="an argument out of sight"),
        pytest.param(
            "Dockerfile",
            "ENV A_VERSION=1.8.3 B=2\nRUN pip install \"a==$A_VERSION\" 'c >= 3.1'",
            "a 1.8.3 @40, c 3.1 @41",
            id="a setting",
        ),
        pytest.param("Dockerfile", "ARG A=15\nFROM postgres:$A.4", "postgres 15.4 @41", id="a version put together"),
        pytest.param("Dockerfile", 'RUN ["pip", "install", "a==1.2"]', "a 1.2 @40", id="a command as a list"),
        pytest.param("ci.yml", "run: corepack prepare pnpm@8.6.0 --activate", "", id="commands of other YAML files"),
        pytest.param("action.yml", "run: corepack prepare pnpm@8.6.0", "pnpm 8.6.0 @40", id="corepack"),
        pytest.param("action.yml", "    - uses: actions/cache@v4", "actions/cache 4 @40", id="a step"),
        pytest.param("values.yaml", '  tag: "16.2.0"', "", id="a tag without its repository"),
        pytest.param(
            ".pre-commit-config.yaml", "    rev: v1.2\n    hooks:", "", id="a revision without its repository"
        ),
        pytest.param(
            "Cargo.toml",
            'gears = "4.2"\ncog = { version = "3.1" }\nversion = "0.1"\nedition = "1"\nfeatures = ["1.0"]\nname = "x"',
            "gears 4.2 @40, cog 3.1 @41",
            id="crates whose table is out of sight, not the project's own fields",
        ),
        pytest.param("Cargo.lock", 'name = "a"\nversion = "1.2"\nsource = "x"', "a 1.2 @41", id="Cargo.lock"),
        pytest.param("go.mod", "\texample.com/gears v1.7.7\n)", "example.com/gears 1.7.7 @40", id="go.mod"),
        pytest.param("Gemfile.lock", "    gears (7.1.2)\n      cogs (= 7.1.2)", "gears 7.1.2 @40", id="Gemfile.lock"),
        pytest.param(
            "composer.json",
            '    "acme/gears": "^12.0",\n    "App/": "src/1",\n    "a/b": "text"',
            "acme/gears 12.0 @40",
            id="composer",
        ),
        pytest.param("composer.lock", '  "name": "a/b",\n  "version": "v1.2",', "a/b 1.2 @41", id="composer.lock"),
        pytest.param("composer.lock", '  "name": "A/b"\n},\n"version": "2"', "A/b 2 @42", id="the next string alone"),
        pytest.param(
            "pom.xml",
            "<groupId>org.acme</groupId>\n<artifactId>lever</artifactId>\n<version>31.1</version>\n</dependency>",
            "org.acme:lever 31.1 @42",
            id="an artifact whose element is out of sight",
        ),
        pytest.param(
            "pom.xml",
            "<artifactId>a</artifactId>\n</exclusion>\n<version>1</version>",
            "",
            id="a version of another element",
        ),
        pytest.param(
            "pom.xml",
            "<artifactId>a</artifactId>\n<version>1</version>\n<packaging>jar</packaging>",
            "",
            id="the project itself",
        ),
        pytest.param("pom.xml", "  <gears.version>2.8</gears.version>", "gears 2.8 @40", id="a property alone"),
        pytest.param(
            "libs.versions.toml", 'lever = "2.3"\nx = "a.b:x:1"', "lever 2.3 @40, a.b:x 1 @41", id="catalogue"
        ),
        pytest.param("a.csproj", '  <PackageReference Include="A"\n  Version="2"/>', "A 2 @41", id="a tag over lines"),
        pytest.param(
            "x.cmake", "  GIT_REPOSITORY https://h.example/a/cogs.git\n  GIT_TAG v10.1", "cogs 10.1 @41", id="CMake"
        ),
        pytest.param(
            "package.json",
            '    "react": "^18.2.0",\n    "vue": "3.4.1",',
            "react 18.2.0 @40, vue 3.4.1 @41",
            id="entries whose section is out of sight",
        ),
        pytest.param(
            "package.json", '  "name": "shop",\n  "version": "1.2.3",\n  "license": "MIT"', "", id="own fields"
        ),
        pytest.param("package.json", '    "port": "3000",', "", id="a number"),
        pytest.param("package.json", '    "node": ">=18"', "node 18 @40", id="an engine"),
        pytest.param(
            "package-lock.json",
            '    "ui": {\n      "version": "1.0.0"\n    },\n    "node_modules/react": {\n      "version": "18.2.0",',
            "react 18.2.0 @44",
            id="a folder of the project's own",
        ),
        pytest.param(
            "package.json",
            '    "build": "vite build",\n    "lint": "eslint --max-warnings 0 ."\n  },',
            "",
            id="scripts",
        ),
        pytest.param(
            "package.json",
            '    "a": "1.0.0"\n  },\n  "scripts": {\n    "b": "2.0.0"\n  }',
            "a 1.0.0 @40",
            id="a section that begins below",
        ),
        pytest.param(
            "package-lock.json",
            '    "node_modules/react": {\n      "version": "18.2.0",',
            "react 18.2.0 @41",
            id="package-lock 3",
        ),
        pytest.param(
            "package-lock.json", '    "react": {\n      "version": "18.2.0",', "react 18.2.0 @41", id="package-lock 1"
        ),
        pytest.param("package-lock.json", '      "version": "18.2.0",', "", id="a version without its package"),
        pytest.param("yarn.lock", 'react@^18.0.0:\n  version "18.2.0"', "react 18.2.0 @41", id="yarn 1"),
        pytest.param("yarn.lock", '  version "18.2.0"\n  dependencies:', "", id="a version without its key"),
        pytest.param(
            "pnpm-lock.yaml",
            "      react:\n        specifier: ^18\n        version: 18.2.0",
            "react 18.2.0 @42",
            id="pnpm's import",
        ),
        pytest.param("pyproject.toml", '    "django>=4.2",\n    "plain",\n]', "django 4.2 @40", id="an array's middle"),
        pytest.param(
            "pyproject.toml",
            'celery = "5.3.1"\ndjango = "^4.2"',
            "celery 5.3.1 @40, django 4.2 @41",
            id="a pin among ranges",
        ),
        pytest.param("pyproject.toml", 'name = "shop"\nversion = "1.2.3"\ndescription = "x"', "", id="the own version"),
        pytest.param("pyproject.toml", 'python_version = "3.11"\nminversion = "6.0"', "", id="settings of tools"),
        pytest.param(
            "pyproject.toml",
            'optional-dependencies.test = [\n  "pytest>=8",\n]\n[dependency-groups]\na = [{include-group = "b"}]',
            "pytest 8 @41",
            id="a dotted key",
        ),
        pytest.param("requirements/extras/redis.txt", "redis>=5", "redis 5 @40", id="a folder below"),
        pytest.param("pyproject.toml", 'requires-python = ">=3.11"', "python 3.11 @40", id="requires-python"),
        pytest.param(
            "pyproject.toml", '    "A>=1",\n]\n[tool.ruff]\nselect = ["B>=1"]', "A 1 @40", id="a table begins below"
        ),
        pytest.param(
            "uv.lock",
            'name = "django"\nversion = "5.1"\nsource = { registry = "x" }',
            "django 5.1 @41",
            id="uv.lock's fields",
        ),
        pytest.param("uv.lock", '    { name = "asgiref" },\n]\nversion = "1"', "", id="a version without its name"),
        pytest.param("Pipfile.lock", '"index": "pypi",\n"version": "==4.2"', "", id="Pipfile.lock without the name"),
    ],
)
def test_part_of_a_file(path: str, text: str, found: str) -> None:
    assert ", ".join(read(path, text, first=40)) == found


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
        Dependency("a/b", Ecosystem.ACTION, "1", ".github/workflows/a.yml", 1),
        Dependency("redis", Ecosystem.IMAGE, "7", ".github/workflows/a.yml", 2),
        Dependency("c", Ecosystem.NPM, "1.2", ".github/workflows/a.yml", 3),
    )


def test_a_repository_with_a_tag_of_its_own_takes_none_from_below() -> None:
    assert read("values.yaml", "repository: a.example/postgres:15.4\ntag: 16.2\n") == []
    assert read("values.yaml", "repository: a.example:5000/postgres\ntag: 16.2\n") == ["postgres 16.2 @2"]


def test_entities_of_xml_are_never_filled_in() -> None:
    text = '<!DOCTYPE p [<!ENTITY v "9.9">]>\n<dependency><artifactId>a</artifactId><version>&v;</version></dependency>'

    assert read("pom.xml", text) == ["a - @2"]


def test_the_same_dependency_has_the_name_of_its_ecosystem() -> None:
    paths = {"Cargo.toml": CARGO, "go.mod": GO_MOD, "Gemfile": GEMFILE, "composer.json": COMPOSER, "pom.xml": POM}
    paths |= {"build.gradle": GRADLE, "a.csproj": CSPROJ, "mix.exs": MIX, "CMakeLists.txt": CMAKE}
    paths["pyproject.toml"] = '[project]\nrequires-python = ">=3.11"'

    found = {
        path: {str(each.ecosystem) for each in read_dependencies(path, lines_of(text))} for path, text in paths.items()
    }
    assert found == {
        "Cargo.toml": {"tool", "cargo"},
        "go.mod": {"tool", "go"},
        "Gemfile": {"tool", "rubygems"},
        "composer.json": {"tool", "composer"},
        "pom.xml": {"maven"},
        "build.gradle": {"maven"},
        "a.csproj": {"nuget"},
        "mix.exs": {"tool", "hex"},
        "CMakeLists.txt": {"cmake"},
        "pyproject.toml": {"pypi"},
    }


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


def test_gap_in_the_lines_forgets_the_table() -> None:
    above, below = lines_of("[tool.ruff]\nselect = ["), lines_of('    "django>=4.2",', first=30)

    assert [each.name for each in read_dependencies("pyproject.toml", above + below)] == ["django"]
