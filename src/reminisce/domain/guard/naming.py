"""How a name and the token it names stand together: the words between, as one pattern."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["DIGEST_WORDS", "beside"]

_NOUN: Final = (
    "(?i:keys?|tokens?|secrets?|passwords?|passwd|pass|pwd|credentials?|creds?|auth|id|sid"
    "|license|licence|account|value|code|cookie)"
)

_ASSIGNED: Final = (
    r"[A-Za-z0-9_.\- \t]{0,24}[\"'`\s)\]\\*]{0,4}(?:[:?]{0,3}={1,3}>?|:{1,3}|>|,|\|{1,2})[\"'`\s=(\[{<\\*]{0,6}"
)
"""``ADOBE_KEY = "…"``, ``adobe key: …``, ``"adobe.key": "…"``, ``<adobe-key>…``, ``| adobe key | …``."""

_VALUED: Final = (
    r"[A-Za-z0-9_.-]{0,40}[\"'`\\]{0,2}[\s,{>]{1,16}[\"'\\]{0,2}(?i:value|default|content)"
    r"[\"'\\]{0,2}[ \t]{0,4}[=:][\"'`\s\\]{0,4}"
)
"""``name: ADOBE_KEY, value: …`` in manifests and variables."""

_SAID: Final = (
    r"[^=:|<>{}\x00\n]{0,40}?"
    + _NOUN
    + r"[\"'`)*]{0,2}\s{1,3}(?:(?i:is|was|are|equals|reads|now|set to|to)\s{1,3}){0,2}[\"'`(<*]{0,3}"
)
"""``the adobe key is …``, ``the adobe client secret …``."""

_SECTION: Final = r"[\"'\]}:{\s]{1,8}[\"']?[A-Za-z_.-]{0,20}" + _NOUN + r"[\"']?[ \t]{0,4}(?:=>?|:)[\"'`\s]{0,4}"
"""``[adobe]`` or ``adobe:`` on a line of its own, then ``key = …``."""

_LEAD: Final = f"(?:{_ASSIGNED}|{_VALUED}|{_SAID}|{_SECTION})"

DIGEST_WORDS: Final = re.compile(
    r"(?i:commit|sha-?[0-9]{1,3}|md5|digest|checksum|hash|revision|fingerprint|etag|integrity|incident"
    r"|trace[_ -]?id|request[_ -]?id|span[_ -]?id|changeset|\bref\b)",
    re.ASCII,
)
"""Words that tell that what looks like a key is the digest or the number of something."""


@lru_cache(maxsize=512)
def beside(pattern: str) -> re.Pattern[str]:
    """What to look for right after a name: the words between, then the token, with no letter or digit right after it."""
    return re.compile(f"{_LEAD}(?P<t>{pattern})(?:$|[^A-Za-z0-9])", re.ASCII)
