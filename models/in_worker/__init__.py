"""Code shared by all trained models in the page: files, worker, matrix products, buttons, the map of one head."""

import json
from pathlib import Path

STATIC = Path(__file__).parent / "static"
STYLES = ["in_worker.css"]


def setup(app):
    # Names of explorers whose models are not published. Their pages say so, and the notebooks still run the models.
    app.add_config_value("models_left_out", [], "html", list)


def is_sent(app, name):
    """Give the page that is about to be written its buttons; returns whether the model belongs to the site."""
    app.add_js_file("in_worker/bar.js")
    if name in app.config.models_left_out:
        app.add_js_file(None, body=f"globalThis.models_left_out = {json.dumps(app.config.models_left_out)};")
        return False
    return True
