"""What the default analyser promises beyond the port; what every Analyser promises is in the contract suite."""

import sys
import threading
import unicodedata
from importlib import import_module

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reminisce.adapters.analysers import DefaultAnalyser, default, folding, words
from reminisce.errors import ConfigurationError

ANALYSER = DefaultAnalyser()

AWKWARD = (
    *("'", "’", "'s", "n't", "-", "_", "://", ".", ",", "++", "#", "@", " ", "\u00a0", "\t", "\x00", "\x1f", "\x7f"),
    *("a", "B", "camelCase", "HTTPServer", "wIth", "e\u0301", "É", "ß", "ﬁ", "İ", "ı", "ſ", "Ǆ", "ŉ", "7", "٣", "½"),
    *("й", "и\u0306", "ё", "е\u0308", "память", "ς", "Σ", "ά", "قَ", "ـ", "क्षि", "ज़", "ห", "น้ำ", "が", "か\u3099", "猫"),
    *("\u200b", "\u200d", "\u00ad", "\u202e", "\ufeff", "\ufe0f", "\u034f", "\u3164", "\ufffd", "\uffff", "\ud800"),
    *("😀", "👍🏽", "🇫🇷", "🇫", "\U0001faff", "\U000e0041", "\U0010fffd", "\u0378", "℃", "´", "ﷺ", "the", "the "),
)
TEXTS = st.text(max_size=40) | st.lists(st.sampled_from(AWKWARD) | st.characters(), max_size=12).map("".join)


def found(query: str, text: str) -> bool:
    """Whether *query* has terms and *text* has all of them."""
    wanted = ANALYSER.terms(query)
    return bool(wanted) and set(wanted) <= set(ANALYSER.terms(text))


@given(TEXTS)
@example("I'M")
@example("\x1fa\x1f")
def test_any_text_gives_terms_fit_for_an_index(text: str) -> None:
    for term in ANALYSER.terms(text):
        assert 1 <= len(term) <= words.LONGEST_TERM
        assert min(term) > " "
        assert term.encode()


@given(TEXTS)
def test_a_fresh_analyser_gives_the_same_terms(text: str) -> None:
    assert DefaultAnalyser().terms(text) == ANALYSER.terms(text)


