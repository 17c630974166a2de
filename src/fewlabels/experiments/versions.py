"""Which code made a result: the package's version, and a digest of all modules that an answer is made of."""

from __future__ import annotations

import ast
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

__all__ = ["code_version", "modules_behind"]

PACKAGE = "fewlabels"


@cache
def code_version(*modules: str) -> str:
    """Return the version of what some modules do: it changes with their code and that of all they import.

    Words about the code, comments and docstrings, do not count, and neither does a method that is added beside the
    others. Libraries do not count either; a table tells theirs.

    Examples
    --------
    >>> code_version("fewlabels.methods.poisson") == code_version("fewlabels.methods.poisson")
    True
    >>> code_version("fewlabels.methods.poisson") == code_version("fewlabels.methods.mbo")
    False
    """
    text = "\n".join(f"{name}\n{ast.unparse(_code(name))}" for name in modules_behind(*modules))
    return f"{version(PACKAGE)}+{sha256(text.encode()).hexdigest()[:8]}"


@cache
def modules_behind(*modules: str) -> tuple[str, ...]:
    """Return these modules of the package and all that they import of it, directly or through others, by name.

    Examples
    --------
    >>> behind = modules_behind("fewlabels.methods.poisson")
    >>> "fewlabels.solvers.cg" in behind, "fewlabels.methods.mbo" in behind
    (True, False)
    """
    found: set[str] = set()
    left = list(modules)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _imported(name)
    return tuple(sorted(found))


@cache
def _imported(module: str) -> tuple[str, ...]:
    """Return the package's modules that one imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(_code(module)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == PACKAGE:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            parts = {name for name in whole if _file(name) is not None}
            names |= parts | ({node.module} if parts != whole else set())
    return tuple(name for name in names if name.split(".")[0] == PACKAGE)


@cache
def _file(module: str) -> Path | None:
    """Return a module's source, or None where the name is no module, or one that was not read from a file."""
    try:
        spec = find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


@cache
def _code(module: str) -> ast.Module:
    """Return a module's code without its docstrings; nothing where there is no file, as in a session."""
    path = _file(module)
    tree = ast.parse("" if path is None else path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [each for each in node.body if not _is_text(each)] or [ast.Pass()]
    return tree


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
