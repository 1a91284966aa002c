"""What a page states about itself in its head: its title without the site's name, date and address."""

import re
from collections.abc import Mapping, Sequence

from ingest.blocks import Block, BlockKind
from ingest.formats.html_page import HtmlPage

_TITLE_SEPARATOR = re.compile(r"\s+[|—–·»:-]{1,2}\s+")
_SURE_SEPARATOR = re.compile(r"\s+[|—·»]\s+")
_SITE = re.compile(
    r"(?P<product>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*){0,2}),? (?:version )?"
    r"(?P<version>v\d+(?:\.\w+)*|\d+(?:\.\w+)+|\d+(?= [a-z]))(?: (?:documentation|docs|manual|reference|guide))?",
    re.IGNORECASE,
)
_VERSION_NAMES = ("docsearch:version", "version", "doc-version", "product-version", "release")
_VERSION = re.compile(r"v?\d+(?:\.\w+)*")
_STATES_VERSION = re.compile(r"\d+\.\d+|\bv\d")
_DATE_NAMES = frozenset(
    {"article:published_time", "og:published_time", "date", "dc.date", "dcterms.date", "datepublished"}
)


def read_front_matter(page: HtmlPage, roots: Sequence[int], blocks: Sequence[Block]) -> Mapping[str, str]:
    """What the page states of `title`, `date` and `url`, and, where its own title names no version, of the `version`
    and `product` that its site documents ("Assert | Gizmo v18 Documentation").

    `roots` are where its main content starts; the first of its `blocks` that is a heading tells the page's
    own title from the site's name.
    """
    metas: dict[str, str] = {}
    for index in page.starts(("meta",)):
        attributes = page.events[index].attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
        metas.setdefault(name.lower(), (attributes.get("content") or "").strip())
    first_heading = next((block.title for block in blocks if block.kind is BlockKind.HEADING), "")
    stated_title = metas.get("og:title") or next((page.text_in(index) for index in page.starts(("title",))), "")
    links = (page.events[index].attributes for index in page.starts(("link",)))
    canonical = next((link.get("href") for link in links if "canonical" in (link.get("rel") or "").lower().split()), "")
    addresses = (canonical or "", metas.get("og:url", ""))
    url = next((address for address in addresses if re.match("https?://", address)), "")
    found = {
        "title": _without_site(" ".join(stated_title.split()), first_heading, metas.get("og:site_name", "")),
        "date": next((metas[name] for name in metas if name in _DATE_NAMES and metas[name]), "") or _time(page, roots),
        "url": url.strip(),
    }
    found |= _site_version(found["title"], " ".join(stated_title.split()), metas)
    return {name: value for name, value in found.items() if value}


def _site_version(title: str, stated: str, metas: Mapping[str, str]) -> dict[str, str]:
    if _STATES_VERSION.search(title):
        return {}
    parts = [part.strip() for part in _TITLE_SEPARATOR.split(stated)]
    site = next((match for part in parts[1:] if (match := _SITE.fullmatch(part))), None)
    if site is not None:
        return {"product": site["product"], "version": site["version"]}
    version = next((metas[name] for name in _VERSION_NAMES if _VERSION.fullmatch(metas.get(name, ""))), "")
    return {"version": version}


def _time(page: HtmlPage, roots: Sequence[int]) -> str:
    """The first `time[datetime]` of the main content."""
    events = (event for root in roots for event in page.events[root : page.ends[root]] if event.tag == "time")
    return next((stated for event in events if (stated := (event.attributes.get("datetime") or "").strip())), "")


def _without_site(title: str, heading: str, site: str) -> str:
    """The page's own title, without the name of the site behind (or before) it."""
    for separator in _TITLE_SEPARATOR.finditer(title):
        is_before = separator.start() == len(heading) and title.startswith(heading)
        if is_before or (separator.end() == len(title) - len(heading) and title.endswith(heading)):
            return heading
        if site and separator.end() == len(title) - len(site) and title.endswith(site):
            return title[: separator.start()]
    return _SURE_SEPARATOR.split(title, maxsplit=1)[0]
