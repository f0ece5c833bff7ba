"""Judgements that some rules need on what stands around a token."""

import re
from base64 import b64decode
from typing import Final

from reminisce.domain.guard.shapes import bits, is_digest, is_placeholder, is_wordlike, looks_random

__all__ = [
    "holds_data",
    "in_curl",
    "is_generic",
    "is_nested_jwt",
    "is_no_commit",
    "is_password_in_url",
    "is_random",
    "is_real_password",
    "user_in_curl",
]

_NEAR: Final = 600
"""Letters in which a call of curl fits before its option: five lines."""

_TRIVIAL: Final = re.compile(
    r"(?i:pass|passwd|password|passwort|pwd|pw|test|token|x+|\*+|changeme|changeit|secret|user|user[0-9]?|example|foo|bar|foobar"
    r"|admin|root|guest|redacted|hunter2|s3cret|p4ssw0rd|postgres|none|null|true|false)[0-9]{0,3}\Z"
)

_NAME: Final = re.compile(r"[A-Za-z0-9_.\- \t]{1,60}\Z")

_NO_SECRET: Final = re.compile(
    r"(?i:hash|sha_?-?[0-9]|md5|digest|checksum|fingerprint|thumbprint|etag|public|pub_?key|foreign|primary|cache|partition|"
    r"sort_?key|sequence|schema|bucket|hot_?key|idempoten|dedup|csrf|author|monkey|donkey|turkey|keyboard|keystone|"
    r"key[_. -]?(?:spec|id|ids|name|names|length|len|size|ring|rings|code|codes|alias|word|words|press|note|frame|frames|pair|type|space|map|"
    r"path|file|store|event|events|set|error|chain|usage|vault|value|func|board)\b|"
    r"(?:next|prev|previous|continuation|change|lock|request|purchase|action|forward|backward|page|paging|pagination|import|export|"
    r"upload|sync|resume|poll|copy\s?product|launch|fence|fencing|sentinel|design|special|eos|bos|pad|mask|unk|stop)[_. -]?tokens?|"
    r"s3[_. -]?key|object[_. -]?key|row[_. -]?key|sort[_. -]?key|version[_. -]?key|"
    r"tokens?[_. -]?(?:id|ids|type|types|count|ttl|limit|used|length|name|url|uri|endpoint|file|path|class|expir|list|stream|address)|"
    r"(?:secret|password|passwd|credentials?)[_. -]?(?:id|name|length|size|file|path|policy|arn|ref|version|field|url|uri|manager|engine)|"
    r"(?:api|access|auth)[_. -]?(?:id|name|version|url|uri|endpoint|time|log|level|type|date|point|mode|group|control|path)|"
    r"(?:client|instance|user|account|group|pool)-?_?ids?\Z|tokeni[sz]|tokenid|max_tokens?|accessib|accessed|accession|authority|keyword)"
)
"""Names that hold a credential's word and tell of none."""

_STRONG: Final = re.compile(
    r"(?i:passw|passphrase|pwd|secret|token|credential|creds|"
    r"(?:api|access|auth|private|signing|encryption|service|client|license|account|admin|app|deploy|master|webhook)[_. -]?key)"
)
"""Names that tell of a credential even where the value has the form of a digest."""

_DOTTED: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,60}(?:\.[A-Za-z_][A-Za-z0-9_]{0,60}){1,8}\Z", re.ASCII)
"""A name of a thing in a program, part by part."""

_ASSIGNED: Final = re.compile(r"[=:][\"'` ]{0,3}\Z")
"""What follows a weak name where it is one: ``key = ``, and not ``key, `` in a list of words."""

_SCOPED: Final = re.compile(r"[A-Za-z0-9]::[A-Za-z]")
"""A kind of a thing, such as ``Cloud::Api::Key``, and not its value."""

_CLIENT: Final = re.compile(r"(?i:client[_. -]?token)")
"""What some vendors call the name of a request, a UUID."""

_KIND: Final = re.compile(
    r"[A-Za-z0-9]{2,40}(?:Key|Token|Auth|Client|Request|Payload|Password|Secret|Credentials?)s?\Z", re.ASCII
)
"""A name of a kind of thing in a program, such as ``Ed25519PrivateKey``."""

_LISTED: Final = re.compile(r",[\"'` \t]{0,8}\n")

_DIGEST_WORD: Final = re.compile(
    r"(?i:commit|sha-?[0-9]|sha\b|md5|digest|checksum|hash|revision|\brev\b|fingerprint|etag|integrity|incident|\btrace\b|"
    r"merge|git show|git log|blob|tree/|changeset|uuid|guid)"
)


