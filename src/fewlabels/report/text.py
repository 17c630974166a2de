"""Text from data, made fit to show: nothing in it can reorder, hide or lengthen what stands around it."""

from __future__ import annotations

import html
import re

__all__ = ["escape", "named"]

LONGEST = 40
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Marks that change direction or take no room, controls other than line break and tab, and halves of letters."""


def escape(text: str) -> str:
    r"""Return text as markup; marks that are not seen are spelled out.

    Examples
    --------
    >>> escape("a < b\u202e")
    'a &lt; b[U+202E]'
    """
    return html.escape(UNSEEN.sub(lambda mark: f"[U+{ord(mark[0]):04X}]", text))


def named(text: str, longest: int = LONGEST) -> str:
    """Return a name as markup with a direction of its own; a long one is cut, the whole is its title.

    Examples
    --------
    >>> named("Siamese cat", 8)
    "<bdi title='Siamese cat'>Siamese…</bdi>"
    >>> named("cat")
    '<bdi>cat</bdi>'
    """
    if len(text) <= longest:
        return f"<bdi>{escape(text)}</bdi>"
    return f"<bdi title='{escape(text)}'>{escape(text[: longest - 1])}…</bdi>"
