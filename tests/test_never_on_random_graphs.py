"""A hundred random graphs of each kind, every method: no exception but our own, no NaN, no label lost."""

import pytest
from random_graphs import KINDS, check_all


@pytest.mark.parametrize("first", range(0, 100, 10))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore::fewlabels.FewlabelsWarning")
def test_every_method_answers_or_refuses_in_words(kind, first):
    for seed in range(first, first + 10):
        check_all(kind, seed)
