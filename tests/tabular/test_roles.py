from pathlib import Path

import pytest

from fewlabels import FewlabelsError
from fewlabels.tabular.dialect import Dialect
from fewlabels.tabular.roles import Asked, Roles, is_header, roles_of

HERE = Path("table.csv")


@pytest.mark.parametrize(
    ("first", "second", "header"),
    [
        (["x", "y"], ["1", "2"], True),
        (["1", "2"], ["3", "4"], False),
        (["0", "1"], ["3", "4"], True),
        (["", "0", "1"], ["7", "3", "4"], True),
        (["a1", "2"], ["a2", "3"], False),
        (["id", "2"], ["a2", "3"], True),
    ],
)
def test_what_is_a_header(first, second, header):
    assert is_header(first, second, Dialect()) == header


def test_columns_have_the_role_of_their_name_or_the_one_asked_for():
    names, texts = ["paper", "x", "label", "user_id", "note"], ["", "", "ant", "", "word"]
    with pytest.raises(FewlabelsError, match="'note' holds 'word', which is not a number"):
        roles_of(HERE, names, Asked(), texts)
    assert roles_of(HERE, names, Asked(keep_text=True), texts) == Roles(3, [2], [4], [0, 1])
    asked = Asked(id="paper", label="x", text="note")
    with pytest.raises(FewlabelsError, match="has no column of numbers"):
        roles_of(HERE, names, asked, texts)
    assert roles_of(HERE, ["first", "x"], Asked(), ["word", ""]) == Roles(0, [], [], [1])
