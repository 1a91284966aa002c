"""How people write the name of a project: nicknames, spellings and typos.

Documents call a project by one or two names; questions call it `k8s`, "scikit learn", "sqlalchmey". Names that are also
ordinary English words are listed, because they need the words around them to be recognised.
"""

import re
from calendar import month_abbr, month_name
from unicodedata import normalize

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
"""Common names of a project, or of its import, that its own documents may not use."""

# Names that are also everyday English: they count only if the words around them call for a name.
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

# Words that may come right before a version of the question's own product.
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
ENDINGS = "js lang 2d 3d db cli".split()  # That people put on a name ("box2d").


def plain_name(name: str) -> str:
    """Return a name in lower case and, letter by letter, without accents: "uber" for Über."""
    return "".join(normalize("NFKD", letter)[:1] for letter in name).lower()


def spellings(name: str) -> tuple[str, ...]:
    """Return the other ways to join the parts of a name, in lower case: "scikit learn" and `scikit_learn` for
    scikit-learn, and those of packages and namespaces ("doctrine/dbal", `Doctrine\\DBAL`)."""
    parts = [part for part in _PARTS.split(name.casefold()) if part]
    if len(parts) < 2 and name.isalnum():
        return ()
    joined = (*(joint.join(parts) for joint in _JOINTS), "".join(filter(str.isalnum, name.casefold())))
    return tuple(dict.fromkeys(spelling for spelling in joined if spelling != name.casefold()))


def loose_spellings(name: str) -> tuple[str, ...]:
    """Return spellings that may be ordinary words too, in lower case: "fast api" for FastAPI, "node" for Node.js and
    nodejs, "influx" for InfluxDB, "bootstrap" for a repository's `twbs_bootstrap`."""
    folded = name.casefold()
    humps = [hump.casefold() for hump in _HUMP.split(name)]
    loose = [joint.join(humps) for joint in (" ", "-")] if len(humps) > 1 and min(map(len, humps)) > 1 else []
    stem = folded[:-2].removesuffix(".")
    if (ending := folded[-2:]) in ("js", "db") and len(stem) >= _SHORTEST_STEM and stem.isalpha():
        loose += [stem, f"{stem}.{ending}"]
    owner, _, repository = folded.partition("_")
    has_owner = owner and len(repository) >= _SHORTEST_OWNED and f"{owner}{repository}".replace("-", "").isalnum()
    if has_owner and not is_everyday(repository):
        loose.append(repository)
    return tuple(spelling for spelling in loose if spelling != folded)
