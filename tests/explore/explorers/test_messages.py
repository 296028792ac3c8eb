"""Messages to an explorer's widgets from a thread beside the one of the cells; test_jupyterlab.py sends real ones."""

import asyncio
import threading
import time

import ipywidgets
import pytest

from explore.explorers import messages
from explore.explorers.messages import handle_between_cells

CLICK = {"content": {"data": {"method": "custom", "content": {"event": "click"}}}, "buffers": []}


def clicked_while_a_cell_runs(seconds, tell):
    """Click on a button, two boxes deep, from another thread; the threads in which the click was handled, after the
    cell and after all.
    """
    threads, seen = [], []

    async def cell():
        button = ipywidgets.Button()
        button.on_click(lambda _: threads.append(threading.current_thread()))
        handle_between_cells(ipywidgets.VBox([ipywidgets.Box([button])]), tell)
        other = threading.Thread(target=button.comm.handle_msg, args=[CLICK])
        other.start()
        time.sleep(seconds)
        seen.extend(threads)
        while other.is_alive():
            await asyncio.sleep(0.01)
        button.comm.handle_msg(CLICK)  # from the cells' own thread: at once

    asyncio.run(cell())
    return seen, threads


def test_a_message_waits_for_the_cell_and_is_handled_in_its_thread():
    told = []
    seen, threads = clicked_while_a_cell_runs(0.2, told.append)
    assert seen == []
    assert threads == [threading.current_thread()] * 2
    assert told == []


def test_a_reader_who_waits_long_is_told_until_the_message_is_handled(monkeypatch):
    monkeypatch.setattr(messages, "LATE", 0.02)
    told = []
    clicked_while_a_cell_runs(0.3, told.append)
    assert told == [True, False]


@pytest.mark.filterwarnings("error")
def test_a_message_at_the_end_of_a_kernel_keeps_no_thread(monkeypatch):
    monkeypatch.setattr(messages, "LATE", 0.02)
    loop = asyncio.new_event_loop()
    button = ipywidgets.Button()

    async def cell():
        handle_between_cells(button, lambda _: None)

    loop.run_until_complete(cell())
    other = threading.Thread(target=button.comm.handle_msg, args=[CLICK])
    other.start()
    other.join(5)
    assert not other.is_alive()
    loop.close()
