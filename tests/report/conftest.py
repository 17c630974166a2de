import re

import pytest


@pytest.fixture(name="texts")
def _texts():
    """Return the texts of a figure in order; matplotlib draws letters as paths and says beside them what they are."""
    return lambda svg: [text for text in re.findall(r"<!-- (.*?) -->", svg) if text]
