"""JavaScript's package and lock files: what is read from whole files and from the parts that a diff shows."""

import json

import pytest
import yaml
from dependency_files import PACKAGE, PACKAGE_LOCK_1, PACKAGE_LOCK_3, PNPM_9, YARN_1, YARN_BERRY, lines_of, read

from corpus.dependencies.reading import read_dependencies


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "web/package.json",
            PACKAGE,
            [
                "pnpm 8.6.0 @4",
                "node 18 @5",
                "npm 9 @5",
                "react 17.0.2 @11",
                "@scope/pkg 1.2 @12",
                "own - @13",
                "newest - @14",
                "forked - @15",
                "lodash 4.17.0 @16",
                "either 16.8 @17",
                "vue 3.3 @19",
                "inner 1.0.1 @20",
                "semver 7.5.2 @21",
            ],
            id="package.json",
        ),
        pytest.param(
            "package.json", '{"version":"1.0.0","dependencies":{"react":"^18.0.0"}}', ["react 18.0.0 @1"], id="one line"
        ),
        pytest.param(
            "package-lock.json", PACKAGE_LOCK_3, ["react 17.0.2 @16", "@babel/core 7.24.0 @21"], id="package-lock 3"
        ),
        pytest.param(
            "npm-shrinkwrap.json", PACKAGE_LOCK_1, ["react 17.0.2 @7", "inner 2.0.1 @11"], id="package-lock 1"
        ),
        pytest.param("yarn.lock", YARN_1, ["@babel/core 7.24.0 @5", "react 17.0.2 @11"], id="yarn 1"),
        pytest.param("yarn.lock", YARN_BERRY, ["@babel/core 7.24.0 @6", "react 17.0.2 @15"], id="yarn berry"),
        pytest.param(
            "pnpm-lock.yaml",
            PNPM_9,
            [
                "react 18.2.0 @9",
                "react-dom 18.2.0 @12",
                "@babel/core 7.24.0 @19",
                "react 18.2.0 @23",
                "react-dom 18.2.0 @28",
            ],
            id="pnpm 9",
        ),
        pytest.param(
            "pnpm-lock.yaml",
            "packages:\n\n  /@babel/core@7.24.0(x@1.0.0):\n    dev: true\n\n  /react@18.2.0:\n",
            ["@babel/core 7.24.0 @3", "react 18.2.0 @6"],
            id="pnpm 6",
        ),
        pytest.param(
            "pnpm-lock.yaml",
            "packages:\n\n  /@babel/core/7.24.0_supports-color@5.5.0:\n    dev: true\n\n  /react/18.2.0:\n",
            ["@babel/core 7.24.0 @3", "react 18.2.0 @6"],
            id="pnpm 5",
        ),
        pytest.param(
            "bun.lock",
            '{\n  "packages": {\n    "react": ["react@18.2.0", "", {}, "sha512-aa"],\n  }\n}',
            ["react 18.2.0 @3"],
            id="bun",
        ),
        pytest.param(".nvmrc", "v20.9.0\n", ["node 20.9.0 @1"], id=".nvmrc"),
        pytest.param(".nvmrc", "lts/*\n", [], id="a name instead of a version"),
    ],
)
def test_whole_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text) == found


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "package.json",
            '    "react": "^18.2.0",\n    "vue": "3.4.1",',
            ["react 18.2.0 @40", "vue 3.4.1 @41"],
            id="entries whose section is out of sight",
        ),
        pytest.param(
            "package.json", '  "name": "shop",\n  "version": "1.2.3",\n  "license": "MIT"', [], id="own fields"
        ),
        pytest.param("package.json", '    "port": "3000",', [], id="a number"),
        pytest.param("package.json", '    "node": ">=18"', ["node 18 @40"], id="an engine"),
        pytest.param(
            "package-lock.json",
            '    "ui": {\n      "version": "1.0.0"\n    },\n    "node_modules/react": {\n      "version": "18.2.0",',
            ["react 18.2.0 @44"],
            id="a folder of the project's own",
        ),
        pytest.param(
            "package.json",
            '    "build": "vite build",\n    "lint": "eslint --max-warnings 0 ."\n  },',
            [],
            id="scripts",
        ),
        pytest.param(
            "package.json",
            '    "a": "1.0.0"\n  },\n  "scripts": {\n    "b": "2.0.0"\n  }',
            ["a 1.0.0 @40"],
            id="a section that begins below",
        ),
        pytest.param(
            "package-lock.json",
            '    "node_modules/react": {\n      "version": "18.2.0",',
            ["react 18.2.0 @41"],
            id="package-lock 3",
        ),
        pytest.param(
            "package-lock.json", '    "react": {\n      "version": "18.2.0",', ["react 18.2.0 @41"], id="package-lock 1"
        ),
        pytest.param("package-lock.json", '      "version": "18.2.0",', [], id="a version without its package"),
        pytest.param("yarn.lock", 'react@^18.0.0:\n  version "18.2.0"', ["react 18.2.0 @41"], id="yarn 1"),
        pytest.param("yarn.lock", '  version "18.2.0"\n  dependencies:', [], id="a version without its key"),
        pytest.param(
            "pnpm-lock.yaml",
            "      react:\n        specifier: ^18\n        version: 18.2.0",
            ["react 18.2.0 @42"],
            id="pnpm's import",
        ),
    ],
)
def test_part_of_a_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text, first=40) == found


def test_package_lock_agrees_with_json() -> None:
    packages = json.loads(PACKAGE_LOCK_3)["packages"]
    installed = {
        path.rpartition("node_modules/")[2]: each["version"]
        for path, each in packages.items()
        if "node_modules/" in path
    }

    found = read_dependencies("package-lock.json", lines_of(PACKAGE_LOCK_3))
    assert {each.name: each.version for each in found} == installed


def test_pnpm_lock_agrees_with_yaml() -> None:
    parsed = yaml.safe_load(PNPM_9)
    packages = {key.partition("(")[0] for section in ("packages", "snapshots") for key in parsed[section]}

    found = read_dependencies("pnpm-lock.yaml", lines_of(PNPM_9))
    assert {f"{each.name}@{each.version}" for each in found} == packages


def test_package_json_agrees_with_json() -> None:
    parsed = json.loads(PACKAGE)
    names = [*parsed["engines"], *parsed["dependencies"], *parsed["peerDependencies"]]

    found = {each.name for each in read_dependencies("package.json", lines_of(PACKAGE))}
    assert {"lodash" if name == "alias" else name for name in names} <= found
