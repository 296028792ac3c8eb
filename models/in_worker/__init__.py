"""Code shared by all trained models in the page: files, worker, matrix products, buttons, the map of one head."""

import importlib
from pathlib import Path

from languages import is_english

STATIC = Path(__file__).parent / "static"
STYLES = ["in_worker.css"]


def setup(app):
    # Names of explorers whose models are not published. Their pages say so, and the notebooks still run the models.
    app.add_config_value("models_left_out", [], "html", list)


def add_model(app, name):
    """Write the model of ``models.NAME`` with the page of the explorer NAME, unless the model is left out."""

    def write(app, names):
        if name not in names:
            return
        left_out = app.config.models_left_out
        # All languages share the files of the English site.
        models = "../" if is_english() else "../../../_static/"
        app.add_js_file("in_worker/bar.js", **{"data-left-out": " ".join(left_out), "data-models": models})
        if name not in left_out and is_english():
            # Here, because no other page should wait for its imports
            model_files = importlib.import_module(f"models.{name}.model_files")
            model_files.write_model(Path(app.outdir) / "_static" / name / "model")

    app.connect("explorers-on-page", write)
