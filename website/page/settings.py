"""Words of _config.yml and _toc.yml, which website/translation/template.py finds there, in the reader's language."""

from languages import say


def setup(app):
    app.connect("config-inited", say_settings, priority=900)  # after Jupyter Book and the contents


def say_settings(app, config):
    config.html_title, config.author = say(config.html_title), say(config.author)
    options = config.html_theme_options
    for words, name in ((options, "extra_footer"), (options, "search_bar_text"), (options.get("logo", {}), "text")):
        if words.get(name):
            words[name] = say(words[name])
    for document in config.external_site_map.values():
        for part in document.subtrees:
            part.caption = part.caption and say(part.caption)
