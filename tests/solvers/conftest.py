import pytest
from gallery import GALLERY


@pytest.fixture(params=GALLERY, name="graph")
def _graph(request):
    return GALLERY[request.param]()
