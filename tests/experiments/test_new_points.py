from dataclasses import replace

import pytest
from gallery import points
from trials import asked

from fewlabels import FewlabelsError
from fewlabels.datasets import load_dataset
from fewlabels.experiments import Setting, Store, Subject
from fewlabels.experiments.new_points import NEW_POINTS

pytestmark = pytest.mark.usefixtures("blob_data")


def setting(folder, data):
    request = asked(folder, "new-points", datasets=["blobs"], trials=3)
    return Setting(NEW_POINTS, request, Store(request.store), "blobs", {"blobs": Subject(data)})


def test_new_points_of_classes_far_apart_are_predicted_as_a_fit_with_them_labels_them(tmp_path):
    table, figure = NEW_POINTS.tabulate(setting(tmp_path, load_dataset("blobs")))
    assert figure is None
    assert table.columns == ["12 new points"], "a seventh of 90"
    for row in ("agreement with refitting", "accuracy", "accuracy, refitted"):
        assert table.entry(row, "12 new points").values == (100.0,) * 3


def test_labels_without_relation_to_the_features_are_predicted_no_better_than_by_chance(tmp_path):
    data = load_dataset("blobs")
    mixed = replace(data, features=points(90, 3))
    table, _ = NEW_POINTS.tabulate(setting(tmp_path, mixed))
    assert table.entry("accuracy", "12 new points").mean < 70


def test_a_data_set_without_features_is_refused(tmp_path):
    with pytest.raises(FewlabelsError, match="new points need features"):
        NEW_POINTS.tabulate(setting(tmp_path, replace(load_dataset("blobs"), features=None)))
