"""Which names stand on the lines that a diff adds or removes."""

import difflib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from retrieval.reviews.diff import read_diff
from retrieval.reviews.touched import Touched, find_touched

VIEWS = (Path(__file__).parent / "data" / "code" / "views.txt").read_text("utf-8")


def _touched(name: str, before: str, after: str, *, context: int = 1, whole: bool = False) -> tuple[Touched, ...]:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}", n=context
    )
    return find_touched(read_diff("".join(lines)).files, texts={name: after} if whole else None)


def _said(found: tuple[Touched, ...]) -> list[str]:
    return [f"{'+' if one.is_added else '-'}{one.line} {one.symbol}" for one in found]


def test_added_and_removed_names_with_the_imports_that_the_hunk_shows() -> None:
    after = VIEWS.replace("force_text", "force_str").replace("product", "prod")
    assert _said(_touched("views.py", VIEWS, after, context=9)) == [
        "+3 django.utils.encoding",
        "+3 django.utils.encoding.force_str",
        "+13 numpy.prod",
        "-3 django.utils.encoding.force_text",
        "-13 numpy.product",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        pytest.param("a.py", "x", "if request.is_ajax():", ["+1 request.is_ajax"], id="method of a variable"),
        pytest.param("a.py", "x", "np.product(x)", ["+1 np.product"], id="a name that no import explains"),
        pytest.param("a.py", "x", "@field_validator('x')", ["+1 field_validator"], id="decorator of unknown import"),
        pytest.param("a.py", "x", "    x.append(data.get(1)); max(x)", ["+1 x.append", "+1 data.get"],
                     id="methods that everything has count with their owner only"),
        pytest.param("a.py", "x", "# np.product(x)", [], id="comment"),
        pytest.param("a.py", "x", "'''Use --all of np.product.'''", [], id="docstring"),
        pytest.param("a.py", "x", "from .own import thing_of_mine", [], id="the code's own module"),
        pytest.param("a.py", "x", "import numpy", [], id="import of a whole package"),
        pytest.param("a.py", "x", "USE_L10N = os.environ['TZ_NAME']", ["+1 USE_L10N", "+1 os.environ", "+1 TZ_NAME"],
                     id="setting and variable"),
        pytest.param("a.py", "x", "run(['pytest', '--strict'])", ["+1 run", "+1 --strict"], id="flag in a command"),
        pytest.param("a.ts", "x", "import { of } from 'rxjs';", ["+1 rxjs.of"], id="TypeScript import"),
        pytest.param("a.go", "x", 'import "github.com/gin-gonic/gin"', [], id="Go import"),
        pytest.param("a.go", "x", "r := gin.Default()", ["+1 gin.Default"], id="Go call"),
        pytest.param("a.py", "x", "pool_size = 3\n    row_count = 4", ["+1 pool_size"], id="setting of a module"),
        pytest.param("A.java", "x", "@Gate(closed = true)\nclass A {}", ["+1 Gate", "+1 Gate.closed"], id="annotation"),
        pytest.param("a.rs", "x", "#[gate(old_name)]", ["+1 gate", "+1 old_name"], id="attribute"),
        pytest.param("a.kt", "x", "server.start(portRange = 3)", ["+1 server.start", "+1 portRange"],
                     id="an argument in Kotlin"),
        pytest.param("a.php", "x", "use Acme\\Kit\\Gate;", ["+1 Acme.Kit.Gate"], id="namespace"),
        pytest.param("a.toml", "x", 'mode = "fast-forward"', ["+1 mode"], id="a key, not its value"),
        pytest.param("a.yml", "x", "- --net.dns=1", ["+1 --net.dns"], id="option by its path"),
        pytest.param("A.java", "x", "RotorGate f(@RotorPin int n) {}", ["+1 RotorGate", "+1 RotorPin"],
                     id="types and annotations"),
        pytest.param("a.rb", "x", "  def turn_rotor?\n    :half_turn\n  end", ["+1 turn_rotor", "+2 half_turn"],
                     id="a method that may override one, a symbol"),
        pytest.param("a.py", "x", "def test_it(free_gate, gate): pass", ["+1 test_it", "+1 free_gate"], id="a fixture"),
        pytest.param("go.mod", "x", "require example.com/kit v1.2.3", [], id="a list of dependencies"),
        pytest.param("a.sh", "x", "pip install --use-feature=x", ["+1 --use-feature"], id="shell"),
        pytest.param("Dockerfile", "x", "ENV PIP_NO_INDEX=1", ["+1 PIP_NO_INDEX"], id="Dockerfile"),
        pytest.param("package.json", "x", '"test": "tap --flag"', ["+1 --flag"], id="script of a manifest"),
        pytest.param("package.json", "x", '"some_package": "^1.2"', [], id="dependency file"),
        pytest.param("notes.md", "x", "np.product --flag", [], id="prose"),
    ],
)  # fmt: skip
def test_one_changed_line(name: str, old: str, new: str, said: list[str]) -> None:
    assert _said(_touched(name, f"{old}\n", f"{new}\n")) == said


@pytest.mark.parametrize(
    "context",
    ['    it moves on.\n    """', '    """It moves on.\n    """', '    """It moves on.'],
    ids=["end of a docstring", "whole docstring", "begin of a docstring"],
)
def test_a_hunk_that_cuts_a_docstring_is_read_where_it_is_code(context: str) -> None:
    hunks = [f"{context}\n    np.product(1)", "    np.trapz(2)"]
    before = "\n".join([hunks[0].rpartition("\n")[0], *"abcdef", "x"]) + "\n"
    after = "\n".join([hunks[0], *"abcdef", hunks[1]]) + "\n"
    assert "np.trapz" in {one.symbol for one in _touched("a.py", before, after)}
    is_code = not context.endswith("It moves on.")
    assert ("np.product" in {one.symbol for one in _touched("a.py", before, after)}) is is_code


def test_a_long_diff_is_read_to_its_end() -> None:
    body = "".join(f"    value_{n} = np.product(load_rows_{n}('x'), axis={n})\n" for n in range(5_000))
    found = _touched("a.py", "import numpy as np\ndef f():\n", "import numpy as np\ndef f():\n" + body)
    assert {"np.product", "load_rows_4000"} <= {one.symbol for one in found}


@examples(40)
@given(
    st.text("abc.()'\"\n @=:{}#-_", max_size=120),
    st.sampled_from(["a.py", "a.tsx", "a.go", "a.rs", "A.java", "a.rb", "a.h", "a.sh", "ci.yml"]),
)
def test_every_name_stands_on_a_changed_line(text: str, name: str) -> None:
    before, after = "one\n", f"one\n{text}\n"
    if before == after:
        return
    for one in _touched(name, before, after):
        lines = after.split("\n") if one.is_added else before.split("\n")
        assert one.symbol.rpartition(".")[2] in lines[one.line - 1]
