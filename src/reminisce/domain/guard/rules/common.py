"""Formats of no one vendor: keys, signed tokens, commands, addresses, and whatever a name calls secret."""

from typing import Final

from reminisce.domain.guard.rule import Rule, hexa, lowhex, marked, named, of, upper
from reminisce.domain.guard.rules.judging import (
    holds_data,
    in_curl,
    is_generic,
    is_nested_jwt,
    is_no_commit,
    is_password_in_url,
    is_random,
    is_real_password,
    user_in_curl,
)

__all__ = ["RULES"]

V: Final = "published"
B58: Final = "1-9A-HJ-NP-Za-km-z"
GROUPS: Final = f"(?:{upper(11)}|{upper(6)}-{upper(5)})-{upper(5)}-{upper(5)}-{upper(5)}"

RULES: Final[tuple[Rule, ...]] = (
    marked("1password-secret-key", "1Password", f"A3-{upper(6)}-{GROUPS}", "a3-", ends="Bb", entropy=3.5, then=r"[a-z0-9]{6}-"),
    marked("1password-service-account-token", "1Password", f"ops_eyJ{of('A-Za-z0-9+/', 250, 1200)}={{0,3}}", "ops_eyj", entropy=3.5),
    marked("age-secret-key", "age", f"AGE-SECRET-KEY-1{of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}", "age-secret-key-1", entropy=2.5),
    marked("private-key", "Private key",
           r"-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\x20-\x2c\x2e-\x7e\s-]{0,240}?[A-Za-z0-9+/]{40}", "-----begin",
           entropy=0),
    marked("putty-private-key", "Private key", r"Private-Lines:[ ]?[0-9]{1,3}\s{1,3}(?P<t>[A-Za-z0-9+/=]{40,64})", "private-lines:",
           source=V),
    marked("pkcs12-file", "PKCS#12", r"MI[I-L][A-Za-z0-9+/]{2}[AQgw]IBAzCC[A-Za-z0-9+/\s]{100}", "ibazcc", lead=6, ends="B", entropy=3,
           source="RFC 7292"),
    marked("jwt", "JWT",
           r"ey[A-Za-z0-9]{17,1000}\.ey[A-Za-z0-9/\\_-]{17,2000}\.(?:[A-Za-z0-9/\\_-]{10,700}={0,2})?", "eyj", "eya", ends="B", entropy=3),
    marked("jwt-base64", "JWT", r"ZXlK[A-Za-z0-9+/_\s-]{60,400}", "zxlk", ends="B", entropy=3, check=is_nested_jwt),
    marked("curl-auth-header", "curl command line",
           r"(?:-H|--header)[ =]{0,2}\$?[\"'](?:(?i:authorization):[ ]{0,2}(?:(?i:basic|bearer|token|api-token|apikey)[ ]{1,2})?"
           r"|(?:[A-Za-z0-9]{1,20}-){0,4}(?i:api-?key|key|[a-z]{0,12}token|secret):[ ]{0,2})(?P<t>[A-Za-z0-9_=~@.+/-]{8,400})",
           '-h "', "-h '", '-h"', "-h'", "--header", "-h $", entropy=2.6, check=in_curl),
    marked("curl-auth-user", "curl command line",
           r"(?:-u|--user)[ =]{0,2}[\"']?(?P<t>[^\s\"'$<>{}:()]{1,64}:[^\s\"'$<>{}()]{3,100})", "-u", "--user", ends="B", entropy=2,
           check=user_in_curl, then=r"[ =]{0,2}[^ \t\n$<>{}:()]{1,64}:"),
    marked("authorization-header", "Authorization header",
           r"(?i:authorization)[\"'\\]{0,2}[ ]{0,2}[:=][ ]{0,2}[\"'\\]{0,2}(?i:basic|bearer|token|apikey)[ ]{1,2}(?P<t>[A-Za-z0-9_=~.+/-]{16,400})",
           "authorization", entropy=3.2, check=is_random, source="RFC 9110"),
    marked("kubernetes-secret-yaml", "Kubernetes", r"kind[\"']?:[ \t]{0,4}[\"']?Secret(?:$|[^A-Za-z0-9])", "kind", entropy=0,
           check=holds_data, then=r"[\x22']?:"),
    marked("nuget-config-password", "NuGet",
           r"(?i:<add[ ]{1,4}key[ ]{0,2}=[ ]{0,2}[\"'](?:ClearText)?Password[\"'][ ]{1,4}value[ ]{0,2}=[ ]{0,2}[\"'])"
           r"(?P<t>[^\"'%<>${}]{8,200})[\"']", "<add", entropy=1, check=is_real_password),
    marked("hashicorp-tf-password", "HashiCorp Terraform",
           r"(?i:password)[ \t]{0,20}=[ \t]{0,20}\"(?P<t>[A-Za-z0-9=_-]{8,20})\"", "password", entropy=2.2, check=is_random),
    named("sidekiq-secret", "Sidekiq", "bundle_enterprise__contribsys__com bundle_gems__contribsys__com", f"{hexa(8)}:{hexa(8)}"),
    marked("sidekiq-sensitive-url", "Sidekiq", rf"(?i:https?://{lowhex(8)}:{lowhex(8)}@(?:gems|enterprise)\.contribsys\.com)",
           "contribsys.com", lead=50),
    marked("connection-string", "Connection strings",
           r"(?i:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqp|amqps|ftp|ftps|sftp|http|https|mssql|sqlserver|clickhouse"
           r"|ldap|ldaps|smtp|smtps|nats|ssh|git|oracle|cockroachdb|couchdb|neo4j|bolt)(?:\+[a-z0-9]{1,16})?"
           r"://[^\s:/@\"'<>]{0,64}:(?P<t>[^\s/@\"'<>{}$]{6,128})@[A-Za-z0-9\[]", "://", lead=28, source=V, check=is_password_in_url, then=r"[^ \t\n:/@<>]{0,64}:"),
    marked("extended-private-key", "Wallets", f"xprv{of(B58, 107)}", "xprv", ends="Bb", entropy=4, source="BIP 32"),
    named("wallet-import-key", "Wallets", "wif privkey private_key privatekey private-key", f"(?:[5KL]{of(B58, 50, 51)}|0x{hexa(64)})",
          entropy=3, source=V),
    marked("sourcegraph-access-token", "Sourcegraph", hexa(40), "sourcegraph", across=True, ends="Bb", entropy=3, check=is_no_commit),
    named("generic-api-key", "Generic",
          "access auth api credential creds key passwd password passphrase pwd secret token",
          of("A-Za-z0-9_.=+/-", 10, 150), entropy=3.2, check=is_generic),
)  # fmt: skip
