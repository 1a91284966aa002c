"""Decide which entries matter to those who upgrade, and how, from their section and their own words."""

import re
from dataclasses import replace

from corpus import effects
from corpus.entry_words import lead_of
from corpus.everyday_words import is_english
from corpus.happenings import NOT_DONE, asserted, first_act
from corpus.item_sentences import is_advice, secures, unsecured
from corpus.model import LISTED, QUIET, Act, Change, Section
from corpus.plain_words import without_names
from corpus.sections import section_of_tag, section_of_title, without_tag
from corpus.symbols import ADVISORY
from corpus.versions import Version
from ingest.entries.runs import Run

_MARK_CHARACTERS = 240
_USED = re.compile(r"support|deprecated", re.IGNORECASE)
_FIXES = re.compile(r"\bfix(?:es|ed)?\b", re.IGNORECASE)
_FAULTS = re.compile(r"\W*(?:bugs?|defects?|faults?)\W*", re.IGNORECASE)
_NEEDS = re.compile(r"\b(?:needs|requires|must)\b")
_SURE = frozenset({Change.REQUIREMENT, Change.DEPRECATED})
_SURELY, _UNLIKELY = 0.7, 0.05  # Chosen by hand, never fitted.
LIKELY, _LIKELIER = 0.2, 0.3
"""Least learned probability of breaking for an entry whose words leave it open; the second without other evidence.
Measured on the labelled bumps (docs/decisions/0011)."""
_TELLING, _PLAINLY, _HARDLY = 0.88, 0.97, 0.008
"""For entries of a section of no kind: the least learned probability that one matters to those who upgrade, the least
if it has a title of its own, and the one below which patterns are overruled (docs/decisions/0011)."""
_SILENT = frozenset({Section.OPEN, Section.MIXED, Section.ALTERED, Section.SUMMARY})


def security_of(entry: Run) -> bool:
    """Return whether an entry reports a vulnerability that the release fixes."""
    if entry.section in LISTED or _is_not_done(entry):
        return False
    is_below = Section.SECURITY in (entry.section, section_of_title(entry.title) if entry.title else None)
    tagged = section_of_tag(entry.lead)
    is_fix = tagged is Section.SECURITY or bool(_FIXES.search(entry.heading[-1])) or not is_english(entry.lead)
    is_fix &= is_below and entry.is_listed and entry.first.act not in (Act.ADDED, Act.DEFAULT, Act.REVERTED)
    if is_fix or any(ADVISORY.search(atom.words) for atom in entry.atoms):
        return not unsecured(_first_sentence(entry))
    return any(secures(atom.item, atom.words, is_below=is_below) for atom in entry.atoms[: None if is_below else 1])


def change_of(entry: Run, release: Version | None, *, has_lists: bool, has_marks: bool) -> Change | None:
    """Return the change that an entry makes for those who upgrade to `release`; None if it makes none, or only plans or
    mentions one. A planned deprecation counts.

    `has_lists`: the release's notes have separate sections for what breaks, so an entry elsewhere needs clearer words;
    `has_marks`: the document marks the entries that break, so being in a section of changes is no evidence.
    """
    tagged, is_called = section_of_tag(entry.lead), is_marked(entry)
    words = without_tag(entry.lead) if entry.is_listed and not entry.title else entry.lead
    if _is_not_done(entry):
        # A plan that reads as a deprecation is one: the feature will be removed later.
        is_deprecated = entry.section is Section.DEPRECATED or effects.stated_change(words) is Change.DEPRECATED
        return Change.DEPRECATED if is_deprecated else None
    words = asserted(words, release) or words
    entry = replace(entry, lead=words)
    is_step = entry.section is Section.GUIDE and effects.is_order(words)
    is_aside = is_advice(words) and not (entry.is_listed and entry.section is Section.DEPRECATED)
    if is_step or (is_aside and effects.named_change(words) is None):
        return None
    if entry.section in LISTED and not entry.is_listed:
        return effects.stated_change(words)
    if has_lists and entry.section in (Section.SUMMARY, Section.POINTER):
        return None
    if entry.section in LISTED or entry.section is Section.POINTER or is_called:
        return _change_as_listed(entry)
    if effects.is_mere_fix(words) or first_act(words, release)[0] is Act.REVERTED:
        return None
    likely, chance = entry.likely
    is_silent = entry.section in _SILENT
    if is_silent and not entry.title and chance < _HARDLY:
        return None
    stated = effects.stated_change(_main_words(entry))
    if entry.section in QUIET:
        # A project's housekeeping matters to users only if it removes or deprecates something that they use.
        is_used = _USED.search(without_names(words)) if stated is Change.REMOVED else entry.first.act is not Act.OTHER
        return stated if is_used else None
    if entry.section is Section.FIX:
        # Entries under "Bug" are titles of issues, which describe the fault.
        if _FAULTS.fullmatch(entry.heading[-1]):
            return None
        # An entry that the project tags as a bug is a fix.
        fails = stated is Change.BREAKS and entry.first.breaking >= LIKELY and not tagged
        ends = stated is Change.REMOVED and chance >= _TELLING and entry.first.act is not Act.OTHER
        return stated if stated in _SURE or fails or ends else None
    is_sure = chance >= (_PLAINLY if entry.title else _TELLING) and not effects.is_own_house(entry.title or words)
    if is_silent and entry.is_listed and is_sure and not has_lists:
        return stated if stated in (*_SURE, Change.REMOVED) else likely
    is_house = stated is Change.REMOVED and chance < _LIKELIER and not _USED.search(without_names(words))
    if is_house and effects.is_order(words) and entry.section in (Section.OPEN, Section.MIXED):
        return None
    if stated is not None:
        return stated
    is_new = entry.section in (Section.FEATURE, Section.MIXED)
    named = effects.named_change(words)
    if is_new and (named is Change.DEFAULT or (named and "renamed to" in _first_sentence(entry))):
        return named
    # "New: every call needs an open handle".
    clause = _first_sentence(entry).partition(",")[0]
    is_needed = effects.named_change(clause) is Change.ACTION or _NEEDS.search(without_names(clause))
    if is_new and is_needed and not entry.title and chance >= _SURELY:
        return likely
    if is_new or effects.is_addition(_first_sentence(entry)) or effects.is_own_house(entry.title or words):
        return None
    # A tag "Change:" before an entry is only a label.
    return _change_by_section(entry, has_lists=has_lists, has_marks=has_marks or tagged is not None)


