import pytest

from fewlabels.report.text import escape, named


@pytest.mark.parametrize("mark", ["\u202e", "\u200b", "\u2066", "\x00", "\r", "\ufeff", "\udc80", "\u2028"])
def test_marks_that_are_not_seen_are_spelled(mark):
    said = escape(f"a{mark}<b")
    assert said == f"a[U+{ord(mark):04X}]&lt;b"
    said.encode()
    assert mark not in named(f"{mark}{'long ' * 20}")


def test_letters_of_every_script_stay():
    assert escape("žlutý קטן 猫 👍 a\tb\nc") == "žlutý קטן 猫 👍 a\tb\nc"


def test_a_long_name_is_cut_and_whole_in_its_title():
    whole = "it's " * 80
    said = named(whole)
    assert said.startswith("<bdi title='it&#x27;s ")
    assert said.count("it&#x27;s") == 80 + 8
    assert said.endswith("…</bdi>")
