"""`--models`, `--budget`, `--no-price` and `fake-server`, as a user types them."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from factory.models.cost import spent_usd
from factory.models.prices import price_table
from factory.models.roles_file import load_models
from factory.models.store import Books
from tests.build.builds import Ended, factory, write_spec
from tests.models.servers import RunningServer, running_server

INLINE = ("--engine", "inline", "--no-audio", "--out", "run")
PRICED = "price: {input: 2, output: 10}"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as up:
        yield up


def roles(folder: Path, server: RunningServer, price: str = "", most: int = 2_000) -> str:
    fields = ", ".join(filter(None, ("provider: fake", "model: player", f"max_output_tokens: {most}", price)))
    text = f'providers:\n  fake: {{kind: openai, base_url: "{server.openai_url}"}}\ndefaults: {{{fields}}}\n'
    (folder / "roles.yaml").write_text(text, encoding="utf-8")
    return "roles.yaml"


def build(folder: Path, *options: str) -> Ended:
    return factory("build", "small.yaml", *INLINE, *options, cwd=folder)


def billed(calls: Sequence[dict[str, Any]]) -> float:
    """What the server would send a bill for at the price of `PRICED`, in US dollars."""
    return sum(2 * call["input_tokens"] + 10 * call["output_tokens"] for call in calls) / 1_000_000


def test_a_build_stops_before_its_budget_and_a_larger_one_goes_on_to_the_same_corpus(
    tmp_path: Path, server: RunningServer
) -> None:
    write_spec(tmp_path)
    file, before = roles(tmp_path, server, PRICED), len(server.log())
    prices = price_table(load_models(tmp_path / file))

    def spent() -> float:
        return spent_usd(Books.of_run(tmp_path / "run" / "replies"), prices)

    stopped = build(tmp_path, "--models", file, "--budget", "0.4")
    assert stopped.code == 3
    last = stopped.err.splitlines()[-1]
    assert last.startswith("not finished: the budget is reached: ") and "of $0.4000 spent" in last
    assert 0.2 < spent() <= 0.4
    # The same budget again buys whatever still fits into what is left, and nothing else: all runs together keep it.
    for _ in range(2):
        assert build(tmp_path, "--models", file, "--budget", "0.4").code == 3
        assert billed(server.log()[before:]) == pytest.approx(spent()) and spent() <= 0.4
    done = build(tmp_path, "--models", file, "--budget", "9")
    assert done.code == 0, done.err
    answered = sum(len(path.read_text("utf-8").splitlines()) for path in (tmp_path / "run" / "replies").glob("*.jsonl"))
    assert answered == len([call for call in server.log() if call["answered"]])  # none was asked for twice
    assert factory("verify", "run", cwd=tmp_path).code == 0


def test_a_price_that_nobody_knows_is_an_error_before_anything_is_written(
    tmp_path: Path, server: RunningServer
) -> None:
    write_spec(tmp_path)
    file = roles(tmp_path, server)
    for command in (("build", "small.yaml", *INLINE), ("plan", "small.yaml")):
        done = factory(*command, "--models", file, cwd=tmp_path)
        assert done.code == 2 and "`player` at `fake`" in done.error and "--no-price" in done.error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["roles.yaml", "small.yaml"]


def test_no_price_takes_it_but_then_no_budget_can_be_kept(tmp_path: Path, server: RunningServer) -> None:
    write_spec(tmp_path)
    file = roles(tmp_path, server)
    done = build(tmp_path, "--models", file, "--no-price", "--budget", "5")
    assert done.code == 2 and "--budget cannot be kept" in done.error
    assert "not known" in factory("plan", "small.yaml", "--models", file, "--no-price", cwd=tmp_path).out


@pytest.mark.parametrize("option", [("--budget", "5"), ("--no-price",)])
def test_what_is_about_models_is_refused_without_them(option: tuple[str, ...], tmp_path: Path) -> None:
    write_spec(tmp_path)
    done = build(tmp_path, *option)
    assert done.code == 2 and f"{option[0]} is about what models cost" in done.error
    assert not (tmp_path / "run").exists()


def test_a_roles_file_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    write_spec(tmp_path)
    done = build(tmp_path, "--models", "nobody")
    assert done.code == 2 and "nobody" in done.error and "anthropic, local, mixed, openai" in done.error


@pytest.mark.parametrize("engine", ["inline", "prefect"])
def test_a_missing_key_is_told_before_any_step_begins(engine: str, tmp_path: Path) -> None:
    write_spec(tmp_path)
    options = ("--engine", engine, "--no-audio", "--out", "run", "--models", "openai")
    done = factory("build", "small.yaml", *options, cwd=tmp_path, OPENAI_API_KEY="")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: openai: no key: set the environment variable OPENAI_API_KEY to this provider's key\n"
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]


@pytest.mark.parametrize("name", ["anthropic", "local", "mixed", "openai"])
def test_every_roles_file_that_comes_along_has_its_prices(name: str) -> None:
    assert price_table(load_models(name)).unknown == ()


def test_help_imports_no_makers_software() -> None:
    code = (
        "import sys, json; sys.argv = ['factory', 'build', '--help']\n"
        "from factory.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(json.dumps([m for m in ('openai', 'anthropic', 'uvicorn', 'starlette') if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_a_key_stands_in_no_line_and_in_no_file_of_a_run(tmp_path: Path, server: RunningServer) -> None:
    key = "sk-proj-6Zq8Lw3XvTn0bRk2"
    write_spec(tmp_path)
    for name, model, code in (("refused", "player;auth", 3), ("built", "player", 0)):
        provider = f'{{kind: openai, base_url: "{server.openai_url}", key: FAKE_KEY, free: true}}'
        defaults = f'{{provider: fake, model: "{model}", max_output_tokens: 32000}}'
        text = f"providers:\n  fake: {provider}\ndefaults: {defaults}\n"
        (tmp_path / "roles.yaml").write_text(text, encoding="utf-8")
        options = ("--engine", "inline", "--no-audio", "--limit", "1", "--out", name, "--models", "roles.yaml")
        ended = factory("build", "small.yaml", *options, cwd=tmp_path, FAKE_KEY=key)
        assert ended.code == code, ended.err
        assert key[:10] not in ended.out + ended.err
    assert list((tmp_path / "built" / "replies").glob("*.jsonl"))
    assert [p for p in tmp_path.rglob("*") if p.is_file() and key[:10].encode() in p.read_bytes()] == []
