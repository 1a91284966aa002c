"""Bytes to text, whatever their encoding: what is read exactly, what is guessed, what is refused."""

import contextlib

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import SourceError
from ingest.formats.encodings import decode

FRENCH = (
    "# Gizmo – journal\n\n## 2.1.0 (2026-03-02)\n\n- Ajouté : la manivelle accepte une force, même à l’arrêt.\n"
    "- Supprimé : l’option --soft, dépréciée depuis la version 1.\n"
)
GERMAN = (
    "# Änderungen an Gizmo\n\n## 2.1.0 (2026-03-02)\n\n- Hinzugefügt: eine Kurbel für größere Kräfte.\n"
    "- Entfernt: die Option --soft für Übergänge.\n"
)
POLISH = (
    "# Gizmo: zmiany\n\n## 2.1.0\n\n- Dodano: korba przyjmuje siłę w niutonach, także gdy dźwignia się zatrzyma.\n"
    "- Usunięto: przestarzałą opcję --soft.\n"
)
RUSSIAN = "# Гизмо\n\n## 2.1.0\n\n- Добавлен аргумент силы для рычага.\n- Удалена устаревшая опция --soft.\n"
JAPANESE = (
    "# ギズモ 変更履歴\n\n## 2.1.0\n\n- レバーに力の引数を追加しました①。\n- 古いオプション --soft を削除しました。\n"
)
CHINESE = "# 齿轮 更新日志\n\n## 2.1.0\n\n- 新增杠杆的力参数。\n- 移除了旧的 --soft 选项。\n"
TAIWANESE = "# 齒輪 更新紀錄\n\n## 2.1.0\n\n- 新增槓桿的力參數。\n- 移除了舊的 --soft 選項。\n"
KOREAN = "# 기즈모 변경 사항\n\n## 2.1.0\n\n- 레버에 힘 인수를 추가했습니다.\n- 오래된 --soft 옵션을 제거했습니다.\n"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "\ufeff" + GERMAN),
        ("latin_1", GERMAN),
        ("cp1252", FRENCH),
        ("iso8859_15", GERMAN),
        ("mac_roman", GERMAN),
        ("cp1250", POLISH),
        ("iso8859_2", POLISH),
        ("cp1251", RUSSIAN),
        ("koi8_r", RUSSIAN),
        ("cp866", RUSSIAN),
        ("iso8859_5", RUSSIAN),
        ("cp932", JAPANESE),
        ("shift_jis", JAPANESE.replace("①", "")),
        ("euc_jp", JAPANESE.replace("①", "")),
        ("iso2022_jp", JAPANESE.replace("①", "")),
        ("gb18030", CHINESE),
        ("gbk", CHINESE),
        ("big5", TAIWANESE),
        ("euc_kr", KOREAN),
        ("utf-16", JAPANESE),
        ("utf-16-le", JAPANESE),
        ("utf-16-be", CHINESE),
        ("utf-32", FRENCH),
        ("utf-32-le", KOREAN),
        ("utf-32-be", RUSSIAN),
    ],
)
def test_notes_of_every_encoding_are_read_exactly(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(("encoding", "head"), read_rows("ingest-a-stated-encoding-goes-before-a-guess"))
def test_a_stated_encoding_goes_before_a_guess(encoding: str, head: str) -> None:
    text = head + "\nЛя."
    assert decode(text.encode(encoding)) == text


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), st.sampled_from(["16", "32"]))
def test_utf16_and_utf32_of_notes_need_no_mark(line: str, width: str) -> None:
    text = f"# Kettle 1.2\n\n- Fixed a leak.\n- {line}\n"
    for order in ("le", "be"):
        assert decode(text.encode(f"utf-{width}-{order}")) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_a_marked_encoding_is_read_exactly(text: str) -> None:
    assert decode(text.encode("utf-16")) == text
    assert decode(text.encode("utf-32")) == text


@given(st.binary(max_size=400), st.sampled_from([b"", b"\xff\xfe", b"\x1b$B", b"<meta charset=big5>", b"a\0b\0"]))
def test_no_bytes_end_in_anything_but_an_error_of_ours(content: bytes, start: bytes) -> None:
    with contextlib.suppress(SourceError):
        # No half of a character, and none that the bytes don't hold.
        assert len(decode(start + content).encode("utf-32-le")) <= 4 * len(start + content)
