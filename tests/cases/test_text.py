"""Text: found in every script and form, and given back exactly or refused."""

import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reminisce import InvalidError, open_memory
from tests.entry.mcp_wire import HANDSHAKE, request
from tests.support.faces import Face, Home, code_of, keys_of

SENTENCES = [
    ("我昨天在北京的图书馆借了三本书", "图书馆"),
    ("我昨天在北京的图书馆借了三本书", "北京"),
    ("她對花生過敏，請不要給她花生醬。", "過敏"),
    ("数据库密码每月第一个星期一更换", "密码"),
    ("会议改到星期五下午三点", "星期五"),
    ("他喜欢Python和机器学习", "Python"),
    ("他喜欢Python和机器学习", "机器学习"),
    ("彼は毎朝公園を散歩します", "公園"),
    ("彼は毎朝公園を散歩します", "散歩"),
    ("東京タワーの近くに住んでいます", "東京タワー"),
    ("東京タワーの近くに住んでいます", "タワー"),
    ("アリスはコーヒーが好きです", "コーヒー"),
    ("ｱﾘｽはｺｰﾋｰが好きです", "コーヒー"),
    ("저는 어제 도서관에서 책을 빌렸어요", "도서관"),
    ("저는 어제 도서관에서 책을 빌렸어요", "책"),
    ("그녀는 땅콩알레르기가 있습니다", "알레르기"),
    ("서울역에서 만나기로 했다", "서울역"),
    ("ฉันชอบกินก๋วยเตี๋ยวในกรุงเทพ", "ก๋วยเตี๋ยว"),
    ("ฉันชอบกินก๋วยเตี๋ยวในกรุงเทพ", "กรุงเทพ"),
    ("เธอแพ้ถั่วลิสงอย่างรุนแรง", "ถั่วลิสง"),
    ("错误代码E404出现在gen-itgc报告里", "E404"),
    ("错误代码E404出现在gen-itgc报告里", "gen-itgc"),
    ("𠮷野家で昼ごはんを食べた", "𠮷野家"),
    ("ຂ້ອຍມັກກິນເຂົ້າໜຽວ", "ເຂົ້າໜຽວ"),
    ("ខ្ញុំចូលចិត្តភ្នំពេញ", "ភ្នំពេញ"),
]


