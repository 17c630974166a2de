from fewlabels.bench.loop import loop
from fewlabels.bench.record import Report
from fewlabels.datasets import load_dataset


def test_the_loop_is_timed_and_ends_where_a_fresh_fit_does(no_data):
    report = Report("here")
    loop(report, load_dataset("digits"), 2)
    assert [m.name for m in report.measured] == [
        "ours: fit and decide, the solver prepared",
        "ours: add_labels of one label",
        "ours: suggest(5) after it",
        "textbook: one fit",
    ]
    assert all(m.seconds > 0 for m in report.measured)
    told, ratio, _ = report.ratios[0]
    assert ratio == report.measured[3].seconds / report.measured[1].seconds
    assert float(told.split(" on ")[1].rstrip("%)")) > 99.5
