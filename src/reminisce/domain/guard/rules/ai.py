"""Models, and what is built around them."""

from typing import Final

from reminisce.domain.guard.rule import UUID, Rule, alnum, hexa, lowhex, marked, named, of, wordy

__all__ = ["RULES"]

V: Final = "vendor"

RULES: Final[tuple[Rule, ...]] = (
    marked("anthropic-admin-api-key", "Anthropic", f"sk-ant-admin01-{wordy(93)}AA", "sk-ant-admin01-", ends="b"),
    marked("anthropic-api-key", "Anthropic", f"sk-ant-api03-{wordy(93)}AA", "sk-ant-api03-", ends="b"),
    marked(
        "anthropic-session-token",
        "Anthropic",
        f"sk-ant-(?:oat01|ort01|sid01|sid02)-{wordy(40, 400)}",
        "sk-ant-oat01-",
        "sk-ant-ort01-",
        "sk-ant-sid01-",
        "sk-ant-sid02-",
        source=V,
    ),
    named("cohere-api-token", "Cohere", "cohere co_api_key", alnum(40), entropy=3.5),
    marked(
        "huggingface-access-token", "Hugging Face", f"hf_{of('A-Za-z', 34)}", "hf_", ends="Bb", then=r"[a-z0-9]{16}"
    ),
    marked("huggingface-organization-api-token", "Hugging Face", f"api_org_{of('A-Za-z', 34)}", "api_org_", ends="Bb"),
    marked(
        "openai-api-key",
        "OpenAI",
        f"sk-(?:(?:proj|svcacct|admin)-{wordy(40, 80)}T3BlbkFJ{wordy(40, 80)}|{alnum(20)}T3BlbkFJ{alnum(20)})",
        "sk-",
        ends="Bb",
        entropy=3,
        then=r"[a-z0-9_-]{16}",
    ),
    marked("perplexity-api-key", "Perplexity", f"pplx-{alnum(48)}", "pplx-", ends="Bb", entropy=3.5),
    named("privateai-api-token", "Private AI", "privateai private_ai private-ai", of("a-z0-9", 32), entropy=3),
    marked(
        "braintrust-api-key",
        "Braintrust",
        f"sk-{alnum(48)}",
        "sk-",
        ends="Bb",
        entropy=3.5,
        source=V,
        then=r"[a-z0-9_-]{16}",
    ),
    marked("cerebras-api-key", "Cerebras", f"csk-{alnum(32, 60)}", "csk-", ends="Bb", entropy=3, source=V),
    marked("elevenlabs-api-key", "ElevenLabs", f"sk_{lowhex(48)}", "sk_", ends="Bb", entropy=3, source=V),
    marked(
        "firecrawl-api-key",
        "Firecrawl",
        f"fc-{lowhex(32)}",
        "fc-",
        ends="Bb",
        entropy=2.5,
        source=V,
        then=r"[a-z0-9]{16}",
    ),
    marked(
        "fireworks-api-key",
        "Fireworks",
        f"fw_{alnum(20, 28)}",
        "fw_",
        ends="Bb",
        entropy=3.2,
        source=V,
        then=r"[a-z0-9]{16}",
    ),
    marked("groq-api-key", "Groq", f"gsk_{alnum(52)}", "gsk_", ends="b", entropy=3, source=V),
    marked("jina-api-key", "Jina", f"jina_{wordy(40, 70)}", "jina_", ends="B", entropy=3.2, source=V),
    marked("langfuse-secret-key", "Langfuse", f"sk-lf-{UUID}", "sk-lf-", ends="b", source=V),
    marked("langsmith-api-key", "LangSmith", f"lsv2_(?:pt|sk)_{lowhex(32)}_{lowhex(10)}", "lsv2_", ends="b", source=V),
    marked("nvidia-api-key", "NVIDIA", f"nvapi-{wordy(64)}", "nvapi-", entropy=3, source=V),
    marked(
        "openai-like-api-key",
        "OpenAI-like",
        f"sk-{of('a-z0-9', 32)}",
        "sk-",
        ends="Bb",
        entropy=3,
        source=V,
        then=r"[a-z0-9_-]{16}",
    ),
    marked("openrouter-api-key", "OpenRouter", f"sk-or-v1-{lowhex(64)}", "sk-or-v1-", ends="b", source=V),
    marked("pinecone-api-key", "Pinecone", f"pcsk_{alnum(5, 6)}_{alnum(60, 66)}", "pcsk_", ends="b", source=V),
    marked(
        "replicate-api-token",
        "Replicate",
        f"r8_{wordy(37)}",
        "r8_",
        ends="Bb",
        entropy=3.2,
        source=V,
        then=r"[a-z0-9_-]{16}",
    ),
    marked("tavily-api-key", "Tavily", f"tvly-{wordy(28, 64)}", "tvly-", ends="B", entropy=3, source=V),
    marked("together-api-key", "Together", f"tgp_v1_{wordy(40, 60)}", "tgp_v1_", entropy=3, source=V),
    marked(
        "voiceflow-api-key",
        "Voiceflow",
        rf"VF\.(?:DM\.|WS\.)?{lowhex(24)}\.{alnum(16)}",
        "vf.",
        ends="Bb",
        source=V,
        then=r"[a-z0-9]",
    ),
    marked("wandb-api-key", "Weights & Biases", f"wandb_v1_{wordy(40, 100)}", "wandb_v1_", entropy=3, source=V),
    named("wandb-legacy-api-key", "Weights & Biases", "wandb", lowhex(40), entropy=3, source=V),
    marked("xai-api-key", "xAI", f"xai-{of('A-Za-z0-9_', 80)}", "xai-", ends="Bb", entropy=3, source=V),
    named("elevenlabs-legacy-api-key", "ElevenLabs", "xi-api-key xi_api_key", hexa(32), entropy=2.5, source=V),
)
