"""Sentences that are true on the website only, and what stands in a notebook in their place.

By the page's path, and the id of a cell (of a page written by hand, its name): pairs of words. The first must be there.
"""

OTHERWISE = {
    "index.ipynb": {
        "cell-00": [("Move the slider, then press *Start*.", "Begin with *Start*.")],
        "first-course": [("and stay closed until you open them", "and are closed: click on *cells hidden*")],
        "after": [
            ("**Read it here.** The sliders work on the page.", "**Read the website.** There the sliders work, too."),
            (
                "Each chapter is a notebook: download it with the button at the top of the page, or run `make lab` in "
                "a copy of the book. There the same sliders compute live. The function that draws a picture is in the "
                "cell above it: change the function, and run the cell again.",
                "In these notebooks the sliders compute live. A bar such as *Code of the picture* hides the drawing "
                "function: click on it, change the function, and run it again.",
            ),
        ],
        "part-models-chapters": [(", on the page.", "."), ("let it write on the page", "let it write")],
    },
    "chapters/00_attention_in_five_minutes.ipynb": {
        "what-the-machine-shows": [
            ("Press ▶ and watch the outlines fill: this", "Take *step* back to the first, and press *play*: this"),
            ("Point at 0.61", "Choose *weights*, row 4, column 3 at *look*"),
            ("</a> in its last row, or tap it, and the", "</a>, the 0.61 in its last row, and the"),
        ],
        "six-goals": [
            (
                "Open a goal, then drag the tables' numbers (or type them under *more*). The sentence below the "
                "machine ",
                "Choose a goal in the machine, or run a line of this table in a cell of your own. Then change numbers "
                "of the tables. A sentence ",
            ),
        ],
    },
    "chapters/12_a_trained_model.ipynb": {
        "9392a5d3": [("It runs in this page, on your own sentence.", "It runs here, on your own sentence.")],
        "b7e82e44": [
            (
                "\n\nOn the page, move over the large map, or use the arrow keys: lines show one row, thicker for more "
                "weight. A click keeps that row; the next frees it.",
                "",
            )
        ],
        "03175275": [
            ("On the page, press *Load the model*; it runs on your machine, and what you write stays there. Six", "Six")
        ],
    },
    "chapters/13_a_language_model.ipynb": {
        "lm-try": [("The model runs in this page, on your own text:", "The model reads your own text:")],
        "lm-try-box": [("On the page, press *Load the model*, then *Write*. Begin with:", "Begin with:")],
        "lm-ex2": [("The page's cache keeps", "On the website, the cache keeps")],
    },
    "back_matter/questions_people_ask.md": {
        "questions_people_ask": [("folded below it are the conditions", "after it come the conditions")],
    },
    "back_matter/your_predictions.md": {
        "your_predictions": [("What you miss comes back here", "On the website, what you miss comes back here")],
    },
    "back_matter/api.md": {"api": [("; *[source]* behind a name leads to its code", "")]},
    "back_matter/pictures.md": {
        "pictures": [
            ("where a click on the title leads", "where the title leads"),
            ("SVG stays sharp", "The website has the files: SVG stays sharp"),
        ]
    },
}
