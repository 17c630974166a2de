import datetime
import platform
from importlib.metadata import version

from fewlabels.report.surroundings import surroundings


def test_versions_machine_and_date_are_told():
    before = datetime.date.today()
    packages, machine, day = surroundings().split("; ")
    assert dict(each.split() for each in packages.split(", ")) == {
        name: version(name) for name in ("fewlabels", "numpy", "scipy", "scikit-learn")
    }
    assert machine.startswith(f"Python {platform.python_version()}, {platform.machine()}, ")
    assert before <= datetime.date.fromisoformat(day) <= datetime.date.today()
