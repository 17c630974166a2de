"""The page of a run of the laboratory: every table with its picture, the paper's figures, and what was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fewlabels.report.html import document, escape, section
from fewlabels.report.tables import Table

__all__ = ["Result", "results_page"]


@dataclass(frozen=True)
class Result:
    """A table of the laboratory, its picture as SVG (empty if there is none), and the command that repeats it."""

    name: str
    table: Table
    picture: bytes
    command: str


def results_page(results: Sequence[Result], lead: str) -> str:
    """Return a self-contained page of some results."""
    return document("The paper, repeated", lead, [_part(result) for result in results], "Made by: fewlabels paper")


def _part(result: Result) -> str:
    picture = result.picture.decode()
    body = f"<div>{picture[picture.index('<svg') :]}</div>" if picture else ""
    notes = "".join(f"<p class='note'>{escape(note)}</p>" for note in result.table.notes)
    again = f"<p class='note'>Again: <code>{escape(result.command)}</code></p>"
    return section(result.table.title, "Ours, and under it the paper's and the difference.", result.table.html()) + (
        f"<section>{body}{notes}{again}</section>"
    )
