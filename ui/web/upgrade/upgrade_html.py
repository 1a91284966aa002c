"""An upgrade as HTML: its changes by kind, each quote in its surroundings, and the same as Markdown to take along."""

from collections.abc import Sequence

from markupsafe import Markup

from retrieval.upgrades.model import Upgrade
from ui.rendering.upgrade import counted_upgrade, releases_told, render_upgrade_markdown, sections_of
from ui.rendering.words import counted
from ui.web.html import file_name_of, markdown_address, page_address, render
from ui.web.source import Around

_NOT_USED = " None of them names what your files use; a change that names no code may matter all the same."


def render_upgrade_html(
    upgrade: Upgrade, around: Around, *, about: Sequence[str] = (), with_files: bool = False, is_example: bool = False
) -> Markup:
    """The whole upgrade; `about` are lines above it, and `with_files` says that uses in somebody's files are marked."""
    ends = {"product": upgrade.product, "from": upgrade.start, "to": upgrade.end}
    title = f"{upgrade.product} {upgrade.start} → {upgrade.end}"
    sections = sections_of(upgrade)
    count = sum(len(section.items) for section in sections)
    used = sum(len(section.items) for section in sections if section.change is None)
    use = f" {used:,} of them {'is' if used == 1 else 'are'} used in your code." if used else ""
    not_used = _NOT_USED if with_files and count and not used else ""
    where = releases_told(upgrade)
    return render(
        "upgrade",
        "upgrade",
        upgrade=upgrade,
        title=title,
        said=f"{counted(count, 'change')} {where}.{use}{not_used}" if count else "These notes name nothing to change.",
        announced=" ".join((*about, f"{title}. {counted_upgrade(upgrade)}.{not_used}")),
        about=about,
        sections=sections,
        around=around,
        address=markdown_address(render_upgrade_markdown(upgrade)),
        file_name=file_name_of(*ends.values()),
        link=page_address("upgrade", **ends),
        is_example=is_example,
    )
