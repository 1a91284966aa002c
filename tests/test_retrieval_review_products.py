"""Which product a dependency is, and which bumps are said once: by names and versions, never by likeness."""

import pytest
from asked_catalogue import product

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.model import Ecosystem
from retrieval.reviews.model import Bump
from retrieval.reviews.products import NamedBump, ProductNames, fold_locks

PYPI, NPM, IMAGE, ACTION = Ecosystem.PYPI, Ecosystem.NPM, Ecosystem.IMAGE, Ecosystem.ACTION


CATALOGUE = (
    product("Angular", (), "17.0 18.0"),
    product("Apache Airflow", (), "2.9 3.0"),
    product("black", (), "24.1.0 25.1.0"),
    product("Django", (), "4.2 5.1"),
    product("Node.js", (), "20.0 22.0"),
    product("PostgreSQL", (), "15.4 16.0"),
    product("Python", ("cpython",), "3.11 3.12"),
    product("PyTorch", (), "2.5 2.7"),
    product("php-parser", (), "4.19 5.0"),
    product("Polly", (), "7.0 8.0"),
    product("ktor", (), "2.3 3.0"),
    product("gear-box", (), "4.2 5.0"),
    product("gearbox", (), "4.2 5.0"),
    product("Lathe", (), "12.0 13.0"),
    product("React", (), "18.0.0 19.0.0"),
    product("Redis", (), "6.2 7.0"),
    product("scikit-learn", (), "1.4 1.5"),
    product("setup-uv", (), "5.0 6.0"),
    product("Vue.js", (), "3.4 3.5"),
)


def bump(name: str, ecosystem: Ecosystem, start: str | None = "1.0", end: str | None = "2.0") -> Bump:
    return Bump(name, ecosystem, start, end, "file", 1)


@pytest.mark.parametrize(
    ("dependency", "named"),
    [
        (bump("django", PYPI), "Django"),
        (bump("scikit_learn", PYPI), "scikit-learn"),
        (bump("apache-airflow", PYPI), "Apache Airflow"),
        (bump("torch", PYPI, "2.5.1", "2.7.0"), "PyTorch"),
        (bump("vue", NPM, "3.4.2", "3.5.0"), "Vue.js"),
        (bump("@angular/core", NPM, "17.1.0", "18.0.0"), "Angular"),
        (bump("python", IMAGE, "3.11", "3.12"), "Python"),
        (bump("node", IMAGE, "20", "22"), "Node.js"),
        (bump("postgres", IMAGE, "15.4", "16.0"), "PostgreSQL"),
        (bump("redis", IMAGE, "6.2", "7.0"), "Redis"),
        (bump("astral-sh/setup-uv", ACTION, "5", "6"), "setup-uv"),
        (bump("gearbox", Ecosystem.CARGO), "gearbox"),
        (bump("example.com/acme/gearbox", Ecosystem.GO, "4.2.1", "5.0.0"), "gearbox"),
        (bump("gopkg.in/gearbox.v5", Ecosystem.GO, "4.2.1", "5.0.0"), "gearbox"),
        (bump("lathe.org", NPM, "12.0", "13.0"), "Lathe"),
        (bump("org.acme:gearbox-core", Ecosystem.MAVEN, "4.2.1", "5.0.0"), "gearbox"),
        (bump("org.acme.gearbox:gearbox-oil_2.13", Ecosystem.MAVEN, "4.2.1", "5.0.0"), "gearbox"),
        (bump("io.ktor:ktor-server-netty", Ecosystem.MAVEN, "2.3.4", "3.0.0"), "ktor"),
        (bump("io.ktor.plugin", Ecosystem.MAVEN, "2.3.4", "3.0.0"), "ktor"),
        (bump("org.gearframework.box", Ecosystem.MAVEN, "4.2.1", "5.0.0"), "gear-box"),
    ],
    ids=lambda value: value.name if isinstance(value, Bump) else value,
)
def test_a_dependency_is_known_by_its_name(dependency: Bump, named: str) -> None:
    found = ProductNames(CATALOGUE).product_of(dependency)
    assert found is not None
    assert found.name == named