def _change_as_listed(entry: Run) -> Change | None:
    """Return the change of an entry that its section or a sign lists as one; None if its own words say that something
    was only added, or report no change."""
    named, act = effects.named_change(entry.lead), entry.first.act
    if entry.section in LISTED - {Section.BREAKS}:
        is_nothing = act is Act.ADDED and bool(effects.is_addition(entry.lead))
    else:
        is_nothing = effects.breaks_nobody(entry.lead) is not None and entry.likely[1] < LIKELY
    if named is None and is_nothing and not entry.title:
        return None
    if entry.section is Section.REMOVED:
        ends = named is Change.DEPRECATED and act is Act.DEPRECATED
        return named if ends or named in (Change.REQUIREMENT, Change.DEFAULT) else Change.REMOVED
    if entry.section is Section.DEPRECATED:
        is_gone = act in (Act.REMOVED, Act.REQUIRES) and named in (Change.REMOVED, Change.REQUIREMENT)
        return named if is_gone else Change.DEPRECATED
    return named or Change.BREAKS


def breaks_below(entry: Run) -> bool:
    """Return whether a bullet nested in an entry is about an end or a step to take, or a later sentence calls it
    breaking."""
    for atom in () if entry.title or _is_not_done(entry) else entry.atoms[1:]:
        words = lead_of([atom.words])
        is_told = section_of_tag(words) in (*LISTED, Section.GUIDE) or effects.named_change(words) is Change.ACTION
        is_told |= effects.stated_change(words) is Change.REMOVED and not effects.is_order(words)
        if (is_told and atom.item.is_entry) or is_marked(replace(entry, atoms=(atom,), lead=words, first=atom.item)):
            return True
    return False


def _is_not_done(entry: Run) -> bool:
    """Return whether an entry surely reports a known issue or a plan for a later release."""
    return entry.first.act in NOT_DONE and entry.first.certainty >= _SURELY


def is_marked(entry: Run) -> bool:
    """Return whether a sign before the entry, or its first words, call it breaking."""
    words = entry.lead
    is_change = (entry.is_listed or entry.title) and entry.first.breaking >= LIKELY and not effects.is_mere_fix(words)
    return has_sign(entry) or bool(is_change and effects.is_called_breaking(words[:_MARK_CHARACTERS]))


def has_sign(entry: Run) -> bool:
    """Return whether a sign before the entry marks it as breaking (bold "Breaking", `feat!:`, "[BREAKING]")."""
    is_bold = entry.atoms[0].words.casefold().lstrip("-+* ").startswith(("breaking** ", "breaking__ "))
    return is_bold or bool(effects.is_signed(entry.lead[:_MARK_CHARACTERS]))


def _change_by_section(entry: Run, *, has_lists: bool, has_marks: bool) -> Change | None:
    """Return the change of an entry whose own words leave it open, from its section and headings; None if none."""
    stated = effects.named_change(entry.lead)
    is_lost = "can no longer" in entry.lead
    is_defect = "no longer" in entry.lead and not (is_lost or entry.title) and entry.likely[1] < LIKELY
    if is_defect and stated is Change.BREAKS and entry.section is not Section.INTERFACE:
        return None
    if entry.section is Section.ALTERED and entry.is_listed:
        is_likely = entry.first.breaking >= _LIKELIER and not (has_lists or has_marks)
        return stated or (Change.BREAKS if is_likely else None)
    titles = (title.strip(" :.*_#").casefold().split() for title in entry.heading)
    is_of_changes = any(title[-1:] == ["changes"] and len(title) <= 2 and title[0].isalnum() for title in titles)
    if entry.section is Section.GUIDE and entry.title:
        # Steps that only prepare, check or undo the upgrade are no change.
        differs = entry.first.breaking >= LIKELY or " now " in entry.lead
        return stated or (Change.BREAKS if differs and not effects.is_addition(entry.lead) else None)
    is_changed = entry.title and is_of_changes and (stated or effects.is_shift(entry.lead))
    if is_changed or entry.section is Section.INTERFACE:
        return stated or Change.BREAKS
    is_used = is_of_changes or stated is not Change.BREAKS or entry.title or entry.likely[1] >= _UNLIKELY
    return stated if is_used and entry.is_listed and (is_of_changes or not has_lists) else None


def _main_words(entry: Run) -> str:
    """Return the lead without a first sentence on an addition; only the first one if a title states no change."""
    first = _first_sentence(entry)
    if entry.title and not effects.named_change(entry.title):
        return first
    return entry.lead[len(first) :] if effects.is_addition(first) else entry.lead


def _first_sentence(entry: Run) -> str:
    """Return the words up to the first full stop after the title."""
    end = entry.lead.find(". ", len(entry.title) + 2 if entry.title else 0)
    return entry.lead if end < 0 else entry.lead[:end]
