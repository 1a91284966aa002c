"""By what rule release notes speak of a change, and its words."""

from enum import StrEnum

from corpus.model import Kind


class Rule(StrEnum):
    """What a finding is about; the values are identifiers in SARIF."""

    REMOVAL = "removal"
    BREAKING = "breaking"
    DEPRECATION = "deprecation"
    SECURITY = "security"
    SYMBOL = "symbol"  # A touched symbol of which release notes speak.


_RULES = {Kind.REMOVAL: Rule.REMOVAL, Kind.DEPRECATION: Rule.DEPRECATION, Kind.SECURITY: Rule.SECURITY}
RULE_WORDS = {
    Rule.REMOVAL: ("Removed", "removed", "removal", "removals"),
    Rule.BREAKING: ("Breaking", "breaking change", "breaking change", "breaking changes"),
    Rule.DEPRECATION: ("Deprecated", "deprecated", "deprecation", "deprecations"),
    Rule.SECURITY: ("Security", "security fix", "security fix", "security fixes"),
}
"""In a heading, in the title of a finding, and where one or several are counted."""
RULE_HEADINGS = {rule: heading for rule, (heading, *_) in RULE_WORDS.items()}


def rule_of(kind: Kind) -> Rule:
    """Return the rule of an item; what neither removes, deprecates nor mends a hole may break."""
    return _RULES.get(kind, Rule.BREAKING)
