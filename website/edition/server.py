"""An extension of Jupyter's server: a notebook that a reader saves keeps an explorer's picture, not its widget.

It is an extension because the server looks for nothing else in the folder where an installed package may put a file.
"""

from explore.explorers.saved import without_widgets


def _jupyter_server_extension_points():
    return [{"module": "website.edition.server"}]


def _load_jupyter_server_extension(app):
    app.contents_manager.register_pre_save_hook(without_widgets)
    app.log.info("Notebooks keep pictures of explorers")
