"""A real language model plays a whole call in every role; what it writes is poor, and everything around it holds."""

from collections import Counter
import shutil
from pathlib import Path

import pytest
import yaml

from factory.models.roles_file import BUILD_ROLES
from factory.models.store import read_kept
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind
from factory.records.spec import Spec
from factory.run.folder import RunFolder
from factory.run.log import read_progress
from factory.workflow.library import Library

from tests.dataset.runs import SHARED
from tests.workflow.base import Edit

from .engine_builds import assert_holds
from .small_model import CONTEXT_TOKENS, NAME, running_model
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.build.progress import Silent

SPEC = Spec.model_validate(
    {
        "schema_version": 1,
        "name": "real",
        "conversations": 1,
        "workflows": ["utilities/meter_visit"],
        "interruptions": {"by_type": {"pushback": 1, "normal": 1, "filler": 1}, "by_depth": {"0-4": 3}},
        "messages": {"min": 15, "max": 15, "mean": 15},
    }
)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """One workflow with few moves: every word of it is read again in most of the prompts."""
    folder = tmp_path / "workflows"
    (folder / "utilities").mkdir(parents=True)
    shutil.copy(SHARED, folder / "shared.yaml")
    edit = Edit()
    for stage in ("open_call", "arrange", "texting"):
        edit.drop(f"stages.{stage}.caller_may")
    edit.drop("stages.verify.caller_may.pushback.long").drop("stages.verify.caller_may.topic_switch.bill")
    (folder / "utilities" / "meter_visit.yaml").write_text(yaml.safe_dump(edit.data, sort_keys=False))
    return Library((folder,))


def models_at(url: str) -> Models:
    """Every role played by the small model, by schemas that leave it little room."""
    choice = ModelChoice(
        provider="local", model=NAME, max_output_tokens=1500, temperature=0.4, seeded=True, patterns=True
    )
    return Models(
        providers={
            "local": Provider(kind=ProviderKind.OPENAI, base_url=url, at_once=1, timeout_s=600, free=True)
        },
        roles=dict.fromkeys(BUILD_ROLES, choice),
    )


def test_a_call(tmp_path: Path, library: Library) -> None:
    with running_model(tmp_path / "server.log") as url:
        order = Order(spec=SPEC, library=library, seed=1, audio=False, models=models_at(url))
        folder = run_inline(order, tmp_path / "run", False, Silent())
    assert_holds(folder, library)
