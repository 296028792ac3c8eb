"""Notebooks that a reader saves: an explorer stays as its picture, because its widget does not outlive the kernel."""

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
