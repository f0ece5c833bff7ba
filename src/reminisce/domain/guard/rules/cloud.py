"""Clouds, hosting, networks and infrastructure as code."""

import re
from typing import Final

from reminisce.domain.guard.rule import UUID, Rule, alnum, hexa, lowhex, marked, named, of, upper, wordy

__all__ = ["RULES"]

V: Final = "vendor"
B64: Final = "A-Za-z0-9+/"

_LETTERS: Final = re.compile(r"s\.[A-Za-z]{24}\Z")


def _no_method_name(text: str, start: int, end: int) -> bool:
    return _LETTERS.match(text, start, end) is None


def _no_sample(text: str, start: int, end: int) -> bool:
    return not text[start:end].endswith("EXAMPLE")


def _no_path(text: str, start: int, end: int) -> bool:
    """A secret access key has capitals, small letters and digits; a path or a name seldom has all, and many a slash."""
    token = text[start:end]
    kinds = any(map(str.isdigit, token)) + any(map(str.islower, token)) + any(map(str.isupper, token))
    return kinds == 3 and token.count("/") <= 4


RULES: Final[tuple[Rule, ...]] = (
    marked("alibaba-access-key-id", "Alibaba Cloud", f"LTAI{alnum(17, 21)}", "ltai", ends="Bb", entropy=2.5),
    named("alibaba-secret-key", "Alibaba Cloud", "alibaba aliyun", alnum(30)),
    marked(
        "aws-access-token",
        "AWS",
        f"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA){of('A-Z2-7', 16)}",
        "akia",
        "asia",
        "abia",
        "acca",
        "a3t",
        ends="Bb",
        entropy=3,
        check=_no_sample, then=r"[a-z0-9]{15}"),
    marked("aws-amazon-bedrock-api-key-long-lived", "AWS", f"ABSK{of(B64, 109, 269)}={{0,2}}", "absk", ends="B", entropy=3),
    marked(
        "aws-amazon-bedrock-api-key-short-lived",
        "AWS",
        f"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{of(B64, 0, 400)}",
        "bedrock-api-key-ymvk",
        entropy=3,
    ),
    named(
        "aws-secret-access-key",
        "AWS",
        "secret_access_key secretaccesskey secret_key aws_secret aws-secret",
        of(B64, 40),
        entropy=4,
        check=_no_path,
        source=V,
    ),
    named("aws-session-token", "AWS", "session_token sessiontoken", of(B64, 100, 400), entropy=4, source=V),
    marked(
        "azure-ad-client-secret",
        "Azure AD (Entra)",
        f"[A-Za-z0-9_~.]{{3}}[0-9]Q~{of('A-Za-z0-9_~.-', 31, 34)}",
        "q~",
        lead=4,
        ends="Bb",
        entropy=3,
    ),
    marked(
        "azure-storage-key",
        "Azure",
        f"(?:AccountKey|accountkey|ACCOUNTKEY|SharedAccessKey|sharedaccesskey)[\"']?[ ]?[=:][ ]?[\"']?(?P<t>{of(B64, 42, 86)}=={{0,1}})",
        "accountkey",
        "sharedaccesskey",
        entropy=4,
        source=V,
    ),
    named("azure-devops-token", "Azure", "azure", of("a-z0-9", 52), entropy=3.2, source=V),
    marked("azure-devops-long-token", "Azure", f"{alnum(76)}AZDO{alnum(4)}", "azdo", lead=76, ends="Bb", entropy=3.5, source=V),
    marked("azure-sas", "Azure", "sig=(?P<t>[A-Za-z0-9%+/]{43,64}(?:=|%3[Dd]))", "sig=", entropy=4, source=V),
    marked("azure-registry-password", "Azure", rf"{of(B64, 42)}\+ACR{alnum(6)}", "+acr", lead=42, ends="b", entropy=4, source=V),
    named("cisco-meraki-api-key", "Cisco Meraki", "meraki", lowhex(40), entropy=3),
    marked("clickhouse-cloud-api-secret-key", "ClickHouse Cloud", f"4b1d{alnum(38)}", "4b1d", ends="Bb", entropy=3),
    named("cloudflare-api-key", "Cloudflare", "cloudflare", wordy(40)),
    named("cloudflare-global-api-key", "Cloudflare", "cloudflare", hexa(37)),
    marked("cloudflare-origin-ca-key", "Cloudflare", rf"v1\.0-{lowhex(24)}-{lowhex(146)}", "v1.0-", ends="Bb"),
    marked("cloudflare-api-token", "Cloudflare", f"(?:cfut|cfat|cfk)_{alnum(40)}{lowhex(8)}", "cfut_", "cfat_", "cfk_", ends="b",
           source=V),
    named("defined-networking-api-token", "Defined Networking", "dnkey", f"dnkey-{of('A-Za-z0-9=_-', 26)}-{of('A-Za-z0-9=_-', 52)}"),
    marked("defined-networking-bare-token", "Defined Networking", f"dnkey-{of('A-Za-z0-9=_-', 26)}-{of('A-Za-z0-9=_-', 52)}",
           "dnkey-", ends="Bb", entropy=3, source=V),
    marked("deno-deploy-token", "Deno Deploy", f"dd[pw]_{alnum(36)}", "ddp_", "ddw_", ends="Bb", entropy=3, source=V),
    marked("digitalocean-access-token", "DigitalOcean", f"doo_v1_{lowhex(64)}", "doo_v1_", ends="b", entropy=2.5),
    marked("digitalocean-pat", "DigitalOcean", f"dop_v1_{lowhex(64)}", "dop_v1_", ends="b", entropy=2.5),
    marked("digitalocean-refresh-token", "DigitalOcean", f"[Dd][Oo][Rr]_[Vv]1_{hexa(64)}", "dor_v1_", ends="b"),
    marked("doppler-api-token", "Doppler", rf"dp\.pt\.{alnum(43)}", "dp.pt."),
    marked("doppler-service-token", "Doppler", rf"dp\.(?:ct|sa|scim|audit|st(?:\.[a-z0-9_-]{{2,35}})?)\.{alnum(40, 44)}",
           "dp.ct.", "dp.st.", "dp.sa.", "dp.scim.", "dp.audit.", entropy=3, source=V),
    named("fastly-api-token", "Fastly", "fastly", of("A-Za-z0-9=_-", 32)),
    marked("flyio-access-token", "Fly.io", f"(?:fo1_{wordy(43)}|(?:fm2_|fm1a_|fm1r_){of(B64, 100, 700)}={{0,3}})",
           "fo1_", "fm2_", "fm1a_", "fm1r_", ends="Bb", entropy=3.5),
    marked("gcp-api-key", "Google Cloud", f"AIza{wordy(35)}", "aiza", ends="b", entropy=3),
    marked("google-oauth-access-token", "Google Cloud", rf"ya29\.{wordy(20, 400)}", "ya29.", ends="B", entropy=3, source=V),
    marked("google-oauth-client-secret", "Google Cloud", f"GOCSPX-{wordy(28)}", "gocspx-", ends="B", entropy=3, source=V),
    marked("google-oauth-refresh-token", "Google Cloud", f"1//0{wordy(60, 120)}", "1//0", ends="B", entropy=3.5, source=V, then=r"[a-z0-9_-]{16}"),
    marked("hashicorp-tf-api-token", "HashiCorp Terraform", rf"{alnum(14)}\.atlasv1\.{of('A-Za-z0-9=_-', 60, 70)}",
           ".atlasv1.", lead=14, ends="b", entropy=3.5),
    marked("vault-batch-token", "HashiCorp Vault", rf"hvb\.{wordy(138, 300)}", "hvb.", ends="B", entropy=3.5),
    marked("vault-service-token", "HashiCorp Vault", rf"hvs\.{wordy(90, 120)}", "hvs.", ends="B", entropy=3.5),
    marked("vault-service-token", "HashiCorp Vault", rf"s\.{alnum(24)}", "s.", ends="Bb", entropy=3.5, check=_no_method_name, then=r"[a-z0-9]{24}"),
    named("heroku-api-key", "Heroku", "heroku", UUID),
    marked("heroku-api-key-v2", "Heroku", f"HRKU-AA{wordy(58)}", "hrku-aa", ends="b", entropy=3.5),
    named("ibm-cloud-key", "IBM Cloud", "ibmcloud ibm_cloud ibm-cloud", wordy(44), entropy=4, source=V),
    marked("infracost-api-token", "Infracost", f"ico-{alnum(32)}", "ico-", ends="Bb", entropy=3),
    named("netlify-access-token", "Netlify", "netlify", of("A-Za-z0-9=_-", 40, 46)),
    marked("netlify-personal-token", "Netlify", f"nfp_{of('A-Za-z0-9_', 36)}", "nfp_", ends="Bb", entropy=3, source=V),
    named("ngrok-token", "ngrok", "ngrok", f"2{alnum(26)}_[0-9]{alnum(20)}", entropy=3.5, source=V),
    marked("openshift-user-token", "OpenShift", f"sha256~{wordy(43)}", "sha256~", ends="Bb", entropy=3.5),
    marked("planetscale-api-token", "PlanetScale", f"pscale_tkn_{of('A-Za-z0-9_=.-', 32, 64)}", "pscale_tkn_", entropy=3),
    marked("planetscale-oauth-token", "PlanetScale", f"pscale_oauth_{of('A-Za-z0-9_=.-', 32, 64)}", "pscale_oauth_", entropy=3),
    marked("planetscale-password", "PlanetScale", f"(?i:pscale_pw_){of('A-Za-z0-9_=.-', 32, 64)}", "pscale_pw_", entropy=3),
    marked("portainer-token", "Portainer", f"ptr_{of('A-Za-z0-9+/=_-', 40, 60)}", "ptr_", ends="B", entropy=4, source=V),
    marked("pulumi-api-token", "Pulumi", f"pul-{lowhex(40)}", "pul-", ends="Bb"),
    named("railway-token", "Railway", "railway_token railway_api_token railway_key", UUID, source=V),
    marked("scalingo-api-token", "Scalingo", f"tk-us-{wordy(48)}", "tk-us-", ends="Bb"),
    marked("supabase-token", "Supabase", f"(?:sbp_{of('a-z0-9', 40)}|sb_secret_{wordy(20, 60)})", "sbp_", "sb_secret_", ends="B",
           entropy=3, source=V),
    marked("tailscale-key", "Tailscale", f"tskey-{of('a-z', 3, 10)}-{of('A-Za-z0-9_', 10, 30)}-{of('A-Za-z0-9_', 20, 50)}", "tskey-",
           entropy=3, source=V),
    marked("tencent-secret-id", "Tencent Cloud", f"AKID{alnum(32)}", "akid", ends="Bb", entropy=3.5, source=V),
    marked("volcengine-access-key", "Volcengine", f"AKLT{wordy(43, 60)}", "aklt", ends="B", entropy=3.5, source=V),
    marked("baidu-access-key", "Baidu Cloud", f"ALTAK{alnum(21)}", "altak", ends="Bb", entropy=3, source=V),
    marked("vercel-token", "Vercel", f"vc[pia]_{alnum(24, 60)}", "vcp_", "vci_", "vca_", ends="Bb", entropy=3.5, source=V),
    named("vercel-legacy-token", "Vercel", "vercel_token vercel_api_token", alnum(24), entropy=3.5, source=V),
    named("yandex-access-token", "Yandex Cloud", "yandex",
          rf"[Tt]1\.{wordy(1, 400)}={{0,2}}\.{wordy(86)}={{0,2}}"),
    named("yandex-api-key", "Yandex Cloud", "yandex", f"(?i:AQVN){wordy(35, 38)}"),
    named("yandex-aws-access-token", "Yandex Cloud", "yandex", f"(?i:YC){wordy(38)}"),
    marked("wireguard-key", "WireGuard", f"(?:[Pp]rivate|[Pp]reshared)[Kk]ey[\"']?[ ]{{0,3}}[=:][ ]{{0,3}}[\"']?(?P<t>{of(B64, 43)}=)",
           "privatekey", "presharedkey", ends="b", entropy=4, source=V),
    marked("rootly-api-key", "Rootly", f"rootly_{lowhex(64)}", "rootly_", ends="b", source=V),
    marked("salad-cloud-key", "Salad", f"salad_cloud_{alnum(1, 7)}_{alnum(20, 235)}", "salad_cloud_", entropy=3, source=V),
    marked("endor-labs-key", "Endor Labs", rf"endr\+{of('A-Za-z0-9-', 16)}", "endr+", ends="Bb", entropy=3, source=V),
    marked("zoho-oauth-token", "Zoho", rf"1000\.{lowhex(32)}\.{lowhex(32)}", "1000.", ends="Bb", entropy=3, source=V),
    marked("octopus-deploy-api-key", "Octopus Deploy", f"API-{upper(26)}", "api-", ends="Bb", entropy=3, then=r"[a-z0-9]{16}"),
)  # fmt: skip
