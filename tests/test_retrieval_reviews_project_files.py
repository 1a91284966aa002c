"""What somebody's own files state and use: the release in use, and the changes of an upgrade that concern them."""

from collections.abc import Callable

import pytest
from reviews_by_hand import HOSTILE

from corpus.index.tables import TableReader
from retrieval.assistant import Assistant
from retrieval.products.known import find_product
from retrieval.reviews.project_files import mark_used, read_own_files, releases_in_use
from retrieval.upgrades.model import Upgrade, Usage
from retrieval.upgrades.upgrade_list import list_upgrade


@pytest.fixture(scope="module")
def notes(library: Callable[[str], Assistant]) -> TableReader:
    return library("project").index


def marked(notes: TableReader, files: dict[str, str]) -> Upgrade:
    """The upgrade of widget with what `files` use."""
    return mark_used(
        list_upgrade(notes, "widget", "1.9", "2.0"), find_product(notes.products, "widget"), read_own_files(files)
    )


def uses(upgrade: Upgrade) -> list[Usage]:
    """All that is marked."""
    items = [*(item for release in upgrade.releases for item in release.items), *upgrade.security]
    return [usage for item in items for usage in item.usages]


STATED = {
    "a pin": ({"requirements.txt": "# ours\nwidget==1.9.0\n"}, ("1.9.0", "requirements.txt", 2)),
    "a range": ({"pyproject.toml": '[project]\ndependencies = ["widget>=1.8"]\n'}, ("1.8", "pyproject.toml", 2)),
    "a lock before a range": (
        {
            "pyproject.toml": '[project]\ndependencies = ["widget>=1.8"]\n',
            "uv.lock": '[[package]]\nname = "widget"\nversion = "1.9.1"\n',
        },
        ("1.9.1", "uv.lock", 3),
    ),
    "no version": ({"requirements.txt": "widget\n"}, None),
    "another product": ({"requirements.txt": "gadget==1.0\n"}, None),
    "no dependency file": ({"notes.txt": "widget==1.9.0\n"}, None),
    "nothing that can be read": ({HOSTILE: HOSTILE, "requirements.txt": HOSTILE, "uv.lock": HOSTILE}, None),
}


@pytest.mark.parametrize(("files", "expected"), STATED.values(), ids=STATED)
def test_release_in_use_is_read_from_dependency_files(
    notes: TableReader, files: dict[str, str], expected: tuple[str, str, int] | None
) -> None:
    found, _ = releases_in_use(read_own_files(files), notes.products)
    assert [(stated.version, stated.file, stated.line) for _, stated in found] == ([expected] if expected else [])


def test_dependencies_that_are_no_product_are_named(notes: TableReader) -> None:
    files = {"requirements.txt": "widget==1.9.0\ngadget==1.0\nlever\n", "uv.lock": HOSTILE}
    assert releases_in_use(read_own_files(files), notes.products)[1] == ("gadget", "lever")


def test_code_marks_what_it_uses_and_nothing_is_left_out(notes: TableReader) -> None:
    upgrade = marked(notes, {"src/app.py": "import widget\n\nwidget.spin(90)\nwidget.load('x')\n"})
    assert uses(upgrade) == [Usage("widget.spin", "src/app.py", 3), Usage("widget.load", "src/app.py", 4)]
    assert sum(len(release.items) for release in upgrade.releases) == 7
