"""Opens the client of a provider."""

from collections.abc import Mapping

from factory.models.keys import key_of
from factory.models.request import ModelClient
from factory.records.models import Provider, ProviderKind


def open_client(name: str, provider: Provider, environ: Mapping[str, str]) -> ModelClient:
    """The client of a provider; the SDK is imported here and not before.

    Args:
        name: The provider's name in the roles file, for errors.
        provider: What the roles file says of it.
        environ: Where its key is.

    Raises:
        ModelError: `AUTHENTICATION` if the key is missing; names its variable.
    """
    key = key_of(name, provider, environ)
    if provider.kind is ProviderKind.OPENAI:
        from factory.models.openai_client import OpenAIClient

        return OpenAIClient(name, provider, key)
    from factory.models.anthropic_client import AnthropicClient

    return AnthropicClient(name, provider, key)
