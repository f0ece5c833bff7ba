"""Front matter is read the same with and without the compiled reader."""

from typing import Any

import pytest
import yaml

from reminisce.codec.frontmatter import split, value_of
from reminisce.codec.notes import read_note
from reminisce.codec.records import BadRecordError


@pytest.fixture(params=["compiled", "plain"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "plain":
        monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    elif not hasattr(yaml, "CBaseLoader"):
        pytest.skip("this PyYAML was built without libyaml")
    return str(request.param)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("a: no\n", {"a": "no"}),
        ("a: 1e3\nb: 0o17\n", {"a": "1e3", "b": "0o17"}),
        ("a: 2026-01-01\n", {"a": "2026-01-01"}),
        ("a:\nb: ''\nc: null\n", {"a": None, "b": "", "c": "null"}),
        ("a: !!int 7\n", {"a": "7"}),
        ("a: !!python/object/apply:os.system [ls]\n", {"a": ["ls"]}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("yes: [on, {off: ~}]\n", {"yes": ["on", {"off": "~"}]}),
        ('a: "\\u2028\\U0001f600\\x07"\n', {"a": "\u2028\U0001f600\x07"}),
        ("- a\n", None),
        ("just text\n", None),
        ("", None),
    ],
)
def test_a_value_is_the_text_that_is_written(reader: str, block: str, said: Any) -> None:
    assert value_of(block) == said


@pytest.mark.parametrize(
    "block",
    ["a: [\n", "a: 1\na: 2\n", "a: &x 1\nb: *x\n", "a: &x [*x]\n", "? [a]\n: b\n", "a: b: c\n", "\ta: b\n", "a: \x07\n",
     '"\\q": x\n', "a: 1\n--- \nb: 2\n", "[" * 100_000],
)  # fmt: skip
def test_what_is_no_front_matter_is_refused(reader: str, block: str) -> None:
    with pytest.raises(BadRecordError):
        value_of(block)


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("---\na: b\n---\nwords\n", "words\n"),
        ("---  \na: b\n---\t\n---\nwords", "---\nwords"),
        ("---\na: b\n---", ""),
        ("----\na\n---\n", None),
        ("---\nnever closed", None),
        ("\n---\na: b\n---\n", None),
    ],
)
def test_the_block_ends_at_its_first_fence(text: str, below: str | None) -> None:
    block, rest = split(text)

    assert (block is None, rest) == (below is None, text if below is None else below)


def test_a_number_that_is_none_is_left_to_be_refused() -> None:
    assert read_note("---\nconfidence: high\n---\n").said == {"confidence": "high"}
