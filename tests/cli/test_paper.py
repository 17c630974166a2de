import os
import subprocess
import sys

import pytest
from trials import TINY

from fewlabels.cli import main


@pytest.mark.usefixtures("no_data")
def test_a_folder_that_cannot_be_written_gives_one_sentence(tmp_path, capsys):
    (tmp_path / "results").write_text("a file where a folder should be")
    assert main([*TINY, "--out", str(tmp_path / "results")]) == 2
    assert "choose another folder" in capsys.readouterr().err


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["paper", "table9"], "no experiment is called 'table9'"),
        (["paper", "loss", "--rates", "many"], "rate 'many' is no number"),
        (["paper", "loss", "--methods", "SVM"], "loss has no row 'SVM'"),
        (["paper", "loss", "--dataset", "imagenet"], "data set 'imagenet' is not in"),
        (["paper", "loss", "--datasets", "imagenet"], "data set 'imagenet' is not in"),
        (["paper", "loss"], "data set 'mnist' is not in"),
        (["paper", "loss", "--dataset", "digits", "--rates", "as-they-come"], "rate 'as-they-come' is no number"),
        (["paper", "suite", "--dataset", "imagenet"], "data set 'imagenet' is not in"),
        (["paper", "suite", "--dataset", "digits", "--rates", "unbalanced"], "--rates 1,5,as-they-come"),
        (["paper", "suite", "--dataset", "digits", "--methods", "SVM"], "suite has no row 'SVM'"),
        (["paper", "loss", "--trials", "0"], "--trials 0 must be at least 1"),
        (["paper", "loss", "--rates", "²"], "is no number of labels per class"),
        (["paper", "loss", "--dataset", ","], "--dataset names no data set"),
        (["paper", "loss", "--dataset", "digits", "--rates", "178"], "draw fewer"),
        (["paper", "timing", "--dataset", "digits", "--rates", "1"], "timing has no label rates to choose"),
        (["paper", "confidence", "--dataset", "digits", "--methods", "a"], "confidence has no rows to choose"),
        (["paper", "table1"], "run fewlabels features mnist. (--dataset digits needs no files.)"),
        (["paper", "loss", "--dataset", "mnist,cifar-10"], "data set 'cifar-10' is not in"),
        (["paper", "loss", "--dataset", "digits", "--only-tables"], "holds no trials"),
    ],
)
def test_bad_requests_get_one_sentence(arguments, sentence, tmp_path, capsys):
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.usefixtures("no_data")
def test_a_table_is_written_in_every_form_beside_the_papers_figures(tmp_path, capsys):
    out = tmp_path / "out"
    command = [
        "paper",
        "positions",
        "--dataset",
        "digits",
        "--trials",
        "2",
        "--methods",
        "Training,All",
        "--out",
        str(out),
    ]
    assert main(command) == 0
    written = sorted(p.suffix for p in out.iterdir() if p.stem == "positions-digits")
    assert written == [".csv", ".md", ".png", ".svg", ".tex"]
    page = (out / "positions.html").read_text()
    assert "fewlabels paper positions --dataset digits --trials 2 --methods" in page
    assert "<svg" in page
    assert "src=" not in page
    assert "http" not in page
    assert "the paper" not in page.lower(), "it has no figures of digits"
    assert (out / "positions-digits.tex").read_text().count("\\\\") == 3


