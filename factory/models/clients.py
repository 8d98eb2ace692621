"""Opens the client of a provider."""

import logging
from collections.abc import Mapping

from factory.models.errors import ErrorKind, ModelError
from factory.models.keys import Key, key_of, without_secrets
from factory.models.request import ModelClient
from factory.records.models import Provider, ProviderKind

_TALKATIVE = ("openai", "anthropic", "httpx2", "httpcore2")
_LONGEST_WHY = 200
_OF_ENVIRONMENT = "no client: see the proxies (`ALL_PROXY`, …) and certificates (`SSL_CERT_FILE`) of the environment"


def open_client(name: str, provider: Provider, environ: Mapping[str, str]) -> ModelClient:
    """The client of a provider; the SDK is imported here and not before.

    Args:
        name: The provider's name in the roles file, for errors.
        provider: What the roles file says of it.
        environ: Where its key is.

    Raises:
        ModelError: `AUTHENTICATION` if the key is missing; names its variable. `CONNECTION` if the environment asks
            for a proxy or for certificates that cannot be used.
    """
    key = key_of(name, provider, environ)
    try:
        client = _opened(name, provider, key)
    except (ImportError, ValueError, OSError) as exc:  # as the SDKs' HTTP reads the environment
        why = without_secrets(str(exc), key)[:_LONGEST_WHY].partition(". ")[0]
        raise ModelError(ErrorKind.CONNECTION, f"{name}: {_OF_ENVIRONMENT}: {why}") from None
    for logger in _TALKATIVE:  # at which they write whole prompts, if the environment asks for it
        logging.getLogger(logger).setLevel(logging.WARNING)
    return client


def _opened(name: str, provider: Provider, key: Key) -> ModelClient:
    if provider.kind is ProviderKind.OPENAI:
        from factory.models.openai_client import OpenAIClient

        return OpenAIClient(name, provider, key)
    from factory.models.anthropic_client import AnthropicClient

    return AnthropicClient(name, provider, key)
