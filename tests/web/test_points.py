import json

import numpy as np
import scipy.sparse as sp

from fewlabels.web.points import MOST_COLUMNS, MOST_OF_TEXT, Points


def test_a_face_is_text_alone(points):
    assert points.kind == "image"
    assert points.face(0) == {
        "node": 0,
        "id": "p0",
        "text": "point 0 of <b>ant</b>",
        "columns": [["place", "row 0"]],
        "image": True,
    }
    assert not points.face(9)["image"]


def test_features_are_shown_where_nothing_else_tells_what_a_point_is():
    X = np.array([[1.5, 2.0], [np.pi, 1e9]])
    plain = Points("X", X)
    assert (plain.kind, plain.face(1)["columns"]) == ("columns", [["0", "3.14159"], ["1", "1e+09"]])
    assert Points("X", sp.csr_array(X)).face(0)["columns"] == [["0", "1.5"], ["1", "2"]]
    assert Points("X", X, feature_names=["", "age"]).face(0)["columns"] == [["age", "2"]]
    assert Points("X", X, text=["a", "b"]).face(0)["columns"] is None
    assert Points("X", X, show_features=False).face(0)["columns"] is None
    assert len(Points("X", np.zeros((2, 900))).face(0)["columns"]) == MOST_COLUMNS


def test_odd_cells_can_be_sent():
    points = Points("X", np.zeros((2, 1)), [None, "\ud800"], ["x" * 10**6, None], {"n": [float("nan"), 3]})
    faces = [points.face(row) for row in range(2)]
    assert len(faces[0]["text"]) == MOST_OF_TEXT + 1
    assert (faces[1]["id"], faces[1]["text"], faces[0]["columns"]) == ("?", "", [["n", "nan"]])
    json.dumps(faces).encode()


def test_search_looks_into_ids_and_texts_whatever_the_case(points):
    assert list(points.found("P15")) == [15, *range(150, 160)]
    assert len(list(points.found("OF <B>CAT"))) == 40
    assert list(points.found("nowhere")) == []
    assert list(Points("X", np.zeros((30, 1))).found("29")) == [29]
