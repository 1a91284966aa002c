"""Dependency files of Rust, Go, Ruby, PHP, the JVM, .NET, Elixir and CMake: whole ones, and the parts of diffs."""

import pytest
from dependency_files import (
    CARGO,
    CARGO_LOCK,
    CATALOGUE,
    CMAKE,
    COMPOSER,
    COMPOSER_LOCK,
    CSPROJ,
    GEMFILE,
    GEMFILE_LOCK,
    GEMSPEC,
    GO_MOD,
    GRADLE,
    MIX,
    MIX_LOCK,
    NUGET_LOCK,
    POM,
    lines_of,
    read,
)

from corpus.dependencies.reading import read_dependencies


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "crates/a/Cargo.toml",
            CARGO,
            [
                "rust 1.70 @4",
                "gearbox 4.2 @7",
                "turbine 3.1 @8",
                "cog 2.0.1 @9",
                "tagged 1.5 @11",
                "lever 1.0 @15",
                "epoll 0.3 @19",
                "wheel 0.9.1 @22",
            ],
            id="Cargo.toml",
        ),
        pytest.param("Cargo.lock", CARGO_LOCK, ["gearbox 4.2.1 @5"], id="Cargo.lock, without the project's crates"),
        pytest.param("rust-toolchain.toml", '[toolchain]\nchannel = "1.83.0"', ["rust 1.83.0 @2"], id="toolchain"),
        pytest.param(
            "go.mod",
            GO_MOD,
            [
                "go 1.21 @3",
                "go 1.22.3 @4",
                "example.com/acme/gears 1.7.7 @7",
                "gopkg.in/cogs.v3 3.0.1 @8",
                "example.com/acme/lever/v2 2.0.0 @9",
                "example.com/wheel 0.0.0-20240101120000-abcdef123456 @12",
                "example.com/fork/gears 1.8.0 @17",
            ],
            id="go.mod",
        ),
        pytest.param(
            "Gemfile",
            GEMFILE,
            ["ruby 3.3.0 @2", "gears 7.1.2 @3", "cogs 1.4 @4", "plain - @5", "lever 1.0.0.rc1 @6", "axle - @7"],
            id="Gemfile",
        ),
        pytest.param("a.gemspec", GEMSPEC, ["ruby 3.1 @2", "gears 5.2 @3", "cogs 1.0 @4"], id="gemspec"),
        pytest.param("Gemfile.lock", GEMFILE_LOCK, ["gears 7.1.2 @9", "nokogear 1.15.0 @11"], id="Gemfile.lock"),
        pytest.param(
            "composer.json",
            COMPOSER,
            ["php 8.1 @5", "acme/gears 12.0 @6", "acme/cogs 1.0 @7", "acme/lever - @11"],
            id="composer.json",
        ),
        pytest.param("composer.lock", COMPOSER_LOCK, ["acme/gears 12.1.0 @5"], id="composer.lock"),
        pytest.param(
            "pom.xml",
            POM,
            [
                "org.acme.boot:acme-boot-parent 3.2.0 @8",
                "org.acme:gears 2.8.9 @14",
                "cog 1.2 @15",
                "java 17 @16",
                "org.acme:lever 31.1 @31",
                "wheel-plugin 3.0.0.Final @36",
            ],
            id="pom.xml, a property at its own line",
        ),
        pytest.param(
            "app/build.gradle.kts",
            GRADLE,
            [
                "org.acme.boot 3.2.0 @2",
                "wheel 1.1 @3",
                "org.jetbrains.kotlin.jvm 1.9.20 @4",
                "org.acme:lever 2.3.1 @7",
                "org.acme:x 1.4 @8",
                "org.acme:rack 6.1 @9",
                "cam 1.2 @10",
                "org.acme:gears 2.8.9 @13",
                "org.acme:cogs 4.0 @14",
                "org.acme:axle 1.5 @15",
                "org.acme:bom - @18",
            ],
            id="build.gradle, both ways of Groovy and Kotlin",
        ),
        pytest.param(
            "gradle/libs.versions.toml",
            CATALOGUE,
            [
                "org.acme:lever-core 2.3.1 @2",
                "unused-thing 1.2 @3",
                "org.acme:gears 2.8.9 @6",
                "org.acme:axle 1.5 @7",
                "org.acme.boot 3.2.0 @9",
            ],
            id="version catalogue",
        ),
        pytest.param(
            "gradle.properties", "a.jvm=-Xmx2g\nversion=1.0\nleverVersion=2.3", ["lever 2.3 @3"], id="properties"
        ),
        pytest.param(
            "gradle.lockfile", "org.acme:gears:2.8.9=a,b\nempty=", ["org.acme:gears 2.8.9 @1"], id="Gradle's lock"
        ),
        pytest.param(
            "gradle-wrapper.properties",
            "distributionUrl=https\\://x.example/gradle-8.5-bin.zip",
            ["gradle 8.5 @1"],
            id="wrapper",
        ),
        pytest.param(
            "src/Web.csproj",
            CSPROJ,
            [
                "Acme.Cogs 4.1.0 @6",
                "axle 4.2.0 @7",
                "Acme.Gears 8.0.1 @10",
                "Acme.Lever 2.1 @13",
                "Acme.Wheel 7 @15",
            ],
            id="csproj",
        ),
        pytest.param(
            "Directory.Packages.props",
            '<PackageVersion Include="A" Version="1.2" />',
            ["A 1.2 @1"],
            id="central versions",
        ),
        pytest.param(
            "packages.config", '<package id="A" version="1.2" targetFramework="net48" />', ["A 1.2 @1"], id="config"
        ),
        pytest.param("packages.lock.json", NUGET_LOCK, ["Acme.Gears 8.0.1 @3"], id="NuGet's lock"),
        pytest.param(
            "mix.exs", MIX, ["elixir 1.15 @2", "gears 1.7.0 @3", "cogs 3.0.0 @4", "lever 1.4.0 @5"], id="mix.exs"
        ),
        pytest.param("mix.lock", MIX_LOCK, ["gears 1.7.2 @2"], id="mix.lock"),
        pytest.param("CMakeLists.txt", CMAKE, ["Gears 1.74 @3", "cogs 10.1.0 @8", "lever 2.1 @10"], id="CMake"),
    ],
)
def test_whole_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text) == found


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param(
            "Cargo.toml",
            'gears = "4.2"\ncog = { version = "3.1" }\nversion = "0.1"\nedition = "1"\nfeatures = ["1.0"]\nname = "x"',
            ["gears 4.2 @40", "cog 3.1 @41"],
            id="crates whose table is out of sight, not the project's own fields",
        ),
        pytest.param("Cargo.lock", 'name = "a"\nversion = "1.2"\nsource = "x"', ["a 1.2 @41"], id="Cargo.lock"),
        pytest.param("go.mod", "\texample.com/gears v1.7.7\n)", ["example.com/gears 1.7.7 @40"], id="go.mod"),
        pytest.param("Gemfile.lock", "    gears (7.1.2)\n      cogs (= 7.1.2)", ["gears 7.1.2 @40"], id="Gemfile.lock"),
        pytest.param(
            "composer.json",
            '    "acme/gears": "^12.0",\n    "App/": "src/1",\n    "a/b": "text"',
            ["acme/gears 12.0 @40"],
            id="composer",
        ),
        pytest.param("composer.lock", '  "name": "a/b",\n  "version": "v1.2",', ["a/b 1.2 @41"], id="composer.lock"),
        pytest.param("composer.lock", '  "name": "A/b"\n},\n"version": "2"', ["A/b 2 @42"], id="the next string alone"),
        pytest.param(
            "pom.xml",
            "<groupId>org.acme</groupId>\n<artifactId>lever</artifactId>\n<version>31.1</version>\n</dependency>",
            ["org.acme:lever 31.1 @42"],
            id="an artifact whose element is out of sight",
        ),
        pytest.param(
            "pom.xml",
            "<artifactId>a</artifactId>\n</exclusion>\n<version>1</version>",
            [],
            id="a version of another element",
        ),
        pytest.param(
            "pom.xml",
            "<artifactId>a</artifactId>\n<version>1</version>\n<packaging>jar</packaging>",
            [],
            id="the project itself",
        ),
        pytest.param("pom.xml", "  <gears.version>2.8</gears.version>", ["gears 2.8 @40"], id="a property alone"),
        pytest.param(
            "libs.versions.toml", 'lever = "2.3"\nx = "a.b:x:1"', ["lever 2.3 @40", "a.b:x 1 @41"], id="catalogue"
        ),
        pytest.param(
            "a.csproj", '  <PackageReference Include="A"\n  Version="2"/>', ["A 2 @41"], id="a tag over lines"
        ),
        pytest.param(
            "x.cmake", "  GIT_REPOSITORY https://h.example/a/cogs.git\n  GIT_TAG v10.1", ["cogs 10.1 @41"], id="CMake"
        ),
    ],
)
def test_part_of_a_file(path: str, text: str, found: list[str]) -> None:
    assert read(path, text, first=40) == found


def test_entities_of_xml_are_never_filled_in() -> None:
    text = '<!DOCTYPE p [<!ENTITY v "9.9">]>\n<dependency><artifactId>a</artifactId><version>&v;</version></dependency>'

    assert read("pom.xml", text) == ["a - @2"]


def test_the_same_dependency_has_the_name_of_its_ecosystem() -> None:
    paths = {"Cargo.toml": CARGO, "go.mod": GO_MOD, "Gemfile": GEMFILE, "composer.json": COMPOSER, "pom.xml": POM}
    paths |= {"build.gradle": GRADLE, "a.csproj": CSPROJ, "mix.exs": MIX, "CMakeLists.txt": CMAKE}

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
    }
