import sys

import pytest

from fewlabels import MissingExtraError
from fewlabels.extras import optional


def test_what_is_installed_is_returned_whole():
    assert optional("xml.dom.minidom", extra="none", what="nothing") is sys.modules["xml.dom.minidom"]


def test_what_is_missing_is_named_with_what_needs_it_and_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "xml.dom.minidom", None)
    with pytest.raises(MissingExtraError) as raised:
        optional("xml.dom.minidom", extra="pages", what="drawing")
    said = "pip install xml, or in a copy of the folder of fewlabels with: pip install '.[pages]'"
    assert str(raised.value) == f"drawing needs xml; install it with: {said}"
