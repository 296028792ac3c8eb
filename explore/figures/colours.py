"""The book's colours: each thing has the same colour in every chapter. On a page a colour is a CSS variable, which can
differ in the dark theme.
"""

COLOR = {
    "query": "#0a66b0",
    "key": "#b35900",
    "value": "#00785a",
    "output": "#a8327d",
    "weight": "#5b4bb5",
    "theory": "#c01f2e",
    "muted": "#6b7280",
}
INK = "#1b1f24"
# All colours of a page, by theme: for things, for letters, and for panels and lines next to the text.
THEMES = {
    "light": COLOR | {"panel": "#f6f7f9", "line": "#d5d9e0", "ink": INK},
    "dark": {
        "query": "#5cb0f2",
        "key": "#f2a24b",
        "value": "#3cc79a",
        "output": "#ea83c3",
        "weight": "#a99cf5",
        "theory": "#ff7d85",
        "muted": "#a3acb9",
        "panel": "#1d2127",
        "line": "#3b424d",
        "ink": "#e6e8eb",
    },
}


def variable(name):
    """The colour of a thing in the page's theme, light or dark."""
    return f"var(--am-{name}, {COLOR[name]})"


def style_sheet():
    """Each colour of each theme as a variable `--am-name`."""
    light, dark = (
        "".join(f" --am-{name}: {colour};" for name, colour in colours.items()) for colours in THEMES.values()
    )
    return f'html {{{light} }}\nhtml[data-theme="dark"] {{{dark} }}\n'