@pytest.mark.parametrize(
    "dependency",
    [
        bump("djangorestframework", PYPI),
        bump("django-extensions", PYPI),
        bump("djagno", PYPI),
        bump("@sentry/node", NPM, "20.0", "22.0"),
        bump("@types/react", NPM, "18.0.0", "19.0.0"),
        bump("@angular/core", NPM, "1.0", "2.0"),
        bump("redis", PYPI, "6.2", "7.0"),
        bump("postgres", NPM, "15.4", "16.0"),
        bump("playwright/python", IMAGE, "1.40", "1.41"),
        bump("py", PYPI, "3.11", "3.12"),
        bump("redis", Ecosystem.RUBYGEMS, "6.2", "7.0"),
        bump("example.com/gearbox/oil", Ecosystem.GO, "4.2", "5.0"),
        bump("org.other:gearbox-extras", Ecosystem.MAVEN, "4.2", "5.0"),
        bump("org.acme:gearbox", Ecosystem.MAVEN, "1.0", "2.0"),
    ],
    ids=lambda one: f"{one.ecosystem.value} {one.name}",
)
def test_a_likeness_is_no_name(dependency: Bump) -> None:
    assert ProductNames(CATALOGUE).product_of(dependency) is None


DJANGO, REACT = (one for one in CATALOGUE if one.name in {"Django", "React"})


def named(file: str, start: str | None, end: str | None, *, of: CatalogueProduct = DJANGO, line: int = 1) -> NamedBump:
    ecosystem = NPM if of is REACT else PYPI
    return NamedBump(Bump(of.name.lower(), ecosystem, start, end, file, line), of)


def folded(*given: NamedBump) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.bump.file, one.notes) for one in fold_locks(given)]


@pytest.mark.parametrize(
    ("given", "file", "note"),
    [
        pytest.param(
            [named("uv.lock", "4.2.7", "5.1.3", line=40), named("pyproject.toml", "4.2", "5.1")],
            "pyproject.toml",
            "uv.lock:40 moves it from 4.2.7 to 5.1.3.",
            id="at its manifest",
        ),
        pytest.param(
            [
                named("web/app/package.json", "18.0.0", "19.0.0", of=REACT),
                named("web/yarn.lock", "18.0.0", "19.0.0", of=REACT),
            ],
            "web/app/package.json",
            "web/yarn.lock:1 moves it from 18.0.0 to 19.0.0.",
            id="the lock of a workspace above",
        ),
        *(
            pytest.param(
                [named("manifest", "4.2", "5.1"), named(lock, "4.2.7", "5.1.3")],
                "manifest",
                f"{lock}:1 moves it from 4.2.7 to 5.1.3.",
                id=lock,
            )
            for lock in ("Gemfile.lock", "gems.locked", "gradle.lockfile", "packages.lock.json", "mix.lock")
        ),
    ],
)
def test_a_lock_is_said_once(given: list[NamedBump], file: str, note: str) -> None:
    assert folded(*given) == [(file, (note,))]


@pytest.mark.parametrize(
    "given",
    [
        [named("a/requirements.txt", "4.2", "5.1"), named("b/requirements.txt", "4.2", "5.1")],
        [named("pyproject.toml", "4.2", "5.1"), named("package-lock.json", "18.0.0", "19.0.0", of=REACT)],
        [named("pyproject.toml", None, "5.1"), named("uv.lock", "4.2", "5.1")],
        [named("uv.lock", "4.2", "5.1"), named("poetry.lock", "3.2", "4.2")],
        [
            named("web/app/package.json", "18.0.0", "19.0.0", of=REACT),
            named("api/yarn.lock", "18.0.0", "19.0.0", of=REACT),
        ],
    ],
    ids=["two manifests", "two products", "a manifest without a range", "locks that differ", "a lock elsewhere"],
)
def test_these_stay_apart(given: list[NamedBump]) -> None:
    assert folded(*given) == [(one.bump.file, ()) for one in given]
