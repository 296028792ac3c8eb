"""Messages from a browser to an explorer's widgets are handled in the thread that runs cells, one after another.

A kernel with subshells (ipykernel 7, asked for by JupyterLab) handles them in a second thread, while a cell may be
drawing. After each message that thread also has pyplot draw, show and close every figure of the kernel (IPython's event
``post_execute``), unfinished ones included. Neither pyplot nor a figure is made for two threads.
"""

import asyncio
import threading

LATE = 1  # seconds that a message waits before the reader is told why


def handle_between_cells(widget, tell):
    """Let the messages to ``widget`` and all its parts wait until no cell runs. If one has to wait for long,
    ``tell(True)`` is called, and ``tell(False)`` when it has been handled. Without a kernel, nothing changes.

    The second thread waits as well, so that a browser, which sends a slider's next value when the last one has been
    handled, sends only a few values while a long cell runs.
    """
    try:
        cells, thread = asyncio.get_running_loop(), threading.current_thread()
    except RuntimeError:
        return

    def in_turn(handle):
        def handle_in_turn(message):
            if threading.current_thread() is thread:
                handle(message)
                return
            handled = threading.Event()

            def now():
                try:
                    handle(message)
                finally:
                    handled.set()

            cells.call_soon_threadsafe(now)
            if handled.wait(LATE):
                return
            tell(True)
            while not handled.wait(LATE) and cells.is_running():
                pass  # a loop that has been stopped, as the kernel's is at its end, will not handle it
            tell(False)

        return handle_in_turn

    for part in parts_of(widget):
        part.comm.handle_msg = in_turn(part.comm.handle_msg)


def parts_of(widget):
    """The widget, and all widgets in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts_of(child)
