"""Decide which entries matter to those who upgrade, and how, from their section and their own words."""

import re
from dataclasses import replace

from corpus import effects
from corpus.entry_words import lead_of
from corpus.everyday_words import is_english
from corpus.happenings import NOT_DONE, first_act
from corpus.item_sentences import is_advice, unsecured
from corpus.model import LISTED, QUIET, Act, Change, Section
from corpus.sections import section_of_tag
from corpus.symbols import ADVISORY
from corpus.versions import Version
from ingest.entries.runs import Run

_MARK_CHARACTERS = 240
_FAULTS = re.compile(r"(?i)\W*(?:bugs?|defects?|faults?)\W*")  # Titles of issues describe the fault.
_KNOWN, MATTERS = 0.7, 0.2  # Chosen by hand, never fitted.
_SECURED, _SURELY, _LIKELY, _STATED, _POSSIBLY, _HARDLY = 0.25, 0.6, 0.4, 0.5, 0.2, 0.15
"""Least probability of a fixed vulnerability (docs/lab/upgrades.md); then that an entry asks something of those who
upgrade: to count in a release that lists that elsewhere, to be listed, so if a pattern led to it, as changed behaviour,
and as a surely read removal (docs/decisions/0011)."""
_ASKING = (Change.BREAKS, Change.REMOVED, Change.REQUIREMENT, Change.DEFAULT, Change.DEPRECATED)
_WITHIN = {
    Section.REMOVED: (Change.REMOVED, Change.REQUIREMENT, Change.DEFAULT),
    Section.DEPRECATED: (Change.DEPRECATED, Change.REMOVED, Change.REQUIREMENT),
}
"""The changes that entries of a section may state; else they make the first."""


def security_of(entry: Run) -> bool:
    """Return whether an entry reports a vulnerability that the release fixes."""
    if entry.section in LISTED or _is_not_done(entry) or unsecured(_first_sentence(entry)):
        return False
    is_said = any(ADVISORY.search(atom.words) for atom in entry.atoms)
    section = section_of_tag(entry.lead) or (Section.OPEN if is_english(entry.lead) else entry.section)
    return is_said or section is Section.SECURITY or entry.likely[Change.SECURITY] >= _SECURED


def change_of(entry: Run, release: Version | None) -> Change | None:
    """Return the change that an entry makes for those who upgrade to `release`; None if it makes none or plans it."""
    section, stated = section_of_tag(entry.lead) or entry.section, effects.stated_change(entry.lead)
    change, asks = max(_ASKING, key=entry.likely.__getitem__), sum(entry.likely[change] for change in _ASKING)
    shift = entry.likely[Change.BEHAVIOUR] + entry.likely[Change.ACTION]
    if _is_not_done(entry):
        is_deprecated = entry.section is Section.DEPRECATED or stated is Change.DEPRECATED
        return Change.DEPRECATED if is_deprecated else None
    if first_act(_first_sentence(entry), release)[0] is Act.REVERTED or (is_advice(entry.lead) and not entry.is_listed):
        return None
    named = effects.named_change(entry.lead)
    is_told = entry.section is Section.POINTER or (entry.section in LISTED and entry.is_listed) or is_marked(entry)
    is_nothing = effects.is_addition if section in _WITHIN else effects.breaks_nobody
    is_fault = entry.section is Section.FIX and _FAULTS.fullmatch(entry.heading[-1])
    # Below a heading of what breaks every entry looks as if it did.
    is_open = entry.section is not Section.BREAKS and asks + shift >= _POSSIBLY
    if is_fault or (is_told and not (is_open or named or entry.title) and is_nothing(entry.lead)):
        return Change.BEHAVIOUR if has_sign(entry) else None
    if is_told and section in _WITHIN:
        return named if named in _WITHIN[section] else _WITHIN[section][0]
    if is_told:
        return change if entry.likely[change] >= _SURELY else stated or Change.BREAKS
    is_end = stated is Change.REMOVED and entry.first.act is Act.REMOVED
    if is_end and asks + shift >= _HARDLY and entry.section not in QUIET:
        return stated
    if asks >= max(_STATED if stated else _LIKELY, shift):
        return change if entry.likely[change] >= _SURELY else stated or change
    least = _LIKELY if entry.section in QUIET else _POSSIBLY
    is_shift = asks + shift >= least or effects.is_called_breaking(entry.lead)
    return Change.BEHAVIOUR if is_shift else None


def is_plain(entry: Run) -> bool:
    """Return whether an entry surely makes a change: then it counts in a release that lists those elsewhere, too."""
    is_sure = entry.likely[Change.BEHAVIOUR] + sum(entry.likely[change] for change in _ASKING) >= _SURELY
    return is_sure or (entry.section in LISTED and entry.is_listed) or is_marked(entry)


def breaks_below(entry: Run) -> bool:
    """Return whether a bullet nested in an entry is about an end or a step to take, or a later sentence calls it
    breaking."""
    for atom in () if entry.title or _is_not_done(entry) else entry.atoms[1:]:
        words = lead_of([atom.words])
        is_told = section_of_tag(words) in (*LISTED, Section.GUIDE) or effects.named_change(words) is Change.ACTION
        is_told |= effects.stated_change(words) is Change.REMOVED
        if (is_told and atom.item.is_entry) or is_marked(replace(entry, atoms=(atom,), lead=words, first=atom.item)):
            return True
    return False


def _is_not_done(entry: Run) -> bool:
    """Return whether an entry surely reports a known issue or a plan for a later release."""
    return entry.first.act in NOT_DONE and entry.first.certainty >= _KNOWN


def is_marked(entry: Run) -> bool:
    """Return whether a sign before the entry, or its first words, call it breaking."""
    words = entry.lead
    is_change = (entry.is_listed or entry.title) and entry.first.breaking >= MATTERS and not effects.is_mere_fix(words)
    return has_sign(entry) or bool(is_change and effects.is_called_breaking(words[:_MARK_CHARACTERS]))


def has_sign(entry: Run) -> bool:
    """Return whether a sign before the entry marks it as breaking (bold "Breaking", `feat!:`, "[BREAKING]")."""
    is_bold = entry.atoms[0].words.casefold().lstrip("-+* ").startswith(("breaking** ", "breaking__ "))
    return is_bold or bool(effects.is_signed(entry.lead[:_MARK_CHARACTERS]))


def _first_sentence(entry: Run) -> str:
    """Return the words up to the first full stop after the title."""
    end = entry.lead.find(". ", len(entry.title) + 2 if entry.title else 0)
    return entry.lead if end < 0 else entry.lead[:end]
