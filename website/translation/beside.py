"""The site in other languages: each is built beside the English one, into a folder of it, such as `_build/html/zh`.

A build of the English site starts the others when all notebooks have been executed, and waits for them at its end.
`python -m website.translation.beside` is the program that builds one.
"""

import os
import subprocess
import sys
from pathlib import Path

from babel import Locale
from sphinx.errors import ExtensionError

import languages
from explore.mode import ONE_PAGE

SPHINX = {"zh": "zh_CN"}  # how Sphinx and the themes name a language, for their own words


def setup(app):
    if languages.is_english():
        app.connect("env-before-read-docs", begin, priority=900)  # after the notebooks' execution
        app.connect("build-finished", end)
    else:
        app.connect("env-before-read-docs", count)
    app.connect("html-page-context", add_links)
    app.add_js_file("languages.js")


def others(srcdir):
    """The languages of the book beside English."""
    return sorted(path.parent.name for path in Path(srcdir).glob("languages/*/index.po"))


def begin(app, env, docnames):
    app.others = {}
    if app.builder.name != "html" or os.environ.get(ONE_PAGE):
        return
    for language in others(app.srcdir):
        log = Path(app.outdir).parent / f"{language}.log"
        command = [sys.executable, "-m", "website.translation.beside", language, app.srcdir, app.outdir]
        command += [app.config.external_toc_path, *(["--strict"] if app.warningiserror else [])]
        with log.open("w") as file:
            process = subprocess.Popen(command, cwd=app.srcdir, stdout=file, stderr=subprocess.STDOUT)
        app.others[language] = process, log


def end(app, exception):
    for language, (process, log) in getattr(app, "others", {}).items():
        if process.wait() and not exception:
            raise ExtensionError(f"the site in the language {language} was not built:\n{log.read_text()[-5000:]}")
        print(*(line for line in log.read_text().splitlines() if line.startswith(f"{language}: ")), sep="\n")


def count(app, env, docnames):
    """If any page has changed, the log, and so the English build, ends with the number of texts that are missing.

    A check of one page does not count them: that takes as long as its build.
    """
    if docnames and not os.environ.get(ONE_PAGE):
        from website.translation import lacking  # here, because it imports all exercises

        app.connect("build-finished", lambda app, exception: print(lacking.in_a_line(lacking.lacking())))


def add_links(app, pagename, templatename, context, doctree):
    """Links to the same page in the other languages, for readers and for search engines."""
    here = languages.language()
    folders = {languages.ENGLISH: ""} | {code: f"{code}/" for code in others(app.srcdir)}
    if app.builder.name != "html" or here not in folders or os.environ.get(ONE_PAGE):
        return
    up = "../" * (pagename.count("/") + folders[here].count("/"))
    context["other_languages"] = [
        {
            "code": code,
            "name": Locale.parse(code).get_display_name(code).capitalize(),
            "address": f"{up}{folder}{pagename}.html",
        }
        for code, folder in folders.items()
        if code != here
    ]
    if base := app.config.html_baseurl.removesuffix(folders[here]):  # search engines take whole addresses only
        context["metatags"] = context.get("metatags", "") + "".join(
            f'\n<link rel="alternate" hreflang="{code}" href="{base}{folder}{pagename}.html">'
            for code, folder in folders.items()
        )


def build(language, srcdir, outdir, contents, *strict):
    """Build the site in a language, from the book's folder into that of the English site; returns Sphinx's exit code.

    ``contents`` is the file with the table of contents; with ``--strict``, a warning is an error.
    """
    from jupyter_book.sphinx import build_sphinx  # here, because importing it takes a second

    os.environ[languages.LANGUAGE] = language
    settings = {"latex_individualpages": False}  # Jupyter Book asks for it
    result = build_sphinx(
        srcdir,
        Path(outdir) / language,
        doctreedir=Path(outdir).parent / f".doctrees-{language}",
        noconfig=True,
        path_config=Path(srcdir) / "_config.yml",
        confoverrides=settings | {"external_toc_path": contents, "language": SPHINX.get(language, language)},
        warningiserror=bool(strict),
        keep_going=True,
    )
    if isinstance(result, Exception):
        raise result
    return result


if __name__ == "__main__":
    sys.exit(build(*sys.argv[1:]))
