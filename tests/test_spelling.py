from fewlabels.spelling import known_names, meant


def test_the_nearest_known_word_is_meant():
    assert meant("lable", ["label", "page"]) == "label"
    assert meant("Poisson", ["poisson"]) == "poisson"
    assert meant("--neighbours", ["--neighbors", "--method"]) == "--neighbors"
    assert meant("zzz", ["label"]) == ""
    assert known_names("zzz", ["a", "b"]) == "choose one of a, b"
