"""What is read of a claim and of evidence: figures, words of status, names."""

import pytest

from retrieval.claims.aspects import Aspect, excludes, read_aspects
from retrieval.claims.assertion import name_class
from retrieval.claims.figures import read_figures
from retrieval.claims.names import is_denied, stands_in

FIGURES = {
    "a unit": ("71% smaller", [("71", "%", "")]),
    "a unit in words": ("three times faster", [("3", "x", "")]),
    "thousands": ("2,926 commits", [("2926", "", "")]),
    "a version of something": ("needs Python 3.10 or newer", [("3.10", "", "python")]),
    "a list of versions": (
        "Python 3.8, 3.9 and 3.10",
        [("3.8", "", "python"), ("3.9", "", "python"), ("3.10", "", "python")],
    ),
    "a range": ("10-60% faster", [("10", "%", ""), ("60", "%", "")]),
    "between": ("between 20 and 90%", [("20", "%", ""), ("90", "%", "")]),
    "glued to its unit": ("only 2D parameters", [("2", "d", "only")]),
    "not in a name": ("float8_e8m0fnu and #123", []),
}


@pytest.mark.parametrize(("text", "figures"), FIGURES.values(), ids=FIGURES.keys())
def test_figures_are_read_with_unit_and_thing(text: str, figures: list[tuple[str, str, str]]) -> None:
    assert [(one.text, one.unit, one.thing) for one in read_figures(text)] == [
        (number, unit, "" if thing == "only" else thing) for number, unit, thing in figures
    ]


RIVALS = {
    "one unit": ("51% smaller", "71% smaller", True),
    "one thing": ("needs Python 3.10", "requires Python 3.9", True),
    "counted alike": ("20 external contributors", "35 external contributors", True),
    "two things": ("needs Python 3.10", "needs SQLite 3.9", False),
    "equal": ("needs Python 3.10", "Python 3.10 or later", False),
    "one unit left out": ("CUDA 13", "CUDA 13.0", False),
}


@pytest.mark.parametrize(("claimed", "told", "are_rivals"), RIVALS.values(), ids=RIVALS.keys())
def test_figures_of_one_thing_are_rivals(claimed: str, told: str, are_rivals: bool) -> None:
    assert read_figures(claimed)[0].is_rival(read_figures(told)[0]) is are_rivals


ASPECTS = {
    "removed": ("Support for x was removed", Aspect.LIFE, {"removed"}),
    "not removed": ("x was not removed", Aspect.LIFE, {"kept"}),
    "no longer supported": ("x is no longer supported", Aspect.LIFE, {"removed"}),
    "will be removed": ("x will be removed in 3.0", Aspect.LIFE, {"planned removal"}),
    "a drop-in is nothing dropped": ("a drop-in replacement", Aspect.LIFE, None),
    "deprecated": ("x is deprecated", Aspect.LIFE, {"deprecated"}),
    "experimental": ("an experimental API", Aspect.STABILITY, {"experimental"}),
    "not experimental any more": ("no longer experimental", Aspect.STABILITY, {"stable"}),
    "off": ('set to "false" by default', Aspect.DEFAULT, {"off by default"}),
    "on": ("enabled by default", Aspect.DEFAULT, {"on by default"}),
    "opt-in": ("opt-in support", Aspect.DEFAULT, {"off by default"}),
    "raising an error raises nothing": ("x raises a TypeError", Aspect.DIRECTION, None),
    "raised": ("the minimum is raised to 3", Aspect.DIRECTION, {"raised"}),
    "not required": ("x is not required", Aspect.NEED, {"optional"}),
}


@pytest.mark.parametrize(("text", "aspect", "values"), ASPECTS.values(), ids=ASPECTS.keys())
def test_words_of_status_are_read_with_what_turns_them(text: str, aspect: Aspect, values: set[str] | None) -> None:
    assert read_aspects(text).get(aspect) == (frozenset(values) if values else None)


def test_values_exclude_each_other_only_where_none_is_shared() -> None:
    assert excludes("removed", frozenset(("deprecated",))) == "deprecated"
    assert excludes("removed", frozenset(("deprecated", "removed"))) is None
    assert excludes("supported", frozenset(("added",))) is None
    assert excludes("fixed", frozenset(("added",))) is None


NAMES = {
    "whole": ("torch.cond", "`torch.cond` is new", True),
    "with blanks for its marks": ("is_capturing", "is capturing is new", True),
    "by its member": ("widget.turn_around", "Added turn_around()", True),
    "not by an ordinary member": ("tool.native", "the native table", False),
    "not within a longer name": ("Pool", "Spooler", False),
    "with a suffix of its own": ("Linux-only", "on Linux alone", True),
}


@pytest.mark.parametrize(("name", "text", "stands"), NAMES.values(), ids=NAMES.keys())
def test_a_name_is_found_as_it_is_written(name: str, text: str, stands: bool) -> None:
    assert stands_in(name, text) is stands


def test_a_name_may_be_denied() -> None:
    assert is_denied("master", "uses 'main', not 'master'")
    assert not is_denied("main", "uses 'main', not 'master'")


def test_only_names_of_one_class_are_mistaken_for_another() -> None:
    assert name_class("Linux") == name_class("windows") != name_class("intel")
    assert name_class("#123") == name_class("#99") != name_class("CVE-2024-1234")
    assert name_class("--flag") != name_class("a_flag") == name_class("module.name")
