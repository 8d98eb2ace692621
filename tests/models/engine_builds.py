"""Whole builds by models on three small workflows, against the fake server or a model of the test's own."""

import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from factory.audit.report import write_flow_report
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.build.progress import Silent
from factory.build.verify import verify_run
from factory.models.fake.player import play
from factory.models.fake.scenarios import Scenario
from factory.models.fake.wire import Asked
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.models.retry import Patience
from factory.models.roles_file import load_models

from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind, Usage
from factory.run.folder import RunFolder
from factory.run.log import Progress, read_progress
from factory.workflow.library import Library
from tests.build.builds import ROOT
from tests.dataset.runs import SEED, SPEC