@pytest.mark.parametrize(("sentence", "word"), SENTENCES)
def test_tx_cjk_word_inside_a_sentence_is_found(sentence: str, word: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        key = owner.remember(sentence).key
        owner.remember("完全に別のこと 다른 이야기 อย่างอื่น 无关内容")

        assert [hit.memory.key for hit in owner.recall(word)][:1] == [key]


@pytest.mark.parametrize(("sentence", "word"), [SENTENCES[0], SENTENCES[11], SENTENCES[13], SENTENCES[17]])
def test_tx_cjk_word_inside_a_facet_is_found(sentence: str, word: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        key = owner.remember("A note.", facets={"text": sentence}).key

        assert [hit.memory.key for hit in owner.recall(word)] == [key]


@pytest.mark.parametrize(("sentence", "word"), [SENTENCES[0], SENTENCES[9], SENTENCES[13], SENTENCES[18]])
def test_tx_cjk_word_is_found_through_every_face(face: Face, sentence: str, word: str) -> None:
    key = face.do("remember", content=sentence)["key"]

    assert keys_of(face.do("recall", query=word))[:1] == [key]


@pytest.mark.parametrize(
    ("sentence", "other"), [("我住在东京", "北京"), ("책상 위에 있다", "책"), ("東京に住む", "京都")]
)
def test_tx_cjk_word_that_is_not_there_is_not_found(sentence: str, other: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember(sentence)

        assert owner.recall(other).hits == ()


FORMS = [
    ("café", "cafe"),
    ("café", unicodedata.normalize("NFD", "café")),
    ("naïve", "NAIVE"),
    ("Ångström", "angstrom"),
    ("Ångström", "\u212bngstro\u0308m"),
    ("Łódź", "lodz"),
    ("smørrebrød", "smorrebrod"),
    ("Straße", "STRASSE"),
    ("Straße", "strasse"),
    ("STRAẞE", "straße"),
    ("œuvre", "oeuvre"),
    ("Æther", "aether"),
    ("İstanbul", "istanbul"),
    ("ISTANBUL", "ıstanbul"),
    ("İSTANBUL", "ISTANBUL"),
    ("Diyarbakır", "diyarbakir"),
    ("Nguyễn", "nguyen"),
    ("phở", "pho"),
    ("Đà Nẵng", "da nang"),
    ("đường", unicodedata.normalize("NFD", "đường")),
    ("Tiếng Việt", "tieng viet"),
    ("ＦＵＬＬ　ｗｉｄｔｈ", "full width"),
    ("１２３４５", "12345"),
    ("ﬁnance", "finance"),
    ("①②", "12"),
    ("Ёлка", "елка"),
    ("МОСКВА", "москва"),
    ("Київ", "КИЇВ"),
    ("Київ", unicodedata.normalize("NFD", "Київ")),
    ("Σίσυφος", "ΣΙΣΥΦΟΣ"),
    ("Σίσυφος", "σισυφος"),
    ("Σίσυφοσ", "Σίσυφος"),
    ("Ὀδυσσεύς", "οδυσσευσ"),
    ("Ἀθῆναι", unicodedata.normalize("NFD", "Ἀθῆναι")),
    ("Καλημέρα", "καλημερα"),
    ("مُحَمَّد", "محمد"),
    ("كتاب", "كـتـاب"),
    ("علي", "علی"),
    ("أحمد", "احمد"),
    ("مدرسة", "مدرسه"),
    ("\ufe8d\ufedf\ufedc\ufe98\ufe8e\ufe8f", "الكتاب"),
    ("١٢٣٤", "1234"),
    ("שָׁלוֹם", "שלום"),
    ("בְּרֵאשִׁית", "בראשית"),
    ("צה״ל", "צהל"),
    pytest.param("צה״ל", 'צה"ל'),
    ("हिन्दी", "हिंदी"),
    ("क़लम", "कलम"),
    ("क़लम", unicodedata.normalize("NFD", "\u0958लम")),
    ("१२३४", "1234"),
    ("நன்றி", "நன்றி"),
    ("Հայաստան", "ՀԱՅԱՍՏԱՆ"),
    ("მოსკოვი", "ᲛᲝᲡᲙᲝᲕᲘ"),
    ("각", unicodedata.normalize("NFD", "각")),
    ("서울", unicodedata.normalize("NFD", "서울")),
    ("が", unicodedata.normalize("NFD", "が")),
    ("ｶﾞｽ", "ガス"),
    ("zero\u200bwidth", "zerowidth"),
    ("soft\u00adhyphen", "softhyphen"),
    ("don’t panic", "don't panic"),
    ("e‑mail", "e-mail"),
    ("O’Brien", "O'Brien"),
    ("\N{FAMILY}", "\N{FAMILY}\ufe0f"),
]


@pytest.mark.parametrize(("one", "other"), FORMS, ids=ascii)
def test_tx_forms_are_found_either_way(one: str, other: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        keys = [owner.remember(f"{form} was said here").key for form in (one, other)]
        owner.remember("Something else was said here")

        assert {hit.memory.key for hit in owner.recall(one)} == set(keys)
        assert {hit.memory.key for hit in owner.recall(other)} == set(keys)


@pytest.mark.parametrize(("one", "other"), FORMS, ids=ascii)
def test_tx_forms_earn_the_same_score(one: str, other: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember(f"{one} was said here")
        owner.remember("Something else was said here")

        scores = [[hit.score for hit in owner.recall(query)] for query in (one, other)]

    assert scores[0] == scores[1]


@pytest.mark.parametrize(("one", "other"), [("кот", "код"), ("สี", "สิ"), ("की", "का"), ("ま", "も")])
def test_tx_forms_of_other_words_are_not_taken_for_one(one: str, other: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember(f"{one} xylophone")

        assert owner.recall(other).hits == ()


@pytest.mark.parametrize(
    ("one", "other"), [("café", "cafe"), ("Σίσυφος", "ΣΙΣΥΦΟΣ"), ("İstanbul", "istanbul"), ("מָזוֹן", "מזון")]
)
def test_tx_forms_are_found_through_every_face(face: Face, one: str, other: str) -> None:
    key = face.do("remember", content=f"{one} through a face")["key"]

    assert keys_of(face.do("recall", query=other)) == [key]


@pytest.mark.parametrize(("one", "other"), [("café", "cafe\u0301"), ("straße", "STRASSE"), ("ＡＢ", "AB")])
def test_tx_forms_are_kept_apart_in_names(one: str, other: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember("one", key=one, episode=one, subjects=[one])
        owner.remember("two", key=other, episode=other, subjects=[other])

        assert owner.why(one).memory.content == "one"
        assert [hit.memory.key for hit in owner.recent(episode=other)] == [other]
        assert [hit.memory.key for hit in owner.recent(subject=one)] == [one]


CONTROLS = {
    "every control but NUL": "".join(map(chr, [*range(1, 32), *range(127, 160)])) + "end",
    "carriage return": "one\rtwo\r\nthree\n",
    "line ends at both ends": "\n\ntext\n\n",
    "spaces at both ends": "  text\t ",
    "line separator": "one\u2028two\u2029three",
    "byte order mark": "\ufefftext\ufeff",
    "zero width": "ze\u200bro\u2060wi\u200cd\u200dth",
    "emoji": "\N{GRINNING FACE}\N{PILE OF POO}",
    "emoji joined": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f3f3\ufe0f\u200d\U0001f308",
    "flags and skin": "\U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd",
    "tags": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "right to left marks": "a\u200fb\u202ec\u202dd\u2066e\u2069f",
    "lone combining mark": "\u0301",
    "many combining marks": "z" + "\u0335" * 500,
    "noncharacters": "\ufffe\uffff\U0001fffe\U0010ffff x",
    "private use": "\ue000\U000f0000 x",
    "replacement": "\ufffd\ufffc x",
    "null picture": "␀ \\0 \\u0000 \\x00",
    "escape sequences": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b31m",
    "backspaces": "secret\b\b\b\b\b\bpublic",
    "last character": "\U0010ffff",
    "not normalised": "e\u0301 \u212b \ufb01 ｆ",
    "json like": '{"a": "\\u0041\\n"}',
    "a cr at the end": "text\r",
}


@pytest.mark.parametrize("text", CONTROLS.values(), ids=CONTROLS)
def test_tx_control_is_given_back_exactly(face: Face, text: str) -> None:
    key = face.do("remember", content=text)["key"]

    assert face.do("why", key=key)["memory"]["content"] == text
    assert text in [hit["content"] for hit in face.do("recall", query=None, k=1_000)["hits"]]


@pytest.mark.parametrize("text", CONTROLS.values(), ids=CONTROLS)
def test_tx_control_in_facets_and_sources_is_given_back_exactly(face: Face, text: str) -> None:
    name = text[:30]
    if face.name == "cli" and "=" in name:
        pytest.skip("the command splits a facet at its first sign")

    key = face.do("remember", content=f"marked {text!a}", facets={name: text}, sources=[text])["key"]

    memory = face.do("why", key=key)["memory"]
    assert (memory["facets"], memory["sources"]) == ({name: [text]}, [text])
    assert keys_of(face.do("recall", query=None, facets={name: text})) == [key]
    assert key in keys_of(face.do("recall", query=None, sources=[text]))


@pytest.mark.parametrize("text", CONTROLS.values(), ids=CONTROLS)
def test_tx_control_in_a_query_is_answered(face: Face, text: str) -> None:
    answer = face.do("recall", query=text)

    assert "error" not in answer


@pytest.mark.parametrize("text", CONTROLS.values(), ids=CONTROLS)
def test_tx_control_survives_the_store_opened_again(home: Home, text: str) -> None:
    with home.memories() as memories:
        key = memories.owner(home.owner).remember(text, surface=text).key

    with home.memories() as memories:
        memory = memories.owner(home.owner).why(key).memory

    assert (memory.content, memory.surface) == (text, text)


@pytest.mark.parametrize("verb", [["recall", "plain"], ["recent"], ["why", "k"]])
def test_tx_control_never_reaches_a_terminal(home: Home, verb: list[str]) -> None:
    with home.memories() as memories:
        memories.owner(home.owner).remember(
            "plain \x1b[31m \x07 \x9b \x7f \u202e \u2066 \ufeff \r over", key="k", sources=["\x1b[2J"]
        )

    shown = home.cli_here(*verb).stdout.decode()

    assert not set(shown) & set("\x1b\x07\x9b\x7f\u202e\u2066\ufeff\r")
    assert "plain" in shown


FIELDS = ["content", "key", "episode", "surface", "request_key"]
LISTS = ["sources", "subjects", "derived_from", "supersedes"]


@pytest.mark.parametrize(
    ("text", "code"), [("a\0b", "nul"), ("\0", "nul"), ("a\ud800b", "lone_surrogate"), ("\udfff", "lone_surrogate")]
)
@pytest.mark.parametrize("field", [*FIELDS, *LISTS, "facets"])
def test_tx_control_that_no_store_can_keep_is_refused_by_field(field: str, text: str, code: str) -> None:
    value = {"name": text} if field == "facets" else [text] if field in LISTS else text
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        with pytest.raises(InvalidError) as caught:
            owner.remember_many([{"content": "good"}, {"content": "text", field: value}])

        assert (f"[1].{field}", code) in [(problem.field, problem.code) for problem in caught.value.problems]
        assert owner.revision() == 0


@pytest.mark.parametrize(("text", "code"), [("a\0b", "nul"), ("a\ud800b", "lone_surrogate")])
@pytest.mark.parametrize("option", ["query", "subject", "episode", "sources", "facets", "audience"])
def test_tx_control_that_no_store_can_keep_is_refused_in_a_question(option: str, text: str, code: str) -> None:
    value: Any = {"name": text} if option == "facets" else [text] if option == "sources" else text
    asked: dict[str, Any] = {"query": "x", option: value}
    with open_memory(":memory:") as memories, pytest.raises(InvalidError) as caught:
        memories.owner("agent:alice").recall(**asked)

    assert [(problem.field, problem.code) for problem in caught.value.problems] == [(option, code)]


def test_tx_control_nul_is_refused_by_every_face_and_nothing_is_kept(face: Face) -> None:
    before = face.do("stats")["revision"]

    refused = face.do("remember", content="before\0after")

    assert [problem["code"] for problem in refused["error"]["problems"]] == ["nul"]
    assert face.do("stats")["revision"] == before


def test_tx_control_lone_surrogate_over_mcp_is_refused_and_nothing_is_kept(home: Home) -> None:
    bad = request(1, "tools/call", name="memory_remember", arguments={"content": "SPLIT"}).replace(
        b"SPLIT", b"a\\ud83db"
    )
    whole = request(2, "tools/call", name="memory_remember", arguments={"content": "SPLIT"}).replace(
        b"SPLIT", b"\\ud83d\\ude00"
    )

    outcome = home.converse(HANDSHAKE + bad + whole)

    assert "error" in outcome.by_id[1] or outcome.by_id[1]["result"]["isError"]
    assert outcome.by_id[2]["result"]["structuredContent"]["created"] is True
    with home.memories() as memories:
        assert [hit.memory.content for hit in memories.owner(home.owner).recent()] == ["\N{GRINNING FACE}"]


@pytest.mark.parametrize("data", [b"\xff\xfe text", b"caf\xe9", b"\xed\xa0\x80", b"\xc0\x80", b"nul \0 here"])
def test_tx_control_bytes_that_are_no_text_are_refused_by_the_command(home: Home, data: bytes) -> None:
    ran = home.cli("remember", "-", "--json", stdin=data)

    assert (ran.code, code_of(ran.answer), ran.answer["error"]["fields"]) == (1, "invalid", ["content"])


def test_tx_control_content_of_the_full_size_is_kept_whole(face: Face) -> None:
    text = "\N{GRINNING FACE}" * (16 * 1024 - 1) + "\x01 é"
    if face.name == "cli":
        text = text[:8000]

    key = face.do("remember", content=text)["key"]

    assert face.do("why", key=key)["memory"]["content"] == text


def test_tx_control_content_of_a_byte_too_many_is_refused_not_cut(face: Face) -> None:
    if face.name == "cli":
        pytest.skip("a word of a command is shorter")

    refused = face.do("remember", content="é" * (32 * 1024) + "x")

    assert (code_of(refused), refused["error"]["fields"]) == ("invalid", ["content"])


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
@example(text="\ufeff")
@example(text="\u2028")
@example(text="a\u0301\u0327")
@example(text="\x85")
def test_tx_control_any_text_is_given_back_exactly_or_called_blank(text: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        if text.isspace():
            with pytest.raises(InvalidError):
                owner.remember(text)
            return

        key = owner.remember(text, sources=[text], facets={"n": text}).key

        memory = owner.why(key).memory
        assert (memory.content, memory.sources, memory.facets) == (text, (text,), (("n", text),))
