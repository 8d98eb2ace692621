"""The command `factory`: meets Ctrl-C from its first moment on, and imports all the rest behind that."""

from factory import interrupt

interrupt.leave_at_ctrl_c()


def main() -> None:
    """Runs the command line; see `factory.cli`."""
    from factory.cli import main as run

    run()


if __name__ == "__main__":
    main()
