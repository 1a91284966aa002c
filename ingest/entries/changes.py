"""Which entries matter to who upgrades, and how: what their section promises weighed against what they say."""

import re
from dataclasses import replace

from corpus import effects
from corpus.everyday_words import is_english
from corpus.happenings import NOT_DONE, asserted, first_act
from corpus.item_sentences import is_advice, secures, unsecured
from corpus.model import LISTED, QUIET, Act, Change, Section
from corpus.plain_words import without_names
from corpus.sections import section_of_tag, section_of_title
from corpus.symbols import ADVISORY, find_symbols
from corpus.versions import Version
from ingest.entries.runs import Run

_MARK_CHARACTERS = 240
_USED = re.compile(r"support|deprecated", re.IGNORECASE)
_PARTS = re.compile(r"\b(?:argument|parameter|option|flag|keyword|attribute|method|function|field|header)s?\b", re.I)
_FIXES = re.compile(r"\bfix(?:es|ed)?\b", re.IGNORECASE)
_FAULTS = re.compile(r"\W*(?:bugs?|defects?|faults?)\W*", re.IGNORECASE)
_SURE = frozenset({Change.REQUIREMENT, Change.DEPRECATED})
_SURELY, _SURELY_NOTHING = 0.7, 0.9  # Chosen by hand, never fitted.
LIKELY, _LIKELIER = 0.2, 0.3
"""The learned probability that an item breaks, from which on what words leave open is taken to break. Measured on the
labelled bumps (docs/decisions/0011)."""
_TELLING, _PLAINLY, _HARDLY = 0.85, 0.97, 0.01
"""From which learned probability on an entry of a section that promises nothing does something to who upgrades, and one
with a title of its own; below which patterns are wrong that say so (docs/decisions/0011)."""
_SILENT = frozenset({Section.OPEN, Section.MIXED, Section.ALTERED, Section.SUMMARY})


def security_of(entry: Run) -> bool:
    """Return whether an entry tells of a vulnerability that the release fixes."""
    if entry.section in LISTED or _isnt_done(entry):
        return False
    is_below = Section.SECURITY in (entry.section, section_of_title(entry.title) if entry.title else None)
    tagged = entry.atoms[0].sign or section_of_tag(entry.lead)
    is_fix = tagged is Section.SECURITY or bool(_FIXES.search(entry.heading[-1])) or not is_english(entry.lead)
    is_fix &= is_below and entry.is_listed and entry.first.act not in (Act.ADDED, Act.DEFAULT, Act.REVERTED)
    if is_fix or ADVISORY.search(entry.lead):
        return not unsecured(_first_sentence(entry))
    return any(secures(atom.item, atom.words, is_below=is_below) for atom in entry.atoms[: None if is_below else 1])


def change_of(entry: Run, release: Version | None, *, has_lists: bool, has_marks: bool) -> Change | None:
    """Return what an entry does to who upgrades to `release`; None where it does nothing of the kind, or only speaks
    about it or plans it.

    `has_lists`: its release's notes list what breaks in sections of its own, so that other entries must be plain to
    count; `has_marks`: its document marks the entries that break, so that a section of changes alone proves nothing.
    """
    words = entry.lead
    if _isnt_done(entry):
        # A plan that reads as a deprecation is one: the thing goes later.
        is_deprecated = entry.section is Section.DEPRECATED or effects.stated_change(words) is Change.DEPRECATED
        return Change.DEPRECATED if is_deprecated else None
    kept = asserted(words, release)
    # A dash behind a label is no word that is left out.
    words = kept if kept and kept.split() != [word for word in words.split() if word not in "-–—"] else words
    entry = replace(entry, lead=words)
    is_step = entry.section is Section.GUIDE and effects.is_order(words)
    is_aside = is_advice(words) and not (entry.is_listed and entry.section is Section.DEPRECATED)
    if is_step or (is_aside and effects.named_change(words) is None):
        return None
    if entry.section in LISTED:
        if not entry.is_listed:
            return effects.stated_change(words)
        if entry.section is Section.DEPRECATED:
            return Change.DEPRECATED
        named = effects.named_change(words)
        if entry.section is not Section.REMOVED:
            return named or Change.BREAKS
        # "Support for Python 3.7" under "Removed" leaves the verb to its heading.
        change = named or effects.named_change(f"Removed {words}")
        return change if change in (Change.REQUIREMENT, Change.DEFAULT) else Change.REMOVED
    if has_lists and entry.section in (Section.SUMMARY, Section.POINTER):
        return None
    if entry.section is Section.POINTER or is_marked(entry):
        return effects.named_change(words) or Change.BREAKS
    if effects.is_mere_fix(words) or first_act(words, release)[0] is Act.REVERTED:
        return None
    likely, chance = entry.likely
    is_silent = entry.section in _SILENT
    if is_silent and not entry.title and chance < _HARDLY:
        return None
    stated = effects.stated_change(_main_words(entry))
    is_used = bool(_USED.search(without_names(words)))
    is_chore = entry.first.act in (Act.OTHER, Act.FIXED) and entry.first.breaking < LIKELY
    if entry.section in QUIET:
        # A project's housekeeping matters to users only where it removes or deprecates something they use.
        return stated if (is_used if stated is Change.REMOVED else entry.first.act is not Act.OTHER) else None
    if entry.section is Section.FIX:
        # Below "Bug" stand the titles of issues, which tell the fault.
        if _FAULTS.fullmatch(entry.heading[-1]):
            return None
        # What a project tags as a bug is a repair.
        fails = stated is Change.BREAKS and entry.first.breaking >= LIKELY and not section_of_tag(words)
        return stated if stated in _SURE or fails else None
    is_sure = chance >= (_PLAINLY if entry.title else _TELLING) and not effects.is_own_house(entry.title or words)
    if is_silent and entry.is_listed and is_sure and not has_lists:
        return stated if stated in (*_SURE, Change.REMOVED) else likely
    if is_chore and not is_used and entry.section in (Section.OPEN, Section.MIXED) and effects.is_order(words):
        return None
    if stated is not None:
        return stated
    is_new = entry.section in (Section.FEATURE, Section.MIXED)
    named = effects.named_change(words)
    if is_new and (named is Change.DEFAULT or (named and "renamed to" in _first_sentence(entry))):
        return named
    if is_new or effects.is_addition(_first_sentence(entry)) or effects.is_own_house(entry.title or words):
        return None
    return _altered(entry, has_lists=has_lists, has_marks=has_marks)


