"""Where Python code uses what release notes speak of."""

from pathlib import Path

import pytest
from case_files import read_rows

from retrieval.code_usage.code import CodeUsage, load_code
from retrieval.upgrades.usages import arguments_of

SHOP = Path(__file__).parent / "data" / "code" / "shop"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CodeUsage:
    folder = tmp_path_factory.mktemp("shop")
    for file in SHOP.rglob("*.txt"):
        path = folder / file.relative_to(SHOP).with_suffix("")
        path.parent.mkdir(exist_ok=True)
        path.write_text(file.read_text("utf-8"))
    return load_code(folder)


@pytest.mark.parametrize(("symbols", "product", "places"), read_rows("retrieval-usages-in-python"))
def test_usages(shop: CodeUsage, symbols: str, product: str, places: str) -> None:
    found = shop.usages_of(symbols.split(), product=[product])
    assert [f"{usage.file}:{usage.line}" for usage in found] == places.split()


@pytest.mark.parametrize(
    ("text", "symbol", "lines"),
    [
        pytest.param("print 'old'\nimport numpy as np\nnp.product(1)\n", "np.product", [3], id="Python 2"),
        pytest.param("import numpy as np\nf = np.product\nf(1)\n", "numpy.product", [2, 3], id="bound to a variable"),
        pytest.param(
            "import numpy\n(numpy.\n array(1)\n .tostring())\n", "ndarray.tostring", [4], id="over several lines"
        ),
        pytest.param("'''import numpy as np\nnp.product'''\n# np.product\n", "np.product", [], id="prose and comments"),
    ],
)
def test_usages_in_one_file(tmp_path: Path, text: str, symbol: str, lines: list[int]) -> None:
    (tmp_path / "code.py").write_text(text)
    found = load_code(tmp_path / "code.py").usages_of([symbol], product=["NumPy"])
    assert [usage.line for usage in found if usage.file == "code.py"] == lines


CALLS = SHOP.with_name("calls.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("note", "symbols", "lines"),
    [
        pytest.param("The proxies argument is removed.", ["proxies"], [6], id="argument of no named callable"),
        pytest.param("Removed the option `app`.", ["app"], [11], id="option, in front of its name"),
        pytest.param("The `cert` and `trust` parameters are gone.", ["cert", "trust"], [7], id="method, one of two"),
        pytest.param("The `timeout=...` argument is removed.", ["timeout=..."], [11], id="written as it is passed"),
        pytest.param("The `proxies` argument of `Proxy` is removed.", ["proxies", "Proxy"], [], id="another callable"),
        pytest.param("The app=None argument is refused.", ["app=None"], [], id="only with a value"),
        pytest.param("Proxies are removed from app.", ["app"], [], id="no argument"),
    ],
)
def test_an_argument_is_found_in_calls_into_its_product(
    tmp_path: Path, note: str, symbols: list[str], lines: list[int]
) -> None:
    (tmp_path / "code.py").write_text(CALLS)
    code = load_code(tmp_path / "code.py")
    found = code.usages_of(symbols, product=["httpx"], arguments=arguments_of(note, symbols))
    assert [usage.line for usage in found] == lines
