import time

from fewlabels.cli import main


def test_the_demo_prints_three_methods_and_writes_a_page(tmp_path, capsys):
    start = time.perf_counter()
    page = tmp_path / "page.html"
    assert main(["demo", "--out", str(page)]) == 0
    assert time.perf_counter() - start < 60
    said = capsys.readouterr()
    accuracies = {line.rsplit(None, 3)[0]: float(line.split()[-3]) for line in said.out.splitlines()[1:4]}
    assert list(accuracies) == ["Interface Laplace", "Poisson", "Laplace"]
    assert accuracies["Interface Laplace"] > 85
    assert accuracies["Interface Laplace"] > accuracies["Laplace"]
    assert "draws" in said.err
    text = page.read_text()
    assert text.count("<img") == 30
    assert text.count(" x='") == 1797
    assert "http" not in text
