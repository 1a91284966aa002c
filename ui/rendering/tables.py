"""Tables for a terminal, as the reports on an index have them."""

from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from ui.rendering.words import printable

_COUNTS = ("id", "releases", "passages", "documents")


def table(*columns: str) -> Table:
    """An empty table with these columns; numbers stand to the right."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify: JustifyMethod = "right" if column in _COUNTS else "left"
        made.add_column(column, justify=justify, overflow="fold", no_wrap=column in (*_COUNTS, "date", "authority"))
    return made


def cells(*values: object) -> list[Text]:
    """A row of values as they are, without markup or control characters."""
    return [Text(printable(str(value))) for value in values]
