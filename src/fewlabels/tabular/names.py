"""Column names that say what a column holds."""

from __future__ import annotations

__all__ = ["FEATURE_FILE_LABEL_NAMES", "ID_NAMES", "LABEL_FILE_LABEL_NAMES", "ROW_NAMES"]

ROW_NAMES = ("row", "index")
ID_NAMES = ("id", "ids", "name", "key")

FEATURE_FILE_LABEL_NAMES = ("label", "labels")
"""Columns of a feature file that are never features; a column y may well be a coordinate there."""

LABEL_FILE_LABEL_NAMES = (*FEATURE_FILE_LABEL_NAMES, "class", "y", "target", "category")
"""Columns that hold the labels of a label file, where nothing is a coordinate."""