@given(TEXTS)
def test_canonically_equal_texts_give_the_same_terms(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert ANALYSER.terms(composed) == ANALYSER.terms(text) == ANALYSER.terms(decomposed)


@given(TEXTS.filter(lambda text: "\u0345" not in unicodedata.normalize("NFKD", text)))
def test_case_costs_a_text_none_of_its_terms(text: str) -> None:
    """Save for the Greek iota below a letter: casefolding writes it beside the letter, folding drops it."""
    assert set(ANALYSER.terms(text.casefold())) <= set(ANALYSER.terms(text))


@given(TEXTS)
def test_what_follows_changes_no_term_but_stop_words(text: str) -> None:
    assert ANALYSER.terms(f"{text}\ncoffee") in ([*ANALYSER.terms(text), "coffe"], ["coffe"])


@pytest.mark.parametrize("plane", range(17))
def test_every_assigned_code_point_is_accepted(plane: int) -> None:
    """Whole planes where Unicode has letters and signs, a sample where it has ideographs or nothing."""
    step = 1 if plane < 2 else 251

    for character in map(chr, range(plane << 16, (plane + 1) << 16, step)):
        for term in ANALYSER.terms(f"x{character}y {character}"):
            assert term.encode()
            assert min(term) > " "


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe"),
        ("cafe\u0301", "CAFÉ"),
        ("ｆｕｌｌ ｗｉｄｔｈ１２", "full width12"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("Ærøskøbing", "aeroskobing"),
        ("Việt Nam Đà", "viet nam da"),
        ("İstanbul", "istanbul"),
        ("ﬁle", "file"),
        ("ёлка", "елка"),
        ("за\u0301мок", "замок"),
        ("й", "и\u0306"),
        ("άνθρωπος", "ΑΝΘΡΩΠΟΣ"),
        ("Ἅιδης", "Αιδης"),
        ("قَهْوَةٌ", "قهوة"),
        ("أحمد", "احمد"),
        ("کتابی", "كتابي"),
        ("العــــربية", "العربية"),
        ("שָׁלוֹם", "שלום"),
        ("ज़मीन", "जमीन"),
        ("हिन्दी", "हिंदी"),
        ("हँस", "हंस"),
        ("क\u094d\u200dष", "क्ष"),
        ("ｶﾌｪ", "カフェ"),
        ("ガ", "カ\u3099"),
        ("한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"),
        ("so\u00adft zero\u200bwidth \u202btext\u202c", "soft zerowidth text"),
        ("١٢٣ १२३", "123 123"),
        ("👍🏽", "👍"),
        ("❤\ufe0f", "❤"),
        ("Alice’s", "Alice's"),
        ("well‑known", "well-known"),
    ],
)
def test_spellings_of_one_word_meet(one: str, other: str) -> None:
    assert ANALYSER.terms(one) == ANALYSER.terms(other) != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("мой", "мои"),
        ("їжа", "іжа"),
        ("कि", "की"),
        ("कम", "काम"),
        ("มา", "มี"),
        ("ガス", "カス"),
        ("ไก่", "ไก"),
        ("100", "1000"),
    ],
)
def test_marks_that_make_another_word_stay(one: str, other: str) -> None:
    assert ANALYSER.terms(one) != ANALYSER.terms(other)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("coffee", "She drinks (mostly) coffee."),
        ("drinking", "She drinks coffee"),
        ("咖啡", "我每天早上喝咖啡，然后工作。"),
        ("北京大学", "他在北京大学读书"),
        ("猫", "我的猫喜欢鱼"),
        ("猫", "我有猫"),
        ("コーヒー", "毎朝コーヒーを飲みます"),
        ("東京", "来月東京に行きます"),
        ("猫", "猫が好き"),
        ("커피", "아침마다 커피를 마신다"),
        ("책", "어제 책을 읽었다"),
        ("책", "이것은 책입니다"),
        ("กาแฟ", "ฉันชอบดื่มกาแฟทุกเช้า"),
        ("น้ำ", "ดื่มน้ำเยอะๆ"),
        ("ກາເຟ", "ຂ້ອຍມັກກາເຟຫຼາຍ"),
        ("កាហ្វេ", "ខ្ញុំចូលចិត្តកាហ្វេណាស់"),
        ("ကော်ဖီ", "ကျွန်တော်ကော်ဖီကြိုက်တယ်"),
        ("καφέ", "Θέλω έναν καφε τώρα"),
        ("قهوة", "أشرب قَهْوَة كل يوم"),
        ("पानी", "मुझे पानी चाहिए।"),
        ("2023", "我在2023年去了日本"),
        ("😀", "great news😀😀!"),
        ("🇫🇷", "moving to 🇩🇪🇫🇷"),
        ("E404", "错误E404出现了"),
        ("gen-itgc", "это gen-itgcпроверка"),
        ("gen-itgc", "проверка:gen-itgc"),
        ("gen-itgc", "проверка-gen-itgc"),
        ("v1.2", "升级到v1.2了"),
    ],
)
def test_a_word_inside_a_sentence_is_found(word: str, text: str) -> None:
    assert found(word, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("北京", "我去过东京塔"),
        ("大学", "大家好"),
        ("书", "我们喝咖啡吧"),
        ("我的猫", "我的车是红色的"),
        ("猫が好きです", "犬もいるんです"),
        ("책상", "책을 읽었습니다"),
        ("커피입니다", "학교입니다"),
    ],
)
def test_sentences_about_other_things_share_no_term(query: str, text: str) -> None:
    assert set(ANALYSER.terms(query)).isdisjoint(ANALYSER.terms(text))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("gen-itgc", ["gen-itgc", "genitgc", "gen", "itgc"]),
        ("E404", ["e404", "404"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("__init__", ["init"]),
        ("v1.2", ["v1.2", "1.2", "v1", "1", "2"]),
        ("camelCase", ["camelcas", "camel", "case"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("userIDs", ["userid", "user", "id"]),
        ("LLMs", ["llms", "llm"]),
        ("iPhone15", ["iphone15", "iphon", "phone", "15"]),
        ("foo.bar", ["foo.bar", "foo", "bar"]),
        ("well-known", ["well-known", "wellknown", "well", "known"]),
        ("agent:john-doe", ["agent:john-doe", "agent", "john-doe", "johndo", "john", "doe"]),
        ("j.doe@mail.org", ["j.doe@mail.org", "j.doe", "doe", "mail.org", "mail", "org"]),
        ("/src/main.py", ["src/main.py", "src", "main.py", "main", "py"]),
        ("C:\\temp\\x", ["c:\\temp\\x", "temp"]),
        ("https://a.org/x?y", ["https://a.org/x", "https", "a.org", "org", "y"]),
        ("ГОСТ-2012", ["гост-2012", "гост", "2012"]),
        ("web-сервер", ["web-сервер", "web", "сервер"]),
        ("C++ C# R&D", ["c++", "c", "c#", "c", "r&d"]),
        ("U.S.A. e.g.", ["u.s.a", "usa"]),
        ("3.14", ["3.14", "3", "14"]),
        ("$1,000 1,000.50", ["1000", "1000.50", "1000", "50"]),
        ("12:30", ["12:30", "12", "30"]),
        ("2026-11-30", ["2026-11-30", "2026", "11", "30"]),
        ("yes,no,maybe", ["yes", "mayb"]),
        ("so...what--really", ["realli"]),
        ("plan B", ["plan", "b"]),
        ("Alice's users' 90's", ["alic", "user", "90"]),
        ("O'Brien’s rock'n'roll", ["obrien", "brien", "rocknrol", "rock", "roll"]),
    ],
)
def test_identifiers_give_the_whole_then_the_parts(text: str, terms: list[str]) -> None:
    assert ANALYSER.terms(text) == terms


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("email", "sent an e-mail"),
        ("wifi", "the Wi-Fi password"),
        ("USA", "born in the U.S.A."),
        ("1000", "cost $1,000"),
        ("3.11", "needs python3.11"),
        ("404", "error E404"),
        ("main.py", "see src/app/main.py:12"),
        ("2026-11-30", "at 2026-11-30T12:30:00Z"),
        ("https://example.com/page", "Read <https://example.com/page/>."),
        ("obrien", "Pat O’Brien called"),
        ("OBrien", "Pat O'Brien's dog"),
    ],
)
def test_other_ways_to_write_an_identifier_find_it(query: str, text: str) -> None:
    assert found(query, text)


