"""What can go wrong, each with a sentence that names the remedy."""

__all__ = [
    "FewlabelsError",
    "FewlabelsWarning",
    "MissingExtraError",
    "OneClassWarning",
    "SolveWarning",
    "UnreachedWarning",
    "in_brief",
]

MOST_OF_REASON = 150
"""Characters of what another library says that are passed on."""


def in_brief(error: BaseException) -> str:
    r"""Return what another library says of an error, on one line and cut where it is long.

    Examples
    --------
    >>> in_brief(ValueError("two\nlines"))
    'two lines'
    """
    said = " ".join("".join(sign if sign.isprintable() else " " for sign in str(error)).split())
    return said if len(said) <= MOST_OF_REASON else f"{said[:MOST_OF_REASON]} ..."


class FewlabelsError(ValueError):
    """Input that has no defined answer; the message is one sentence and names the remedy."""


class MissingExtraError(FewlabelsError, ImportError):
    """An optional package is needed and absent; the message says how to install it."""


class FewlabelsWarning(UserWarning):
    """Base of all warnings, so that one filter catches them."""


class OneClassWarning(FewlabelsWarning):
    """All labels are of one class, so every point gets it and nothing is told apart."""


class UnreachedWarning(FewlabelsWarning):
    """Some nodes lie in a part of the graph without any label."""


class SolveWarning(FewlabelsWarning):
    """A linear solve stopped before it reached its tolerance."""
