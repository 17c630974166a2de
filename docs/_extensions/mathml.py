"""Formulas as MathML, which browsers draw themselves: no script, no font, no network."""

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml


def inline(writer, node):
    """Write a formula within a line."""
    writer.body.append(_formula(node, as_block=False))
    raise SkipNode


def block(writer, node):
    """Write a formula on lines of its own."""
    writer.body.append(f'<div class="math-block">{_formula(node, as_block=True)}</div>')
    raise SkipNode


def _formula(node, as_block):
    """Return the markup; bars of absolute values keep the height of a line."""
    return tex2mathml(node.astext(), as_block=as_block).replace("<mo>|</mo>", '<mo stretchy="false">|</mo>')


def setup(app):
    """Make it the way formulas are written."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
