"""Migration guides without a version of their own: which release their headings lead to, and what they list for it."""

from pathlib import Path

import pytest
from upgrade_notes import listed, upgrade_between

from retrieval.upgrades.guides import guided_release


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        pytest.param(("Upgrade guide", "Upgrading to 13.0 from 12.x"), "13.0", id="to and from"),
        pytest.param(("Upgrading from 1.4 to Widget 2.0",), "2.0", id="to a product's release"),
        pytest.param(("Migration", "v2.4 to v3.0"), "3.0", id="bare numbers"),
        pytest.param(("Migration", "v3 → v4", "Wheels"), "4", id="an arrow, and a section below"),
        pytest.param(("Migration from v7",), "8", id="from a major version"),
        pytest.param(("Migration from 1.4",), None, id="from a minor version to an unknown one"),
        pytest.param(("Widget", "Wheels from 3 to 5 spokes"), "5", id="anything that goes to a number"),
        pytest.param(("Widget", "Installation of 2.0"), None, id="no move"),
    ],
)
def test_a_heading_leads_to_a_release(heading: tuple[str, ...], expected: str | None) -> None:
    found = guided_release(heading)
    assert (found and found.label) == expected


GUIDE = """\
# Upgrade Guide

- [Upgrading to 3.0 from 2.x](#upgrading-to-3)

## Upgrading to 3.0 from 2.x

### Wheels

#### The hub of a wheel

**Likelihood Of Impact: Low**

`Wheel.hub` is now read-only.

### Security

#### Locks

**Likelihood Of Impact: Very Low**

`Lock` has been renamed to `Bolt`.

## Upgrading to 2.0 from 1.x

### Spokes

`Wheel.spokes` is now a tuple.
"""


def test_a_guide_is_listed_for_the_release_that_it_leads_to(tmp_path: Path) -> None:
    files = {"CHANGELOG.md": "# Changelog\n\n## 2.0.0\n\n- Old.\n\n## 1.0.0\n\n- Older.\n", "guide.md": GUIDE}
    assert listed(upgrade_between(tmp_path, files, "2.0.0", "3.0.0")) == [
        ("3.0", "breaks", "The hub of a wheel: Wheel.hub is now read-only."),
        ("3.0", "breaks", "Locks: Lock has been renamed to Bolt."),
    ]
