import pytest

from fewlabels.tabular.dialect import Dialect, dialect_of


@pytest.mark.parametrize(
    ("first", "delimiter"), [("a,b;c,d", ","), ("a;b;c,d", ";"), ("a\tb c", "\t"), ("a", ","), ("New York", ",")]
)
def test_the_first_line_tells_the_separator(first, delimiter):
    assert dialect_of([first, "1,2,3;4;5\t\t\t"]) == Dialect(delimiter)


@pytest.mark.parametrize("lines", [["x;y", "1,5;2"], ["1,5;2,5", "3,5;4"], ["1,5\t2", "1e3\t-,5E-3"]])
def test_commas_between_digits_are_decimals_where_something_else_separates(lines):
    found = dialect_of(lines)
    assert found.decimal == ","
    assert found.delimiter in ";\t"
    assert float(found.plain("1,5")) == 1.5


def test_blanks_separate_numbers_and_never_words():
    assert dialect_of(["# x y", "1e0 -2", "", "3   4"]).delimiter == " "
    assert dialect_of(["1 2 3"]).delimiter == " "
    for lines in (["New York", "Rome 2"], ["1 2", "3"], ["5", "6"], ["a 1", "b 2"]):
        assert dialect_of(lines) == Dialect(","), lines
    rows = list(Dialect(" ").rows(["#x  y\n", " 1 2 \n", "\n"]))
    assert rows == [(1, ["x", "y"]), (2, ["1", "2"]), (3, [])]


def test_what_reads_as_a_number():
    cells = ("1", " -2.5e3 ", "nan", "007", "", "1,5", "x", "1_000")
    assert [Dialect().is_number(cell) for cell in cells] == [True] * 4 + [False] * 4
    assert [Dialect().is_finite(cell) for cell in ("1", "nan", "-inf", "x")] == [True, False, False, False]
