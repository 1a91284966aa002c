"""How people write the name of a project: its nicknames, its spellings, its slips of the keyboard.

Documents call a project by one or two names; questions call it `k8s`, "scikit learn", "sqlalchmey". What is an
ordinary English word as well is marked, for the reader of the grammar around it.
"""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterator

from corpus.everyday_words import is_everyday
from corpus.lexicon import STOP_WORDS

_CALLED = """
    brew=homebrew bs4=beautiful_soup+beautifulsoup4 cpython=python es=elasticsearch gha=github_actions golang=go
    k8s=kubernetes kube=kubernetes mongo=mongodb np=numpy otel=opentelemetry pd=pandas pg=postgresql pil=pillow
    postgres=postgresql psql=postgresql py=python rabbit=rabbitmq rails=ruby_on_rails ror=ruby_on_rails
    rg=ripgrep sklearn=scikit-learn spark=apache_spark kafka=apache_kafka airflow=apache_airflow tf=tensorflow+terraform
    torch=pytorch ts=typescript
"""
NICKNAMES = {
    nickname: tuple(names.replace("_", " ").split("+"))
    for nickname, names in (entry.split("=") for entry in _CALLED.split())
}
"""What people everywhere call a project, or import it as, whatever its own documents say."""

# Names of projects that are everyday English: they count only where the grammar says that a name stands there.
EVERYDAY_NAMES = frozenset(
    """accelerate actions ant arrow astro attrs bandit beam behave black bottle build buck bun chalk chef click
    consul crystal dart dash dataset datasets diffusers drone echo electron ember envoy evaluate express fabric
    factory faker falcon fiber fire flux fresh gin glide glue go grunt gulp harbor hatch helm hive hypothesis
    ignite invoke ionic julia kit lark lightning locust mock nest next ninja node nomad nose packaging packer
    panel pants parcel parse pendulum phoenix pig pillow play poetry pony prefect puppet
    pyramid quart ray react records remix requests responses rich robot rocket rollup room rust safety salt
    schema slim spark spring storm swift tokenizers tornado transformers trio turbo twisted typer vault wheel
    work""".split()
)

COMPARATIVES = frozenset("older newer lower higher earlier later".split())  # What stands before "than" and a version.
# Words that may stand right before a version of the question's own product.
NO_NAMES = STOP_WORDS.union(map(str.casefold, filter(None, (*month_name, *month_abbr)))) | frozenset(
    """above after against all around before behind below between beyond both branch breaking bug bump came changelog
    changes come commits compare comparing contrast contributors deprecations diff difference differences drop
    during either feature features firmware fix fixes going highlights improvements jump lands latest less
    line lines make migrate migration minimum more move needs new newer news next notes off older onto part past
    post pre prior regarding release released releases removals requires run running runs sec security see series
    ship shipped shipping ships specifically straight switch through thru till towards under until update upgrade
    upto used software v ver version versions versus very via vs w/ w/o within y""".split()
)

_PARTS = re.compile(r"[-_ ]+|(?<=[a-z])\.(?=js$)", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])")
_SHORTEST_OWNED, _SHORTEST_STEM = 4, 3  # Chosen by hand, never fitted.
_JOINTS = ("", " ", "-", "_", "/", "\\")
_MIN_SLIP_LENGTH, _MIN_GAP_LENGTH = 5, 8


def spellings(name: str) -> tuple[str, ...]:
    """Return the other ways to join the parts of a name, in lower case: "scikit learn" and `scikit_learn` for
    scikit-learn, as packages and namespaces are written too ("doctrine/dbal", `Doctrine\\DBAL`)."""
    parts = [part for part in _PARTS.split(name.casefold()) if part]
    if len(parts) < 2 and name.isalnum():
        return ()
    joined = (*(joint.join(parts) for joint in _JOINTS), "".join(filter(str.isalnum, name.casefold())))
    return tuple(dict.fromkeys(spelling for spelling in joined if spelling != name.casefold()))


def loose_spellings(name: str) -> tuple[str, ...]:
    """Spellings that may be ordinary words too, in lower case: "fast api" for FastAPI, "node" for Node.js and nodejs,
    "influx" for InfluxDB, "bootstrap" for a repository's `twbs_bootstrap`."""
    folded = name.casefold()
    humps = [hump.casefold() for hump in _HUMP.split(name)]
    others = [joint.join(humps) for joint in (" ", "-")] if len(humps) > 1 and min(map(len, humps)) > 1 else []
    stem = folded[:-2].removesuffix(".")
    if (ending := folded[-2:]) in ("js", "db") and len(stem) >= _SHORTEST_STEM and stem.isalpha():
        others += [stem, f"{stem}.{ending}"]
    owner, _, owned = folded.partition("_")
    is_owned = owner and len(owned) >= _SHORTEST_OWNED and f"{owner}{owned}".replace("-", "").isalnum()
    if is_owned and not is_everyday(owned):
        others.append(owned)
    return tuple(other for other in others if other != folded)


def slips_of(name: str) -> Iterator[str]:
    """Words that can hardly be anything but `name` (in lower case) mistyped: two neighbours swapped ("djnago"), a
    letter doubled, or in a name of eight letters or more one missing inside.

    Another letter in place, another first letter or a lost ending is no slip: "cython", "pedantic" and "compose" are
    words of their own.
    """
    if len(name) < _MIN_SLIP_LENGTH:
        return
    for i in range(len(name) - 1):
        yield name[:i] + name[i + 1] + name[i] + name[i + 2 :]
        yield name[:i] + name[i] + name[i:]
        if i and len(name) >= _MIN_GAP_LENGTH:
            yield name[:i] + name[i + 1 :]
    yield name + name[-1]
