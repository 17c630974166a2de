from fewlabels.bench.growth import mixture


def test_the_mixture_has_its_classes():
    X, y = mixture(500)
    assert X.shape == (500, 64)
    assert set(y) == set(range(10))
