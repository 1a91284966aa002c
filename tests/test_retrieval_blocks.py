"""An answer in blocks: nothing of a document in it comes to life in Markdown."""

from dataclasses import replace

from answer_contract import CODE_SPAN, html_in, markers, shown_markers
from hypothesis import example, given
from hypothesis import strategies as st
from page_answers import told

from retrieval.blocks import Blocks, Closing, More, code_line, markdown_of, name_of, safe, words_of
from retrieval.quoting.wording import fit_sentences, shorten

HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            ["[", "]", "[1]", "[99]", "[<b>1]", "<", ">", "<b>", "</b>", "<a b='", "`", "``", "```", "](", "!", "\\"]
        ),
        st.sampled_from(["0", "7", "12", " ", "x", "\u202e", "\u2028", "٣", "(", ")", "*", "^"]),
        st.text(max_size=6),
    ),
    max_size=40,
).map("".join)


PIECES = st.lists(HOSTILE, min_size=4, max_size=4)


@given(PIECES)
@example(["`<a [1]`<b \\`<b>`"] * 4)
@example(["[<a [1]>2]", "[[1]2][<i>3</i>]", "[1]`[2]``[3]", "**"])
def test_nothing_but_our_markers_lives_whatever_is_told(pieces: list[str]) -> None:
    lead, speaker, text, code = (" ".join(piece.split()) for piece in pieces)
    statement = replace(told(text, 4, speaker=speaker), code=code_line(code))
    blocks = Blocks(
        words_of(lead),
        (statement, replace(statement, verdict="No", opening=words_of("Removed in "), leads=True)),
        aside=name_of(code),
        closing=Closing(2, More(speaker)),
    )
    for one in (blocks, replace(blocks, leads_on=True)):
        written = markdown_of(one)
        assert not html_in(written)
        assert markers(written) == shown_markers(one) == (4, 4)
        assert "](" not in CODE_SPAN.sub("", written)


@given(HOSTILE, st.integers(1, 60))
def test_only_our_own_markers_are_left_of_what_is_cut(text: str, limit: int) -> None:
    cut_before = safe(shorten(text, max_characters=limit))
    cut_after = shorten(safe(text), max_characters=limit)
    cut_to_a_clause = fit_sentences(safe(text), max_characters=limit)
    for said in (cut_before, cut_after, cut_to_a_clause):
        assert markers(" ".join(f"{said} [4]".split())) == (4,)
