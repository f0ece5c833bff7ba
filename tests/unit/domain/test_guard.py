"""The guard's rules: every family in many sentences, harmless neighbours of each, and the ways a secret is disguised."""

import random
from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest

from reminisce.domain.guard.literals import LiteralScan
from reminisce.domain.guard.rule import screens_of
from reminisce.domain.guard.rules import RULES
from reminisce.domain.guard.scan import Scanner
from reminisce.domain.guard.shapes import bits, is_wordlike, looks_random
from tests.support.secret_formats import FORMATS, FURTHER
from tests.support.secret_samples import ASIDE, BESIDE, near_misses, token, told

_SCREENS = screens_of(RULES)
_MATCHER = LiteralScan(_SCREENS)
SCANNER = Scanner(RULES, _MATCHER.present, _MATCHER.runs)

NAMES = sorted({name for _, _, name, _ in FORMATS if name not in ("", "=")} | {family for _, family, _, _ in FORMATS})


def found_in(text: str) -> set[str]:
    return {match.rule for match in SCANNER.find(text)}


def github(seed: int = 1) -> str:
    return token("ghp_{36:a}", random.Random(seed))


def test_every_rule_and_family_of_the_published_table_is_there() -> None:
    published = {(rule, family) for rule, family, _, _ in FORMATS} | {("pkcs12-file", "PKCS#12")}

    assert published <= {(rule.id, rule.family) for rule in RULES}
    assert (len({rule for rule, _ in published}), len({family for _, family in published})) == (222, 129)


def test_every_rule_has_a_sample_of_its_own() -> None:
    sampled = {rule for rule, _, _, _ in FORMATS} | {rule for rule, _ in FURTHER}

    assert {rule.id for rule in RULES} - sampled <= UNSAMPLED


UNSAMPLED = {
    "azure-devops-long-token",
    "defined-networking-bare-token",
    "extended-private-key",
    "ibm-cloud-key",
    "sanity-token",
    "vercel-legacy-token",
    "clickup-token",
}
"""Rules beside another of the same vendor's, or with a form that is not published in full: `docs/guard.md` claims none."""


@pytest.mark.parametrize(("rule", "family", "name", "forms"), FORMATS, ids=[row[0] for row in FORMATS])
def test_a_secret_of_every_rule_is_found_in_every_sentence(
    rule: str, family: str, name: str, forms: tuple[str, ...]
) -> None:
    draw = random.Random(rule)
    texts = []
    for form in forms:
        shapes = ("{0}",) * 3 if name == "=" else BESIDE if name and not form.startswith("ATATT3") else ASIDE
        texts += [told(shape, token(form, draw), name or family) for shape in shapes]

    missed = [shape for shape, text in enumerate(texts) if rule not in found_in(text)]

    assert missed == []


@pytest.mark.parametrize(("rule", "form"), FURTHER, ids=[row[0] for row in FURTHER])
def test_what_further_vendors_publish_is_found(rule: str, form: str) -> None:
    draw = random.Random(rule)

    assert all(rule in found_in(token(form, draw)) for _ in range(3))


@pytest.mark.parametrize("name", NAMES)
def test_harmless_sentences_about_a_vendor_are_let_through(name: str) -> None:
    assert [text for text in near_misses(name, random.Random(name)) if found_in(text)] == []


HARMLESS = [
    "Dana prefers tea over coffee and never books a meeting before ten.",
    "password: hunter",
    "password = os.environ['DB_PASSWORD']",
    "password: \"{{ vault_db_password }}\"",
    "token_type=bearer_authorization",
    "monkey: banana-2026-basket, keyboard: k380-multi-device",
    "max_tokens = 4096, key_length = 2048, token_ttl_seconds = 900",
    "cache_key: user_4812_profile_v2, primary_key=id",
    "The file must start with -----BEGIN RSA PRIVATE KEY----- or ssh refuses it.",
    "return s.getAuthenticationManager; // a bean",
    "A header looks like eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 and says nothing.",
    "curl -sSL https://example.com/install.sh | sh",
    'curl -u "$CI_USER:$CI_PASS" https://repo.example.com/',
    "postgres://user:password@localhost/db",
    "kind: ConfigMap\ndata:\n  LOG_LEVEL: information\n",
    "apiVersion: v1\nkind: Secret\ndata:\n  dsn: {{ .Values.dsn }}\n",
    "The guide always prints AKIA" + "IOSFODNN7EXAMPLE, copy nothing from there.",
    "订单号 202607210040599 已发货，运单 SF1387717730139。",
    "ИНН 7700000000, договор № 48/2026-К от 12.03.2026.",
    "access = winreg.KEY_READ | winreg.KEY_WOW64_32KEY",
    "from cryptography import Ed25519PrivateKey, X25519PrivateKey",
]  # fmt: skip


