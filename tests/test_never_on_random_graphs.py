"""A hundred random graphs of each kind, every method: no exception but our own, no NaN, no label lost."""

import pytest
from random_graphs import KINDS, WITHOUT_EXTRAS, check, problem


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", WITHOUT_EXTRAS)
@pytest.mark.filterwarnings("ignore::fewlabels.FewlabelsWarning")
def test_every_method_answers_or_refuses_in_words(kind, name):
    for seed in range(100):
        check(*problem(kind, seed), name)
