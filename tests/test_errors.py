import pytest

from fewlabels import FewlabelsError, FewlabelsWarning, MissingExtraError, SolveWarning, UnreachedWarning


@pytest.mark.parametrize(
    ("kind", "caught_as"),
    [
        (FewlabelsError, ValueError),
        (MissingExtraError, FewlabelsError),
        (MissingExtraError, ImportError),
        (SolveWarning, FewlabelsWarning),
        (UnreachedWarning, FewlabelsWarning),
        (FewlabelsWarning, UserWarning),
    ],
)
def test_one_kind_catches_the_others(kind, caught_as):
    assert issubclass(kind, caught_as)