@pytest.mark.parametrize("text", HARMLESS)
def test_everyday_text_is_let_through(text: str) -> None:
    assert found_in(text) == set()


NEIGHBOURS = [
    "用{0}登",
    "ключ{0}истёк",
    "old_{0}_v2",
    "🔑{0}🔒",
    "({0})",
    "{0}.",
    "<{0}>",
    "a,{0},b",
    "\u200b{0}\u200b",
    "«{0}»",
]


@pytest.mark.parametrize("shape", NEIGHBOURS)
def test_a_token_is_found_whatever_stands_beside_it(shape: str) -> None:
    assert "github-pat" in found_in(shape.format(github()))


def _wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


DISGUISES: dict[str, Callable[[str], str]] = {
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphen": lambda text: text[:14] + "\u00ad" + text[14:],
    "full width": _wide,
    "lookalikes": lambda text: text.replace("p", "р", 1).replace("a", "а", 1),
    "percent": lambda text: "".join(f"%{ord(letter):02X}" for letter in text),
    "a url": lambda text: quote(f"token={text}&x=/"),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64 in a sentence": lambda text: f"see {b64encode(f'it is {text}!'.encode()).decode()}, please",
    "hex": lambda text: text.encode().hex(),
    "json": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "after a written line end": lambda text: f"first\\n{text}\\nlast",
    "two lines": lambda text: f"{text[:22]}\n{text[22:]}",
    "quoted lines": lambda text: f"> {text[:22]}\n> {text[22:]}",
    "a shell's lines": lambda text: f"{text[:22]}\\\n{text[22:]}",
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("seed", range(8))
def test_a_disguised_token_is_found(disguise: str, seed: int) -> None:
    secret = github(seed)

    assert "github-pat" in found_in(f"note: {DISGUISES[disguise](secret)} end")


def test_a_finding_says_where_the_token_stands() -> None:
    secret = github()
    text = f"ключ: {secret}, and again {quote(secret)}"

    spans = {text[match.start : match.end] for match in SCANNER.find(text)}

    assert spans == {secret}


@pytest.mark.parametrize("disguise", ["zero width", "full width", "base64", "hex", "percent", "json", "soft hyphen"])
def test_a_finding_covers_a_disguised_token(disguise: str) -> None:
    hidden = DISGUISES[disguise](github())
    text = f"wir: {hidden} ende"

    [match] = [match for match in SCANNER.find(text) if match.rule == "github-pat"]

    assert text[match.start : match.end] == hidden


def test_no_secret_reaches_across_two_fields() -> None:
    secret = github()

    assert found_in(f"{secret[:20]}\0{secret[20:]}") == set()
    assert found_in("heroku_key:\0" + token("{uuid}", random.Random(1))) == set()


def test_entropy_is_counted_in_bits_a_letter() -> None:
    assert (bits(""), bits("aaaa"), bits("abab"), bits("abcd")) == (0, 0, 1, 2)


def test_words_are_told_from_random_letters() -> None:
    draw = random.Random(5)
    drawn = [token("{20:a}", draw) for _ in range(2_000)]

    assert sum(map(is_wordlike, drawn)) <= 4
    assert all(map(is_wordlike, ["getAuthenticationManager", "bearer_authorization", "session-cookie-name"]))
    assert not looks_random("banana-2026-basket")
