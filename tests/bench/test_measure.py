import pytest

from fewlabels import FewlabelsError
from fewlabels.bench import run_bench


def test_bench_refuses_what_it_does_not_know():
    with pytest.raises(FewlabelsError, match="choose from suite, loop, fit, peers, labels, growth"):
        run_bench(["colour"], "digits")
