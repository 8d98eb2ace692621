"""The log of a conversation that has to be finished."""

from factory.errors import RunError
from factory.run.folder import RunFolder
from factory.run.log import Progress, read_progress


def read_finished(folder: RunFolder, conversation_id: str) -> Progress:
    """What the log of a finished conversation comes to.

    Raises:
        RunError: if the log is damaged or the conversation not finished; names the file.
    """
    path = folder.conversation_file(conversation_id)
    progress = read_progress(path)
    if not progress.finished:
        raise RunError(f"{path}: the conversation is not finished; run the build again to go on with it")
    return progress
