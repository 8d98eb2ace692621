"""What every flow needs: its run's id, and Prefect's own failures told in one line."""

from collections.abc import Iterator
from contextlib import contextmanager

from httpx import HTTPError
from prefect.context import FlowRunContext
from prefect.exceptions import PrefectException

from factory.errors import RunError


def flow_run_id() -> str:
    """The id of the flow run that this is called in."""
    context = FlowRunContext.get()
    assert context is not None and context.flow_run is not None
    return str(context.flow_run.id)


@contextmanager
def server_failures(advice: str) -> Iterator[None]:
    """Tells a failure of Prefect's server, met in the body, as the user's matter.

    Args:
        advice: What to do then.

    Raises:
        RunError: in the place of Prefect's errors.
    """
    try:
        yield
    except (PrefectException, HTTPError) as exc:
        # Without the addresses that Prefect puts behind what it says.
        what = (str(exc) or type(exc).__name__).splitlines()[0].split(" for url ")[0]
        raise RunError(f"Prefect's server failed ({what}); {advice}") from None
