"""HTML of the page, read as a browser's parser would: its tags balanced, its texts, its attributes."""

from html.parser import HTMLParser

_VOID = frozenset({"input", "br", "hr", "img", "link", "meta"})


class PageHtml(HTMLParser):
    """Reads a fragment; fails where a tag isn't closed by its own end."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self._elements: list[list[str]] = []
        self._open: list[list[str]] = []
        # As it comes to the browser: what is joined to `Markup` would be escaped.
        self.feed(str(markup))
        self.close()
        assert not self._open

    def texts(self, *tags: str) -> list[str]:
        """The text inside each element of these tags, in order; white space folded."""
        return [" ".join(text.split()) for tag, text in self._elements if tag in tags]

    def values(self, name: str) -> list[str]:
        """The values of that attribute, in order."""
        return [value for attribute, value in self.attributes if attribute == name]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in _VOID:
            element = [tag, ""]
            self._elements.append(element)
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of SVG that holds nothing."""
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        """End the element that was opened last."""
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        """Text, which belongs to every open element."""
        self.text += data
        for element in self._open:
            element[1] += data


def main_of(page: str) -> str:
    """The main part of a page."""
    return "<main" + page.partition("<main")[2].partition("</main>")[0] + "</main>"


def assert_harmless(markup: str) -> PageHtml:
    """Nothing in `markup` acts on its own; what it holds, parsed."""
    found = PageHtml(markup)
    assert {"script", "img", "iframe", "object", "style"}.isdisjoint(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    links = found.values("href")
    ours = ("/documents/", "/p/", "/upgrade", "/library", "/?", "?", "#")
    assert all(link.startswith(("https://", "data:text/markdown;", *ours)) for link in links), links
    assert not {"\u202e", "\u2066"} & set(found.text)
    return found
