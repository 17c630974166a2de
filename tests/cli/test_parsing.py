import pytest

from fewlabels.cli import main
from fewlabels.cli.running import COMMANDS


def said(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([*arguments])
    heard = capsys.readouterr()
    return stop.value.code, heard.out, heard.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lable", "a", "b"], "'lable' is not known; did you mean label? See fewlabels --help."),
        (["zzz"], "'zzz' is not known; choose from"),
        (["label", "a", "b", "-o", "c", "--neighbours", "5"], "--neighbours is not known; did you mean --neighbors?"),
        (["label", "a", "b", "-o", "c", "--neigbors=5"], "--neigbors is not known; did you mean --neighbors?"),
        (
            ["label", "a", "b", "c", "-o", "d"],
            "the argument c is one too many; a name with blanks in it, and a",
        ),
        (["label", "a", "b", "-o", "c", "--refine", "mob"], "'mob' is not known; did you mean mbo?"),
        (["label"], "FEATURES, LABELS"),
        (["label", "a", "b", "-o", "c", "--neighbors", "many"], "invalid int value: 'many'"),
        ([], "COMMAND"),
    ],
)
def test_wrong_arguments_end_in_one_sentence_that_names_what_was_meant(arguments, sentence, capsys):
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("fewlabels: ")
    assert err.count("\n") == 1
    assert sentence in err


@pytest.mark.parametrize("name", [each.__name__.rpartition(".")[2] for each in COMMANDS])
def test_every_command_has_help_with_examples_and_tells_the_version(name, capsys):
    code, out, _ = said(capsys, name, "--help")
    assert code == 0
    assert f"examples:\n  fewlabels {'label' if name == 'predict' else name}" in out
    assert all(option in out for option in ("-q, --quiet", "--debug", "-V, --version"))
    assert said(capsys, name, "-V")[:2] == said(capsys, "-V")[:2]
