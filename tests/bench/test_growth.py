import json

from fewlabels.bench.growth import main, mixture


def test_the_mixture_has_its_classes():
    X, y = mixture(500)
    assert X.shape == (500, 64)
    assert set(y) == set(range(10))


def test_a_size_is_measured_from_features_to_the_next_question(capsys):
    main(["400", "exact"])
    told = json.loads(capsys.readouterr().out)
    stages = ("neighbours", "graph", "first fit", "second fit", "fresh answer", "one more label", "next question")
    assert all(told[stage] > 0 for stage in stages)
    assert told["n"] == 400