def is_random(text: str, start: int, end: int) -> bool:
    """Letters and digits mixed, and no words."""
    return looks_random(text[start:end])


def is_no_commit(text: str, start: int, end: int) -> bool:
    """Nothing right before the token calls it a digest, a commit or an id of something."""
    del end
    return _DIGEST_WORD.search(text, max(0, start - 48), start) is None


def _is_in_curl(text: str, start: int) -> bool:
    at = text.rfind("curl", max(0, start - _NEAR), start)
    return at >= 0 and text.count("\n", at, start) <= 5


def in_curl(text: str, start: int, end: int) -> bool:
    """A header option of a curl call, with a value that is no word."""
    return _is_in_curl(text, start) and not is_wordlike(text[start:end])


def user_in_curl(text: str, start: int, end: int) -> bool:
    """A user option of a curl call, with a password that is no word for one."""
    if not _is_in_curl(text, start):
        return False
    password = text[start:end].partition(":")[2]
    return bool(password) and _TRIVIAL.match(password) is None and bits(text[start:end]) > 2


def is_password_in_url(text: str, start: int, end: int) -> bool:
    """A password that is no word for one, and no variable."""
    password = text[start:end]
    return _TRIVIAL.match(password) is None and looks_random(password)


def is_real_password(text: str, start: int, end: int) -> bool:
    """A value that is no word and no sample from a vendor's documentation."""
    value = text[start:end]
    return _TRIVIAL.match(value) is None and not is_wordlike(value) and value not in _DOCUMENTED


_DOCUMENTED: Final = frozenset({"33f!!lloppa", "hal+9ooo_da!sY"})
"""Passwords in the documentation of nuget.config."""


def is_nested_jwt(text: str, start: int, end: int) -> bool:
    """Base64 whose plain text is a JSON Web Token's."""
    joined = "".join(text[start:end].split()).replace("-", "+").replace("_", "/")
    try:
        return b64decode(joined[:40]).startswith(b"eyJ")
    except ValueError:
        return False


_DATA: Final = re.compile(
    r"(?:[ \t\n{,])[\"']?[A-Za-z0-9_.-]{1,60}[\"']?:[ \t]{0,8}[\"']?[A-Za-z0-9+/]{10,400}={0,2}[\"']?[ \t]{0,8}(?:$|[\n,}#])"
)


def holds_data(text: str, start: int, end: int) -> bool:
    """A manifest with ``data`` of base64 beside ``kind: Secret``, in the same document."""
    first = max(text.rfind("\n---", max(0, start - 400), start), start - 400, 0)
    last = text.find("\n---", end, end + 400)
    near = text[first : end + 400 if last < 0 else last]
    for word in ("data", "stringData"):
        at = near.find(word)
        while at >= 0:
            colon = at + len(word)
            if near[colon : colon + 2].lstrip("\"'").startswith(":") and _DATA.search(near, colon + 1, colon + 240):
                return True
            at = near.find(word, colon)
    return False


def is_generic(text: str, start: int, end: int) -> bool:
    """Whether what a name calls a credential is one: no word, no variable, no call, and no digest that goes by a weak name."""
    value = text[start:end].strip("=.-_")
    if len(value) < 10 or bits(value) <= 3.2 or not looks_random(value) or is_placeholder(value):
        return False
    if _DIGEST_WORD.match(value) or _DOTTED.match(value) or _KIND.match(value):
        return False
    if text[end : end + 1] in ("(", "[", ":", "@", "*") or text[end : end + 2] in ("://", " ("):
        return False
    said = text[max(0, start - 64) : start]
    name = _NAME.search(said.rstrip("\"'`= \t\n\\([{<:>|,?"))
    told = name[0] if name else said
    if (
        "arn:" in said
        or _LISTED.search(said[-24:])
        or _SCOPED.search(said)
        or _NO_SECRET.search(told)
        or _DIGEST_WORD.search(said)
    ):
        return False
    if value.count("/") >= 3 or value.count(".") >= 3 or value.count("-") > 5 or value.count("_") > 5:
        return False
    if _STRONG.search(told):
        return not (is_digest(value) and _CLIENT.search(told))
    kinds = any(map(str.isdigit, value)) + any(map(str.islower, value)) + any(map(str.isupper, value))
    return (
        _ASSIGNED.search(said) is not None
        and not is_digest(value)
        and len(value) >= 16
        and kinds == 3
        and bits(value) > 3.6
    )
