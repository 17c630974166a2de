"""Words that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["known_names", "meant"]

ALIKE = 0.6
"""From which share of letters in common on words are near."""


def meant(word: str, known: Iterable[str], alike: float = ALIKE) -> str:
    """Return the known word that is nearest to one that is not known, or nothing where none is near.

    Examples
    --------
    >>> meant("poison", ["laplace", "poisson"]), meant("xyz", ["poisson"])
    ('poisson', '')
    """
    return next(iter(get_close_matches(word.lower(), list(known), n=1, cutoff=alike)), "")


def known_names(word: object, known: Iterable[str]) -> str:
    """Say which names are known, and which of them was probably meant.

    Examples
    --------
    >>> known_names("poison", ["laplace", "poisson"])
    'choose one of laplace, poisson (did you mean poisson?)'
    """
    names = list(known)
    near = meant(str(word), names)
    return f"choose one of {', '.join(names)}{f' (did you mean {near}?)' if near else ''}"