def test_russian_words_are_terms_beside_their_stem() -> None:
    assert ANALYSER.terms("книгами книгу дом") == ["книгами", "книг", "книгу", "книг", "дом"]


@pytest.mark.parametrize(
    "text",
    [
        "The coffee is not for me",
        "I don't, we’ll, they've: coffee",
        "DON'T COFFEE",
        "а это coffee для нас",
        "i.e. coffee",
    ],
)
def test_stop_words_are_left_out_beside_content(text: str) -> None:
    assert ANALYSER.terms(text) == ["coffe"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("to be or not to be", ["to", "be", "or", "not", "to", "be"]),
        ("the", ["the"]),
        ("Don't!", ["dont"]),
        ("Кто это?", ["кто", "эт"]),
        ("我们", ["我们"]),
        ("です", ["です"]),
    ],
)
def test_stop_words_are_terms_where_nothing_else_is(text: str, terms: list[str]) -> None:
    assert set(terms) <= set(ANALYSER.terms(text))


@pytest.mark.parametrize("text", ["", " \n\t", "?!", "\"' -- (*) :/ \\", "…", "\u200b\u200f", "\x00\x1f", "─│█"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert ANALYSER.terms(text) == []


@pytest.mark.parametrize(
    "text", ['"(*)" AND NEAR/3 -coffee:', "'; DROP TABLE--", "a* OR b?", "[x](y) {z}", "100% %s %00"]
)
def test_operators_are_plain_text(text: str) -> None:
    assert found(text, f"before {text} behind")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a" * 1_000_000, 1),
        ("猫" * 100_000, 199_999),
        ("x " * 100_000, 100_000),
        ("😀" * 100_000, 100_000),
        ("e" + "\u0301" * 1_000_000, 1),
        ("a-" * 100_000, 1),
        ("1." * 100_000, 100_001),
        ("A" * 1_000_000 + "a", 3),
        ("1" + ",000" * 250_000, 1),
    ],
)
def test_a_megabyte_of_one_thing_gives_no_more_terms_than_characters(text: str, count: int) -> None:
    assert len(ANALYSER.terms(text)) == count


