import pytest

from fewlabels.cli.common import BAD_INPUT, complain, listed


def test_a_complaint_is_one_line_on_standard_error_and_an_exit_code(capsys):
    assert complain("x.csv: no such file.", BAD_INPUT) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "fewlabels: x.csv: no such file.\n")


@pytest.mark.parametrize(
    ("text", "parts"), [("", []), (",, ,", []), ("a", ["a"]), (" a b ,c,,", ["a b", "c"]), ("1,1", ["1", "1"])]
)
def test_lists_have_commas_and_empty_parts_do_not_count(text, parts):
    assert listed(text) == parts