@pytest.mark.usefixtures("no_data")
def test_several_tables_share_one_page(tmp_path, capsys):
    command = ["paper", "loss,zero-mean,loss", "--dataset", "digits", "--trials", "1", "--rates", "1"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    assert {p.name for p in tmp_path.glob("*.md")} == {"loss-digits.md", "zero-mean-digits.md"}
    assert [p.name for p in tmp_path.glob("*.html")] == ["loss-zero-mean.html"]


@pytest.mark.usefixtures("no_data")
def test_a_draw_that_cannot_be_done_leaves_its_cell_with_fewer_draws(tmp_path, capsys):
    out = tmp_path / "out"
    command = [
        "paper",
        "hops",
        "--dataset",
        "digits",
        "--trials",
        "3",
        "--rates",
        "5",
        "--methods",
        "2,4",
        "--out",
        str(out),
    ]
    assert main(command) == 0
    said = capsys.readouterr()
    assert "leaves no interface" in said.err
    assert "| 2 | " in said.out
    assert (out / "hops-digits.md").exists()


@pytest.mark.usefixtures("no_data")
def test_two_jobs_give_the_table_of_one(tmp_path, capsys):
    tables = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        command = ["paper", "table1", "--dataset", "digits", "--trials", "6", "--rates", "1", "--jobs", jobs]
        assert main([*command, "--methods", "Poisson,Inter-Laplace,Laplace", "--out", str(out)]) == 0
        tables.append([line for line in (out / "table1-digits.md").read_text().splitlines() if line.startswith("|")])
    assert tables[0] == tables[1]


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("name", ["synthetic-regression", "timing"])
def test_experiments_without_draws_run(name, tmp_path, capsys):
    assert main(["paper", name, "--dataset", "digits", "--out", str(tmp_path)]) == 0
    assert "Interface Laplace" in capsys.readouterr().out or name == "timing"
    assert (tmp_path / f"{name}.html").exists()


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("name", ["new-points", "class-sizes"])
def test_the_other_studies_run(name, tmp_path, capsys):
    assert main(["paper", name, "--dataset", "digits", "--trials", "1", "--out", str(tmp_path)]) == 0
    assert (tmp_path / f"{name}-digits.md").exists()


@pytest.mark.usefixtures("no_data")
def test_tables_of_what_is_there_run_nothing(tmp_path, capsys):
    assert main([*TINY, "--trials", "2", "--out", str(tmp_path)]) == 0
    before = (tmp_path / "trials.jsonl").read_bytes()
    capsys.readouterr()
    assert main([*TINY, "--out", str(tmp_path), "--only-tables"]) == 0
    assert (tmp_path / "trials.jsonl").read_bytes() == before
    assert "| MSE |" in capsys.readouterr().out


@pytest.mark.usefixtures("blob_data")
def test_the_command_lists_and_runs_an_entry(toy, tmp_path, capsys):
    assert main(["paper", "LIST"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "toy                        A toy"
    command = ["paper", "toy", "--dataset", "big-blobs", "--trials", "2", "--rates", "7", "--out", str(tmp_path)]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert said.startswith("### Toy: big-blobs\n\n| | 7 | draws |\n|---|---|---|\n| row | 10.00 | 1 |\n")
    assert said.splitlines()[-1] == f"page: {tmp_path / 'toy.html'}"
    assert "Again: <code>fewlabels paper toy --dataset big-blobs --trials 2 --rates 7<" in (
        tmp_path / "toy.html"
    ).read_text(encoding="utf-8")
    assert main(["paper", "toy", "--dataset", "blobs", "--trials", "1", "--out", str(tmp_path)]) == 0
    assert "toy has odd draws alone, and there are none among 1; use --trials 2 or more" in capsys.readouterr().err


@pytest.mark.usefixtures("blob_data")
def test_a_request_is_refused_before_any_data_set_is_loaded(counted, tmp_path, capsys):
    assert main(["paper", "loss", "--dataset", "blobs", "--methods", "SVM", "--out", str(tmp_path / "out")]) == 2
    assert "loss has no row 'SVM'" in capsys.readouterr().err
    assert main(["paper", "confidence", "--dataset", "blobs", "--rates", "x", "--out", str(tmp_path / "out")]) == 2
    assert "rate 'x' is no number" in capsys.readouterr().err
    assert not counted
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("blob_data")
@pytest.mark.parametrize("name", ["table1", "defaults", "timing", "confidence"])
def test_a_command_loads_its_data_set_once_and_searches_neighbours_once(name, counted, tmp_path):
    rows = {"table1": ["--methods", "Laplace,Poisson"], "defaults": ["--methods", "default,Poisson"]}.get(name, [])
    rows += [] if name == "timing" else ["--rates", "1"]
    command = ["paper", name, "--dataset", "blobs", "--trials", "2", *rows, "--quiet"]
    assert main([*command, "--out", str(tmp_path / "out")]) == 0
    assert counted == {"load blobs": 1, "search": 1}


@pytest.mark.usefixtures("no_data")
def test_a_terminal_without_unicode_gets_the_table(tmp_path):
    command = [sys.executable, "-m", "fewlabels", *TINY, "--trials", "2", "--out", str(tmp_path)]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, env=plain, check=False)
    assert done.returncode == 0, done.stderr
    assert b" +- " in done.stdout
    assert " ± " in (tmp_path / "loss-digits.md").read_text(encoding="utf-8")
