"""The edition on a reader's disk: complete, and what the reader has changed stays."""

import json

import pytest

from website.edition import folder as edition_folder
from website.edition.folder import GIVEN, write


def notebook(*sources):
    cells = [{"cell_type": "code", "source": source, "outputs": [], "execution_count": None} for source in sources]
    return json.dumps({"cells": cells})


@pytest.fixture
def book(monkeypatch):
    """A book of two files, which a test may change."""
    files = {"index.ipynb": notebook("1 + 1"), "back_matter/notation.md": "# Notation"}
    monkeypatch.setattr(edition_folder, "edition_of_book", lambda address, solutions: files)
    return files


def test_a_new_text_replaces_only_what_the_reader_has_not_changed(book, tmp_path):
    assert list(write(tmp_path)) == []
    run = json.loads(book["index.ipynb"])
    run["cells"][0]["outputs"] = [{"text": "2"}]
    (tmp_path / "index.ipynb").write_text(json.dumps(run), encoding="utf-8")
    assert list(write(tmp_path)) == []
    assert "2" in json.loads((tmp_path / "index.ipynb").read_text())["cells"][0]["outputs"][0]["text"]  # still there

    book["index.ipynb"] = notebook("1 + 2")
    assert list(write(tmp_path)) == []  # a reader who has only run it gets the new text
    assert "1 + 2" in (tmp_path / "index.ipynb").read_text()

    mine = notebook("1 + 2", "my note")
    (tmp_path / "index.ipynb").write_text(mine, encoding="utf-8")
    assert list(write(tmp_path)) == []  # nothing new
    book["index.ipynb"], book["back_matter/notation.md"] = notebook("1 + 3"), "# New"
    (sentence,) = write(tmp_path)
    assert sentence.startswith(f"kept {tmp_path / 'index.ipynb'}")
    assert (tmp_path / "index.ipynb").read_text() == mine
    assert (tmp_path / "back_matter" / "notation.md").read_text() == "# New"

    (tmp_path / "index.ipynb").rename(tmp_path / "mine.ipynb")
    assert list(write(tmp_path)) == []
    assert "1 + 3" in (tmp_path / "index.ipynb").read_text()


@pytest.mark.parametrize("text", ["", "no notebook", '{"cells": 3}', "[]"])
def test_a_broken_file_is_the_readers_too(text, book, tmp_path):
    list(write(tmp_path))
    (tmp_path / "index.ipynb").write_text(text, encoding="utf-8")
    book["index.ipynb"] = notebook("2")
    assert len(list(write(tmp_path))) == 1
    assert (tmp_path / "index.ipynb").read_text() == text


def test_without_a_record_every_file_is_the_readers(book, tmp_path):
    list(write(tmp_path))
    (tmp_path / GIVEN).unlink()
    assert list(write(tmp_path)) == []  # the same files
    (tmp_path / GIVEN).unlink()
    book["index.ipynb"] = notebook("2")
    assert len(list(write(tmp_path))) == 1