def test_long_tokens_meet_by_their_beginning() -> None:
    long = "x" * words.LONGEST_TERM

    assert ANALYSER.terms(long + "y" * 9) == ANALYSER.terms(long) == [long]


def test_the_cache_starts_afresh_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "CACHED_CHUNKS", 3)
    monkeypatch.setattr(folding, "REMEMBERED_CODE_POINTS", 3)
    small = DefaultAnalyser()
    text = "один two três 四つ five шесть Seven 8 девять"

    assert small.terms(text) == small.terms(text) == ANALYSER.terms(text)


def test_threads_get_the_same_terms() -> None:
    texts = [f"Running runners ran {n} times; память памяти {n} книгами" for n in range(200)]
    shared, barrier, answers = DefaultAnalyser(), threading.Barrier(8), []

    def analyse() -> None:
        barrier.wait()
        answers.append([shared.terms(text) for text in texts])

    threads = [threading.Thread(target=analyse) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [[ANALYSER.terms(text) for text in texts]] * 8


def test_languages_choose_the_stemmer_of_their_script() -> None:
    german = DefaultAnalyser(("russian", "german"))

    assert german.terms("Häuser") == german.terms("Haus") == ["haus"]
    assert german.terms("the") == ["the"]
    assert DefaultAnalyser(()).terms("running the книгами") == ["running", "the", "книгами"]


@pytest.mark.parametrize("languages", [("klingon",), ("",), ("english", "german"), ("english", "english")])
def test_languages_that_cannot_be_used_are_refused(languages: tuple[str, ...]) -> None:
    with pytest.raises(ConfigurationError) as raised:
        DefaultAnalyser(languages)

    assert raised.value.setting == "languages"
    assert "klingon" not in str(raised.value)


def test_identity_names_rules_unicode_stemmer_and_languages() -> None:
    name, rules, *rest = ANALYSER.identity.replace("/", " ").split()
    unicode, snowball, languages = rest

    assert (name, rules) == ("default", str(default.RULES))
    assert unicode == f"unicode={unicodedata.unidata_version}"
    assert snowball.startswith("snowball=")
    assert languages == "english,russian"
    assert DefaultAnalyser(("russian", "english")).identity == ANALYSER.identity
    assert DefaultAnalyser(()).identity.endswith(" none")


def test_identity_fits_with_a_language_for_every_script() -> None:
    every = ("indonesian", "russian", "greek", "persian", "yiddish", "nepali", "armenian", "tamil")

    assert len(DefaultAnalyser(every).identity.encode("ascii")) <= 200


def test_the_pure_stemmers_give_the_same_terms_under_the_same_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("Stemmer", reason="needs the extra 'fast' to compare with")
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    monkeypatch.delitem(sys.modules, "snowballstemmer", raising=False)
    pure = DefaultAnalyser()
    roots = ("relat", "conform", "runn", "happi", "nation", "sk", "gener", "книг", "памят", "красив", "говор", "дел")
    endings = ("", "e", "es", "ed", "ing", "ational", "ously", "ness", "ies", "а", "ами", "ого", "ешь", "лся", "ость")
    text = " ".join(root + ending for root in roots for ending in endings)

    assert type(import_module("snowballstemmer").stemmer("english")).__name__ == "EnglishStemmer"
    assert pure.terms(text) == ANALYSER.terms(text)
    assert pure.identity == ANALYSER.identity
