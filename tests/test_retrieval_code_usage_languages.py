"""Where code of other languages, scripts and configuration use what release notes speak of."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from retrieval.code_usage import load_code
from retrieval.code_usage.code import read_names
from retrieval.code_usage.code_names import read_code_names
from retrieval.code_usage.languages import LANGUAGES
from retrieval.code_usage.model import Origin

CODE = Path(__file__).parent / "data" / "code"


@pytest.mark.parametrize(
    ("name", "code", "product", "symbol", "lines"),
    [
        pytest.param("a.jsx", "javascript", "React-DOM", "ReactDOM.render", [4], id="JavaScript: default import"),
        pytest.param("a.jsx", "javascript", "react-dom", "useState", [1, 4], id="JavaScript: name imported as another"),
        pytest.param("a.js", "javascript", "lodash", "_.merge", [], id="JavaScript: qualifier that nothing explains"),
        pytest.param("a.js", "javascript", "lodash", "lodash.merge", [2, 5], id="JavaScript: taken from require"),
        pytest.param("a.js", "javascript", "redis", "hgetallSync", [6],
                     id="JavaScript: method of what was constructed"),
        pytest.param("a.js", "javascript", "redis", "legacyMode", [3], id="JavaScript: option"),
        pytest.param("a.js", "javascript", "node", "NODE_OPTIONS", [6], id="JavaScript: environment"),
        pytest.param("a.js", "javascript", "react-dom", "hydrate", [], id="JavaScript: comment"),
        pytest.param("web/vite.config.ts", "vite", "Vite", "build.rollupOptions.output.manualChunks", [6],
                     id="keys of objects"),
        pytest.param("a.mjs", "vite", "Vite", "output.manualChunks", [6], id="keys of objects: the last ones"),
        pytest.param("a.ts", "vite", "Vite", "build.terserOptions", [7], id="keys of objects: shorthand"),
        pytest.param("a.ts", "vite", "Vite", "babel.plugins", [], id="keys of objects: another's options"),
        pytest.param("a.ts", "vite", "plugin-react", "babel.plugins", [4], id="keys of objects: of a call inside"),
        pytest.param("a.ts", "vite", "Vite", "server.manualChunks", [], id="keys of objects: another path"),
        pytest.param("a.ts", "vite", "Vite", "splitVendorChunk.hmr", [], id="keys of objects: taken by nothing"),
        pytest.param("a.ts", "vite", "Vite", "json.stringify", [], id="namesake of an object of the language"),
        pytest.param("a.js", "javascript", "lodash", "isArray", [], id="JavaScript: namesake of the language's own"),
        pytest.param("a.ts", "typescript", "Angular", "Injectable", [1, 3], id="TypeScript: scoped package"),
        pytest.param("a.ts", "typescript", "RxJS", "Subscription.unsubscribe", [6], id="TypeScript: typed parameter"),
        pytest.param("a.go", "go", "gin", "gin.Default", [7], id="Go: module of a major version"),
        pytest.param("a.go", "go", "gin", "Engine.RunUnix", [8], id="Go: method of what a function gave"),
        pytest.param("a.go", "go", "gin", "gin.Context", [9], id="Go: type"),
        pytest.param("a.go", "go", "yaml", "yaml.UnmarshalStrict", [10], id="Go: module imported as another"),
        pytest.param("a.rs", "rust", "tokio", "tokio::time::delay_for", [1, 4], id="Rust: nested use"),
        pytest.param("a.rs", "rust", "tokio", "TcpStream::connect", [5], id="Rust: path behind a module"),
        pytest.param("a.rs", "rust", "serde", "serde::ser::Error", [6], id="Rust: crate under another name"),
        pytest.param("A.java", "java", "Spring Boot", "WebMvcConfigurerAdapter", [1, 3], id="Java: class extended"),
        pytest.param("A.java", "java", "JUnit", "Assert.assertThat", [2, 5], id="Java: static import"),
        pytest.param("A.java", "java", "Spring Boot", "SPRING_PROFILES_ACTIVE", [5], id="Java: environment"),
        pytest.param("A.java", "java", "Kafka", "MAX_POLL_RECORDS", [], id="Java: a constant of its own"),
        pytest.param("a.rb", "ruby", "Rails", "before_filter", [2], id="Ruby: class macro"),
        pytest.param("a.rb", "ruby", "Rails", "update_attributes", [4], id="Ruby: method"),
        pytest.param("a.rb", "ruby", "Rails", "RAILS_SERVE_STATIC_FILES", [5], id="Ruby: environment"),
        pytest.param("a.c", "c", "curl", "CURLOPT_PROGRESSFUNCTION", [4], id="C: constant"),
        pytest.param("a.c", "c", "curl", "curl_formget()", [5], id="C: function"),
        pytest.param("a.c", "c", "curl", "curl_formadd", [], id="C: comment"),
        pytest.param("a.c", "c", "libpng", "curl_formget", [], id="C: library that isn't included"),
        pytest.param("a.sh", "shell", "pip", "--use-deprecated", [5], id="shell: flag on a continued line"),
        pytest.param("a.sh", "shell", "pip", "PIP_NO_INDEX", [3], id="shell: environment"),
        pytest.param("pyproject.toml", "toml", "pytest", "--strict", [2], id="TOML: flag below a section"),
        pytest.param("pyproject.toml", "toml", "pytest", "asyncio_mode", [3], id="TOML: key"),
        pytest.param("pyproject.toml", "toml", "pytest", "PytestRemovedIn8Warning", [4], id="TOML: name in a value"),
        pytest.param(".github/workflows/ci.yml", "workflow", "pytest", "--strict", [6], id="workflow: flag"),
        pytest.param(".github/workflows/ci.yml", "workflow", "pytest", "PYTEST_ADDOPTS", [4],
                     id="workflow: environment"),
    ],
)  # fmt: skip
def test_usages(tmp_path: Path, name: str, code: str, product: str, symbol: str, lines: list[int]) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text((CODE / f"{code}.txt").read_text("utf-8"))
    found = load_code(tmp_path).usages_of([symbol], product=[product])
    assert [usage.line for usage in found] == lines


_HOSTILE = (
    '( { [a. a< - -- \' " ${ // /* # ` \\` \\\' """ \n. import{ from\ta\timport( use\ta::{ const{ a. :: = a= a:b {a:'
    " ({a:[ a(b= class\tA( def\tf( self.a=x. @ a() } ) 'a' \"a/b\"\n import\n a(){ {} x.\ny $a$ \\"
).split(" ")


@pytest.mark.parametrize("ending", ".ts .rs .rb .py .else".split())
@pytest.mark.parametrize("before", ["", "import "])
def test_hostile_code_takes_time_in_proportion_to_its_length(ending: str, before: str) -> None:
    for piece in _HOSTILE:
        line = f"{before}{piece}".replace("\t", " ") * 200 + "\n"
        started = time.thread_time()
        read_code_names(line * (40_000 // len(line)), f"a{ending}")
        # It takes a tenth of that; in proportion to the square it takes many seconds.
        assert time.thread_time() - started < 2.5, (piece, ending)


def test_a_chain_without_end_is_read_to_its_thirtieth_part() -> None:
    started = time.thread_time()
    names = read_code_names("a\n." * 100_000, "a.py")
    assert len(names.places) < 100
    assert time.thread_time() - started < 2.5


_WORDS = st.lists(
    st.sampled_from(
        "import from a . b ( ) { } < > ; \n as use :: class def x = ' \" require # \\ é \x00 -> --f A_B".split(" ")
    ),
    max_size=40,
).map(" ".join)


@examples(25)
@given(
    text=st.one_of(st.text(max_size=200), _WORDS), ending=st.sampled_from([*sorted(LANGUAGES), ".sh", ".toml", ".yml"])
)
def test_every_mention_stands_on_a_line_of_the_file(text: str, ending: str) -> None:
    names = read_names(f"a{ending}", text)
    assert names is not None
    assert all(1 <= line <= text.count("\n") + text.count("\r") + text.count("\f") + 1 for _, line in names.places)
    assert all(0 < mention.written <= len(mention.path) for mention, _ in names.places)


def test_what_is_named_by_as_is_no_surer_than_what_it_names() -> None:
    opened = "with shelf.open() as box:\n    box.paint()\n"
    for text, origin in ((opened, Origin.UNKNOWN), (f"import shelf\n{opened}", Origin.DERIVED)):
        *_, (mention, _) = read_code_names(text, "a.py").places
        assert (mention.path, mention.origin) == (("shelf", "open", "paint"), origin)
