"""Where a document's sections begin and end, and what they are called."""

import pytest

from reminisce.codec.documents import sections
from reminisce.codec.names import slug


def told(text: str) -> list[tuple[str, str]]:
    return [(section.anchor, section.heading) for section in sections(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("words", [("", "")]),
        ("before\n# A\nwords", [("", ""), ("a", "A")]),
        ("# A\n## B\nwords\n# C\nwords", [("b", "A > B"), ("c", "C")]),
        ("### Deep\nx\n# Top\ny", [("deep", "Deep"), ("top", "Top")]),
        ("# A #\nx\n#B\ny", [("a", "A")]),
        ("#hash\nx", [("", "")]),
        ("#\nx", [("section", "")]),
        ("# Twice\na\n# Twice\nb\n# Twice-1\nc", [("twice", "Twice"), ("twice-1", "Twice"), ("twice-1-1", "Twice-1")]),
        ("Title\n=====\nwords\n\nSub\n---\nmore", [("title", "Title"), ("sub", "Title > Sub")]),
        ("one\ntwo\n---\nthree", [("", "")]),
        ("- item\n---\nthree", [("", "")]),
        ("| a | b |\n--- | ---\nx", [("", "")]),
        ("```\n# no\n```\n# yes\nx", [("", ""), ("yes", "yes")]),
        ("~~~ py\n# no\n```\n# no\n~~~\nx", [("", "")]),
        ("````\n```\n# no\n````\n# yes\nx", [("", ""), ("yes", "yes")]),
        ("``` `a`\n# yes\nx", [("", ""), ("yes", "yes")]),
        ("```\n# never closed", [("", "")]),
        ("    # code\nx", [("", "")]),
        ("# A\r\nwords\r\n# B\r\nmore", [("a", "A"), ("b", "B")]),
    ],
)
def test_sections_begin_at_headings(text: str, expected: list[tuple[str, str]]) -> None:
    assert told(text) == expected


def test_a_section_keeps_its_heading_and_its_lines() -> None:
    [before, section] = sections("x\n\n# A\n\n  indented  \n\n```\n# no\n```\n\n")

    assert (before.text, section.text, section.line) == ("x", "# A\n\n  indented  \n\n```\n# no\n```", 3)


def test_a_plain_text_has_no_headings() -> None:
    assert [section.text for section in sections("# A\nx\n# B\ny", headings=False)] == ["# A\nx\n# B\ny"]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Hello, World!", "hello-world"),
        ("snake_case and-hyphen", "snake_case-and-hyphen"),
        ("Ünï 渡し船", "ünï-渡し船"),
        ("`code` & more", "code--more"),
        ("«Привет»", "привет"),
        ("…", ""),
    ],
)
def test_slugs_are_those_of_links(heading: str, expected: str) -> None:
    assert slug(heading) == expected
