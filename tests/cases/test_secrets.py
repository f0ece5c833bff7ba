"""Secrets: refused whatever stands beside them, through every face."""

import random

import pytest

from tests.support.faces import Face, code_of
from tests.support.secret_samples import token

DRAW = random.Random(20)

BESIDE = ["数据库的令牌{0}已过期", "ключ{0}истёк", "prod_{0}_v2", "token \u200b{0}\u200b end", "（{0}）", "🔑{0}"]


@pytest.mark.parametrize("shape", BESIDE)
def test_tx_secret_neighbour_a_secret_is_refused_whatever_stands_beside_it(shape: str, face: Face) -> None:
    answer = face.do("remember", content=shape.format(token("glpat-{20:a}", DRAW)))

    assert code_of(answer) == "secret_found"
    assert answer["error"]["fields"] == ["content"]
