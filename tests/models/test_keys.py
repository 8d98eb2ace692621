"""Keys: from the environment only, and in nothing that is shown."""

import pytest

from factory.models.clients import open_client
from factory.models.errors import ErrorKind, ModelError
from factory.models.keys import Key, key_of, require_keys, without_secrets
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind

from .canned import ANTHROPIC, KEY, OPENAI, canned_fault, error_body, request

BOTH = pytest.mark.parametrize("kind", [OPENAI, ANTHROPIC])


class TestSecrets:
    @BOTH
    @pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
    def test_a_key_that_a_server_shows_is_cut_out(self, kind: ProviderKind, status: int) -> None:
        error = canned_fault(kind, error_body(f"key {KEY} and {KEY[:8]}***{KEY[-6:]} are bad"), status)
        for start in range(len(KEY) - 5):
            assert KEY[start : start + 6] not in f"{error} {error!r}"
        assert error.__cause__ is None and error.__suppress_context__

    @BOTH
    def test_a_prompt_that_a_server_shows_is_cut_out(self, kind: ProviderKind) -> None:
        secret = "The caller  must never hear\nthe word marzipan."
        error = canned_fault(kind, error_body(f"cannot read “{' '.join(secret.split())}”"), 400, request(system=secret))
        assert "marzipan" not in str(error)
        assert "cannot read" in str(error)

    @BOTH
    def test_a_server_cannot_put_lines_or_hidden_characters_into_an_error(self, kind: ProviderKind) -> None:
        error = canned_fault(kind, error_body("a\nb\x1b[31m\u202ec" + "x" * 9_000), 400)
        assert str(error).isprintable() and len(str(error)) < 300

    @BOTH
    def test_a_refused_key_is_named_by_its_variable(self, kind: ProviderKind) -> None:
        assert "P_KEY" in str(canned_fault(kind, {}, 401))

    def test_a_missing_key_is_named_by_its_variable(self) -> None:
        provider = Provider(kind=OPENAI, key="THEIR_KEY")
        with pytest.raises(ModelError, match="p: no key: set the environment variable THEIR_KEY") as caught:
            open_client("p", provider, {"THEIR_KEY": " "})
        assert caught.value.kind is ErrorKind.AUTHENTICATION

    def test_a_key_with_a_line_break_inside_is_refused_unseen(self) -> None:
        with pytest.raises(ModelError, match="THEIR_KEY") as caught:
            key_of("p", Provider(kind=OPENAI, key="THEIR_KEY"), {"THEIR_KEY": "abc\nhidden"})
        assert "hidden" not in str(caught.value)

    def test_the_keys_of_roles_that_are_asked_are_required_and_no_others(self) -> None:
        models = Models(
            providers={name: Provider(kind=OPENAI, key=f"{name.upper()}_KEY") for name in "pqr"},
            roles={
                ModelRole.USER: ModelChoice(provider="p", model="m"),
                ModelRole.ASSISTANT: ModelChoice(provider="q", model="m"),
            },
        )
        both = (ModelRole.USER, ModelRole.ASSISTANT, ModelRole.JUDGE)
        require_keys(models, both, {"P_KEY": "k", "Q_KEY": "k"})
        require_keys(models, [ModelRole.USER], {"P_KEY": "k"})
        with pytest.raises(ModelError, match="q: no key: set the environment variable Q_KEY") as caught:
            require_keys(models, both, {"P_KEY": "k"})
        assert caught.value.kind is ErrorKind.AUTHENTICATION

    def test_a_key_is_not_in_its_repr(self) -> None:
        assert KEY not in repr(Key("P_KEY", KEY))
        assert KEY not in repr(open_client("p", Provider(kind=OPENAI, key="P_KEY"), {"P_KEY": KEY}))

    def test_words_without_secrets_stay_as_they_are(self) -> None:
        assert without_secrets("the model is not here", Key("K", KEY), ["Say hello to the caller."]) == (
            "the model is not here"
        )
