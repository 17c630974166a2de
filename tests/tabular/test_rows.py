import pytest

from fewlabels import FewlabelsError
from fewlabels.tabular.dialect import Dialect
from fewlabels.tabular.rows import dialect_in, read_parquet, text_lines, text_rows, whole_numbers


def test_rows_know_the_line_they_end_on(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'\xef\xbb\xbfid,text\n1,"two\nlines"\n\n2,"a ""b"""\n')
    rows = list(text_rows(tmp_path / "t.csv", dialect_in(tmp_path / "t.csv")))
    assert rows == [(1, ["id", "text"]), (3, ["1", "two\nlines"]), (4, []), (5, ["2", 'a "b"'])]
    assert next(text_lines(tmp_path / "t.csv")) == "id,text\n"


def test_files_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"caf\xe9\n")
    with pytest.raises(FewlabelsError, match=r"latin\.csv: is not UTF-8 text"):
        list(text_rows(tmp_path / "latin.csv", Dialect()))
    with pytest.raises(FewlabelsError, match=r"gone\.csv: cannot be read"):
        list(text_lines(tmp_path / "gone.csv"))
    (tmp_path / "t.parquet").write_text("no table")
    with pytest.raises(FewlabelsError, match=r"t\.parquet: not a readable \.parquet file"):
        read_parquet(tmp_path / "t.parquet")


def test_decimals_that_only_blanks_made_are_whole_again():
    nan = float("nan")
    assert str(whole_numbers([3.0, None, nan])) == "[3, None, nan]"
    for cells in ([3.0, 4.5], ["3.0"], [None], [float("inf")], []):
        assert whole_numbers(cells) == cells
