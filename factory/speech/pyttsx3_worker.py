"""Child process that voices one text through pyttsx3; started by `pyttsx3_engine`, never imported.

Arguments: espeak voice, pitch (0-99), words a minute, output file, time limit in
seconds. The text comes on standard input. Exit code 0 means a complete WAV file.
"""

import signal
import sys
import threading


def main(voice: str, pitch: str, rate: str, path: str, limit_s: str) -> None:
    """Voice standard input into `path`; fails with a message on standard error."""
    text = sys.stdin.buffer.read().decode("utf-8")
    # The default action of SIGALRM ends the process even inside a hung C call, and even
    # when the parent that should have stopped it is gone.
    signal.alarm(int(limit_s))

    import pyttsx3  # type: ignore[import-untyped]
    from pyttsx3.drivers import _espeak  # type: ignore[import-untyped]

    engine = pyttsx3.init("espeak")
    # espeak takes settings on a thread of its own and, once in a hundred runs, loses one that comes close before
    # another or before the text. pyttsx3 would hand them on all at once; so each is set, and waited for, here.
    _espeak.SetVoiceByName(voice.encode())
    for setting, value in ((_espeak.PITCH, int(pitch)), (_espeak.RATE, int(rate))):
        _espeak.SetParameter(setting, value, 0)
        _espeak.Synchronize()
    # espeak writes the file on a thread of its own, and runAndWait may return before it has.
    written = threading.Event()
    engine.connect("finished-utterance", lambda **_: written.set())
    engine.save_to_file(text, path)
    engine.runAndWait()
    written.wait()
    # A voice that espeak does not have is taken without a word, and the last one used instead.
    if engine.getProperty("voice").rpartition("/")[2] != voice.casefold():
        sys.exit(f"espeak-ng has no voice {voice!r}")


if __name__ == "__main__":
    main(*sys.argv[1:])