def _isnt_done(entry: Run) -> bool:
    """Return whether an entry surely tells a known issue, or what a later release is to do."""
    return entry.first.act in NOT_DONE and entry.first.certainty >= _SURELY


def is_marked(entry: Run) -> bool:
    """Return whether the entry itself says that it breaks."""
    words = entry.lead
    is_change = (entry.is_listed or entry.title) and entry.first.breaking >= LIKELY and not effects.is_mere_fix(words)
    return has_sign(entry) or bool(is_change and effects.is_called_breaking(words[:_MARK_CHARACTERS]))


def has_sign(entry: Run) -> bool:
    """Return whether a sign before the entry, one that other entries lack on purpose, marks it as breaking."""
    is_bold = entry.atoms[0].words.casefold().lstrip("-+* ").startswith(("breaking** ", "breaking__ "))
    return is_bold or bool(effects.is_signed(entry.lead[:_MARK_CHARACTERS]))


def _altered(entry: Run, *, has_lists: bool, has_marks: bool) -> Change | None:
    """What an entry of a section that promises nothing does; the sections of changes promise that something differs."""
    stated = effects.named_change(entry.lead)
    if entry.section is Section.ALTERED and entry.is_listed:
        # "Change:" before an entry is only a label.
        is_likely = entry.first.breaking >= _LIKELIER and not (has_lists or has_marks or section_of_tag(entry.lead))
        return stated or (Change.BREAKS if is_likely else None)
    titles = (title.strip(" :.*_#").casefold().split() for title in entry.heading)
    of_changes = any(title[-1:] == ["changes"] and len(title) <= 2 and title[0].isalnum() for title in titles)
    if entry.section is Section.GUIDE and entry.title:
        # Steps that only prepare, check or undo the move are no change.
        differs = entry.first.breaking >= LIKELY or " now " in entry.lead
        return stated or (Change.BREAKS if differs and not effects.is_addition(entry.lead) else None)
    is_changed = entry.title and of_changes and (stated or effects.is_shift(entry.lead))
    if is_changed or entry.section is Section.INTERFACE:
        return stated or Change.BREAKS
    first = next((atom.words for atom in entry.atoms if not atom.is_code), "")
    # A change in looks or behaviour that names no code breaks nobody.
    is_named = "`" in first or "renamed to" in first or _PARTS.search(first) or find_symbols(first)
    tells = entry.first.act is not Act.OTHER or entry.first.certainty < _SURELY_NOTHING
    is_told = effects.named_change(entry.title) or (tells and (entry.title or is_named))
    is_used = of_changes or stated is not Change.BREAKS or is_told
    return stated if is_used and entry.is_listed and (of_changes or not has_lists) else None


def _main_words(entry: Run) -> str:
    """Return the words in which an entry of another section would state its change: not the aside of something new."""
    first = _first_sentence(entry)
    if entry.title and not effects.named_change(entry.title):
        return first
    return entry.lead[len(first) :] if effects.is_addition(first) else entry.lead


def _first_sentence(entry: Run) -> str:
    """Up to the first full stop after the title."""
    end = entry.lead.find(". ", len(entry.title) + 2 if entry.title else 0)
    return entry.lead if end < 0 else entry.lead[:end]
