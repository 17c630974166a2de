from pathlib import Path

import numpy as np
import pytest

from fewlabels import FewlabelsError, FewlabelsWarning
from fewlabels.tabular.counted import counting_columns, refuse_repeated, said_of_counting


def test_columns_that_number_the_rows_are_found_wherever_they_stand():
    x = np.array([0.5, 0.1, 0.9, 0.3])
    up, mixed = np.arange(4.0), np.array([7.0, 3.0, 9.0, 1.0])
    assert counting_columns(np.c_[x, up], ["x", "row"]) == [1]
    assert counting_columns(np.c_[up + 1, x, up], ["a", "b", "c"]) == [0, 2]
    assert counting_columns(np.c_[mixed, x], ["index", "x"]) == [0]
    assert counting_columns(np.c_[mixed, x], ["size", "x"]) == []
    assert counting_columns(np.c_[up + 2, x, [1.0, 1.0, 2.0, 3.0]], ["a", "x", "row"]) == []
    assert counting_columns(np.c_[up, up], ["a", "b"]) == [0]
    assert counting_columns(up[:, None], ["row"]) == []
    assert counting_columns(np.array([[0.0, 3.0], [1.0, 4.0]]), ["a", "b"]) == []


def test_what_becomes_of_them_is_said():
    for names, as_id, said in (
        (["n"], True, r"column \(n\) only counts the rows, so it is taken as the id"),
        (["n"], False, r"column \(n\) only counts the rows, so it is left out"),
        (["n", ""], False, r"columns \(n, without a name\) only count the rows, so they are left out"),
    ):
        with pytest.warns(FewlabelsWarning, match=said):
            said_of_counting(Path("t.csv"), names, as_id)


def test_ids_must_tell_points_apart():
    refuse_repeated(Path("t.csv"), None)
    refuse_repeated(Path("t.csv"), ["a", "b", 1])
    with pytest.raises(FewlabelsError, match=r"id 'a' stands in row 0 and in row 2; make the ids differ.*--id"):
        refuse_repeated(Path("t.csv"), ["a", "b", "a "])
    with pytest.raises(FewlabelsError, match="the id of row 1 is neither text nor a number"):
        refuse_repeated(Path("t.csv"), ["a", ["b"]])
