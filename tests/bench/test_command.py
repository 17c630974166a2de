import json

from fewlabels.bench.command import main


def test_the_command_is_run_from_file_to_file_and_its_stages_are_told(capsys):
    main(["1500"])
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["n"] == 1500
    assert list(told["stages"]) == ["read", "neighbours", "graph", "scores", "decision", "write"]
    assert 0 < sum(told["stages"].values()) <= told["seconds"]
    assert told["gigabytes"] >= max(told["peaks"].values()) > 0
    assert told["accuracy"] > 0.3
