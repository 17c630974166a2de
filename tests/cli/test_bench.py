from fewlabels.cli import main


def test_bench_measures_and_draws(tmp_path, capsys):
    page = tmp_path / "bench.html"
    assert (
        main(["bench", "--what", "fit,peers,labels", "--dataset", "digits", "--repeats", "1", "--out", str(page)]) == 0
    )
    said = capsys.readouterr().out
    assert "textbook: one fit" in said
    assert "one fit: textbook / ours" in said
    assert "| labels | fit, s |" in said
    assert page.read_text().count("<svg") == 2
