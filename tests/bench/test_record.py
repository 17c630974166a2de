from fewlabels.bench.record import Report


def test_the_median_and_the_noise_are_kept():
    report = Report("here")
    assert report.record("thing", [1.0, 4.0, 2.0], "note") == 2.0
    (measured,) = report.measured
    assert (measured.name, measured.seconds, measured.noise, measured.note) == ("thing", 2.0, 1.5, "note")
    assert "| thing | 2.000 | 150% | note |" in report.markdown()


def test_what_is_timed_is_run_as_often_as_asked():
    report, runs = Report("here"), []
    assert report.add("thing", lambda: runs.append(1), 3) > 0
    assert len(runs) == 3
