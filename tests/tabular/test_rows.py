import pytest

from fewlabels import FewlabelsError
from fewlabels.tabular.rows import delimiter_of, is_number, read_parquet, text_lines, text_rows


@pytest.mark.parametrize(("first", "delimiter"), [("a,b;c,d", ","), ("a;b;c,d", ";"), ("a\tb c", "\t"), ("a", ",")])
def test_the_first_line_tells_the_separator(first, delimiter, tmp_path):
    (tmp_path / "t.csv").write_text(f"{first}\n1,2,3;4;5\t\t\t\n")
    assert delimiter_of(tmp_path / "t.csv") == delimiter


def test_rows_know_the_line_they_end_on(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'\xef\xbb\xbfid,text\n1,"two\nlines"\n\n2,"a ""b"""\n')
    rows = list(text_rows(tmp_path / "t.csv", ","))
    assert rows == [(1, ["id", "text"]), (3, ["1", "two\nlines"]), (4, []), (5, ["2", 'a "b"'])]
    assert next(text_lines(tmp_path / "t.csv")) == "id,text\n"


def test_files_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"caf\xe9\n")
    with pytest.raises(FewlabelsError, match=r"latin\.csv: is not UTF-8 text"):
        list(text_rows(tmp_path / "latin.csv", ","))
    with pytest.raises(FewlabelsError, match=r"gone\.csv: cannot be read"):
        list(text_lines(tmp_path / "gone.csv"))
    (tmp_path / "t.parquet").write_text("no table")
    with pytest.raises(FewlabelsError, match=r"t\.parquet: not a readable \.parquet file"):
        read_parquet(tmp_path / "t.parquet")


def test_what_reads_as_a_number():
    assert [is_number(cell) for cell in ("1", " -2.5e3 ", "nan", "007", "", "1,5", "x")] == [True] * 4 + [False] * 3
