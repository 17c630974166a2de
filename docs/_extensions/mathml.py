"""Formulas as MathML, which browsers draw themselves: no script, no font, no network."""

from docutils.utils.math.latex2mathml import tex2mathml


def inline(writer, node):
    """Write a formula within a line."""
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    _done()


def block(writer, node):
    """Write a formula on lines of its own."""
    writer.body.append(f'<div class="math-block">{tex2mathml(node.astext(), as_block=True)}</div>')
    _done()


def _done():
    from docutils.nodes import SkipNode

    raise SkipNode


def setup(app):
    """Make it the way formulas are written."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
