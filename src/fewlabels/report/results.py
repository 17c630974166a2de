"""The page of `fewlabels paper`: every table with its picture, the paper's figures, and what was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fewlabels.report.html import document, section
from fewlabels.report.style import inline_svg
from fewlabels.report.tables import Table
from fewlabels.report.text import escape

__all__ = ["Result", "results_page"]


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one run of an experiment found.

    Attributes
    ----------
    name : str
        The stem of its files.
    experiment, dataset : str
        What was run, and on what; the data set is empty where none is needed.
    table : Table
    picture : bytes
        An SVG file, empty if there is none.
    command : str
        Repeats it.
    """

    name: str
    experiment: str
    dataset: str
    table: Table
    picture: bytes
    command: str


def results_page(results: Sequence[Result]) -> str:
    """Return a self-contained page of some results."""
    parts = [_part(result) for result in results]
    published = any(result.table.published for result in results)
    beside = " the paper's figures," if published else ""
    lead = f"Each table with its picture,{beside} and the command that makes it again."
    return document("The paper, repeated" if published else "Experiments", lead=lead, parts=parts)


def _part(result: Result) -> str:
    body = f"<div class='chart'>{inline_svg(result.picture, result.table.title)}</div>" if result.picture else ""
    notes = "".join(f"<p class='note'>{escape(note)}</p>" for note in result.table.notes)
    again = f"<p class='note'>Again: <code>{escape(result.command)}</code></p>"
    beside = "Ours, and under it the paper's and the difference." if result.table.published else ""
    return section(result.table.title, beside, result.table.html()) + f"<section>{body}{notes}{again}</section>"
