"""What a reader saves: an explorer's picture stays in the notebook, its widget does not, for it dies with its kernel."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def without_widgets(model, **_):
    """For ``ContentsManager.pre_save_hook``: JupyterLab would show a stored widget in place of the picture beside it.

    When the notebook is opened again without its kernel, that widget says only "model not found".
    """
    if model["type"] != "notebook":
        return
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data or "text/html" in data:
                data.pop(WIDGET_VIEW, None)
