"""RSS and Atom: entries as documents; hostile feeds end with one line."""

from datetime import date

import pytest
from case_files import read_rows
from connector_place import ConnectorPlace
from notes_server import page

from corpus.errors import SourceError
from ingest.sources.connectors.feeds import is_feed, read_feed

ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Gizmo news</title>
<entry><title type="html">Gizmo 2.0 &lt;b&gt;released&lt;/b&gt;</title><id>tag:gizmo,2026:2</id>
<link rel="edit" href="/edit"/><link href="/news/2.0"/><updated>2026-03-02T10:00:00Z</updated>
<content type="html">&lt;p&gt;Removed the &lt;code&gt;lever&lt;/code&gt;.&lt;/p&gt;
&lt;script&gt;no()&lt;/script&gt;</content></entry>
<entry><title>Gizmo 1.0</title><id>tag:gizmo,2026:1</id><link href="https://gizmo.example/1.0"/>
<published>2026-01-01T00:00:00Z</published>
<content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>Added a crank &amp; a wheel.</p></div></content></entry>
<entry><title>Nothing to say</title><id>3</id></entry>
</feed>
"""
RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Gizmo</title>
<item><title>Gizmo 3.0</title><link>https://gizmo.example/3.0</link><guid isPermaLink="false">g3</guid>
<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><description>Short.</description>
<content:encoded><![CDATA[<p>The long text of 3.0.</p>]]></content:encoded></item>
<item><title>Gizmo 2.9</title><link>javascript:alert(1)</link><pubDate>soon</pubDate>
<description>First paragraph, a &lt; b.

Second one.</description></item>
</channel></rss>
"""


def test_each_entry_of_a_feed_is_a_document_and_stays_when_the_feed_forgets_it(place: ConnectorPlace) -> None:
    url = place.server.url("/feed.xml")
    place.server.pages["/feed.xml"] = page(ATOM, "application/atom+xml", etag='"1"')
    assert place.ingest(url).added == 2
    found = {one.source: one for one in place.documents()}
    two = found[f"{url}#tag:gizmo,2026:2"]
    assert (two.product, two.version, two.date, two.title) == ("Gizmo", "2.0", date(2026, 3, 2), "Gizmo 2.0 released")
    assert two.url == place.server.url("/news/2.0")
    assert "Removed the lever." in place.text(two.source)
    assert "no()" not in place.text(two.source)
    assert place.ingest(url).unchanged == 2
    shorter = ATOM.partition("<entry><title>Gizmo 1.0")[0] + "</feed>"
    place.server.pages["/feed.xml"] = page(shorter, "application/atom+xml", etag='"2"')
    report = place.ingest(url)
    assert (report.unchanged, report.removed) == (1, 0)
    assert len(place.documents()) == 2


def test_a_feed_that_is_not_well_formed_is_read_and_its_days_are_those_that_it_states() -> None:
    item = "<item><title>Gizmo&nbsp;4.0 & more</title><description>A lid<br> & a crank.</description>{}</item>"
    days = ("<pubDate>Mon, 02 Mar 2026 00:00:00 +0100</pubDate>", "<dc:date>2026-03-02T23:30:00-05:00</dc:date>")
    for day in days:
        text = f"<rss version='2.0'><channel>{item.format(day)}</channel></rss>"
        (entry,) = read_feed(text.encode(), uri="f", url="")
        assert (entry.hints.title, entry.hints.day) == ("Gizmo 4.0 & more", date(2026, 3, 2))
        assert b"a crank." in entry.content


@pytest.mark.parametrize("link", ["", "<link>https://gizmo.example/news</link>", "<guid>gizmo</guid>"])
def test_entries_without_an_address_of_their_own_are_documents_of_their_own(link: str) -> None:
    items = (f"<item><title>Gizmo {number}</title>{link}<description>A lid.</description></item>" for number in "123")
    text = f"<rss version='2.0'><channel><link>https://gizmo.example</link>{''.join(items)}</channel></rss>"
    found = read_feed(text.encode(), uri="f", url="")
    assert [one.hints.title for one in found] == ["Gizmo 1", "Gizmo 2", "Gizmo 3"]
    assert len({one.source for one in found}) == 3


@pytest.mark.parametrize(
    ("content", "media_type", "expected"),
    [*read_rows("ingest-a-feed-is-told-by-its-type-or-its-beginning"), pytest.param(ATOM, "text/plain", True)],
)
def test_a_feed_is_told_by_its_type_or_its_beginning(content: str, media_type: str, expected: bool) -> None:
    assert is_feed(content.encode(), media_type) is expected


ENTITY = '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
LAUGHS = "<!DOCTYPE rss [<!ENTITY a0 'ha'>" + "".join(
    f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12)
) + "]>"  # fmt: skip
ITEM = "<rss><channel><item><title>&{};</title><description>x &{};</description></item></channel></rss>"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        *read_rows("ingest-a-hostile-or-broken-feed-is-one-line"),
        pytest.param(LAUGHS + ITEM.format("a11", "a11"), "is a feed that", id="a billion laughs"),
        pytest.param("<rss>" * 5000, "can't be read", id="too deep"),
        pytest.param("<rss>" * 200_001 + "</rss>", "more than 200,000 tags", id="endless"),
    ],
)
def test_a_hostile_or_broken_feed_is_one_line(text: str, error: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_feed(text.encode(), uri="https://x.example/f", url="https://x.example/f")
    assert error in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "root:" not in str(caught.value)
