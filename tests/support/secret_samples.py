"""Makes fake secrets from the published formats, and the sentences that people put them in. None is written down."""

import random
import re
import string
from typing import Final

__all__ = ["ASIDE", "BESIDE", "near_misses", "token", "told"]

_HOLE: Final = re.compile(r"\{(?:uuid|\|((?:[^{}]|\{[^{}]*\})*)|([0-9]+)(?:-([0-9]+))?:([^}]+))\}")
_LETTERS: Final = {
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "9": string.digits,
    "x": "0123456789abcdef",
    "X": "0123456789abcdefABCDEF",
    "b": string.ascii_letters + string.digits + "+/",
    "w": string.ascii_letters + string.digits + "_-",
}


def _letters(written: str) -> str:
    if written in _LETTERS:
        return _LETTERS[written]
    spelled = written
    if written[0] in "al" and (written[1] != "-" or len(written) == 2):
        spelled = {"a": "A-Za-z0-9", "l": "a-z0-9"}[written[0]] + written[1:]
    kept = re.compile(f"[{spelled}]")
    return "".join(letter for letter in string.printable if kept.match(letter))


def token(form: str, draw: random.Random) -> str:
    """A fake secret of that form, as random as a real one."""

    def filled(match: re.Match[str]) -> str:
        words, least, most, letters = match.groups()
        if words is not None:
            return token(draw.choice(re.split(r"\|(?![^{]*\})", words)), draw)
        if least is None:
            parts = ["".join(draw.choices("0123456789abcdef", k=size)) for size in (8, 4, 4, 4, 12)]
            return "-".join(parts)
        size = draw.randint(int(least), int(most or least))
        among = _letters(letters)
        while True:
            made = "".join(draw.choices(among, k=size))
            ends = made[:1] + made[-1:]
            # What begins or ends with a sign is split by the text around it; and a secret has more than a few letters.
            if (
                (size < 8 or len(set(made)) > min(size // 4, 6))
                and (size < 2 or ends.isalnum())
                and _mixed(made, among)
            ):
                return made

    return _HOLE.sub(filled, form)


def _mixed(made: str, among: str) -> bool:
    """Long ones of letters and digits hold both: vendors draw no words."""
    return (
        len(made) < 10
        or "0" not in among
        or "z" not in among
        or (any(map(str.isdigit, made)) and any(map(str.isalpha, made)))
    )


ASIDE: Final = (
    "{0}",
    "Kay said the {1} one is {0}, please rotate it",
    "value=({0})",
    "[{0}]",
    '{{"v":"{0}"}}',
    "`{0}`",
    "«{0}»",
    "用{0}登录",
    "токен{0}истёк",
    "🔑{0}🔒",
    "ref_{0}_old",
    "<code>{0}</code>",
    "one,{0},three",
    "see {0}.",
    "export X='{0}'",
    "x:\n  - {0}\n",
    "https://h.example/p?k={0}&n=1",
    "| {1} | {0} |",
    "-> {0}",
    "（{0}）",
)
"""Texts about a token that carries its own mark; ``{1}`` is its family."""

BESIDE: Final = (
    "{1}: {0}",
    "{1} = {0}",
    "{1}_KEY={0}",
    "export {1}_TOKEN='{0}'",
    "{1}.secret={0}",
    '"{1}_api_key": "{0}"',
    "'{1}-token' => '{0}',",
    'const {1}Key := "{0}"',
    '{1}_secret = "{0}" # prod',
    "{1}_key: {0}\nnext: 1",
    "<{1}_key>{0}</{1}_key>",
    "| {1} key | {0} |",
    "https://h.example/p?{1}_key={0}&n=1",
    "my {1} credential: {0}, keep it",
    "в настройках {1}_key = {0}，",
    "配置{1}_key：{0}。",
    "the {1} key is {0}",
    "{1} token -> {0}",
    "name: {1}_KEY\n  value: {0}",
    '{{"name": "{1}_TOKEN", "value": "{0}"}}',
    "[{1}]\nkey = {0}",
    "{1}_TOKEN, {0}",
)
"""Texts about a token that only the name ``{1}`` tells; none says that it is a digest."""


def told(shape: str, secret: str, name: str) -> str:
    """A text of that shape about a secret."""
    return shape.format(secret, name)


def near_misses(name: str, draw: random.Random) -> tuple[str, ...]:
    """Harmless texts that name a vendor."""
    sha, uuid = token("{40:x}", draw), token("{uuid}", draw)
    return (
        f"{name}: the exporter was fixed in commit {sha}",
        f"the {name} incident {uuid} is closed",
        f"sha256 of the {name} image: {token('{64:x}', draw)}",
        f"{name.upper()}_KEY=<your-{name}-key>",
        f"{name.upper()}_TOKEN=${{{name.upper()}_TOKEN}}",
        f"{name}_key = os.environ['{name.upper()}_KEY']",
        f"{name} key: ****************",
        f"{name} token: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        f"The {name} token docs say that a key lives for an hour.",
        f"{name} support: +49 30 {token('{6:9}', draw)}, weekdays",
        f"https://docs.example.org/{name}/guides/getting-started?utm_campaign=spring-{token('{4:9}', draw)}",
        f"{name}的密钥由小王保管，令牌七天失效。",
        f"Ключ {name} хранит Олег, токен живёт сутки.",
    )
