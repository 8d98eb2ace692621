"""The command line: light to start, one line for a mistake, nothing written where nothing should be."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.light import heavy_imports

SECRET = "sk-do-not-show-4711"


def factory(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", **environment}
    command = [sys.executable, "-m", "factory", *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)


def test_help_imports_nothing_heavy() -> None:
    assert heavy_imports() == []


def test_doctor_says_that_a_key_is_set_and_never_shows_it(tmp_path: Path) -> None:
    done = factory("doctor", folder=tmp_path, OPENAI_API_KEY=SECRET)
    assert done.returncode == 0
    assert re.search(r"OPENAI_API_KEY +set\n", done.stdout)
    assert SECRET not in done.stdout + done.stderr
    assert all(word in done.stdout for word in ("hibari", "pyttsx3", "prefect"))


def test_plan_shows_every_quota_and_writes_nothing(tmp_path: Path) -> None:
    done = factory("plan", "demo", folder=tmp_path)
    assert done.returncode == 0
    assert "6 conversations, 186 messages (mean 31.0), 50 interruptions" in done.stdout
    for name, count in (("pushback", 12), ("correction", 4), ("0-4", 19), ("15-19", 5)):
        assert re.search(rf"{name} +{count} .*ordered {count}\n", done.stdout)
    assert len(re.findall(r"\d messages +\d+ interruptions", done.stdout)) == 6
    assert list(tmp_path.iterdir()) == []


def test_preview_strikes_out_what_was_not_delivered_even_without_colour(tmp_path: Path) -> None:
    done = factory("preview", "government/housing_inspection", "--seed", "1", folder=tmp_path)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stdout.count("\u0336") > 100
    for kind in ("pushback", "impatient", "filler", "normal", "topic_switch", "correction"):
        assert f"[{kind}]" in done.stdout


def test_preview_with_rubrics_shows_criteria_and_controls(tmp_path: Path) -> None:
    done = factory("preview", "financial_services/card_fraud_alert", "--rubrics", folder=tmp_path)
    assert done.stdout.count("task:") == 9
    assert done.stdout.count("reference:") == 9
    assert "recovery:" in done.stdout and "wrong_stage:" in done.stdout


def test_a_spec_with_several_faults_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("schema_version: 1\nname: x\nconversations: many\n", encoding="utf-8")
    done = factory("plan", "bad.yaml", folder=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert re.search(r"bad\.yaml:\d+: .* \(and \d+ more\)$", done.stderr.strip())


def test_an_unknown_voice_engine_is_refused_even_if_nothing_is_to_be_voiced(tmp_path: Path) -> None:
    done = factory("build", "demo", "--no-audio", "--tts", "nobody", "--engine", "inline", folder=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "nobody" in done.stderr and "hibari" in done.stderr
    assert list(tmp_path.rglob("*")) == []


def test_what_a_terminal_would_obey_is_written_out(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text('schema_version: 1\nname: "x\\e[31mred"\n', encoding="utf-8")
    done = factory("plan", "bad.yaml", folder=tmp_path)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    lint = factory("workflow", "lint", "bad.yaml", folder=tmp_path)
    assert lint.returncode == 2
    assert "\x1b" not in lint.stderr


def test_preview_plays_the_caller_and_the_way_that_are_named(tmp_path: Path) -> None:
    named = factory("preview", "government/housing_inspection", "--intent", "nurse_on_break", folder=tmp_path)
    assert named.returncode == 0 and "(nurse_on_break), ends with success" in named.stdout
    stopped = factory("preview", "government/housing_inspection", "--way", "stop", folder=tmp_path)
    assert stopped.returncode == 0 and "ends with success" not in stopped.stdout.splitlines()[0]
    unknown = factory("preview", "government/housing_inspection", "--intent", "nobody", folder=tmp_path)
    assert unknown.returncode == 2 and "has no intent `nobody`; it has parent_in_limbo" in unknown.stderr
