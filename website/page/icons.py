"""The few icons that the theme shows, instead of the font of two thousand that it would load."""

from urllib.parse import quote

# What is drawn in a square with sides of 24
ICONS = {
    "sun": "<circle cx='12' cy='12' r='4'/>"
    "<path d='M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2'/>",
    "moon": "<path d='M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z'/>",
    "circle-half-stroke": "<circle cx='12' cy='12' r='9'/><path d='M12 3a9 9 0 0 0 0 18z' fill='#000'/>",
    "magnifying-glass": "<circle cx='10.5' cy='10.5' r='6.5'/><path d='M15.5 15.5 21 21'/>",
    "list": "<path d='M8 6h13M8 12h13M8 18h13M3 6h1M3 12h1M3 18h1'/>",
    "bars": "<path d='M3 6h18M3 12h18M3 18h18'/>",
    "expand": "<path d='M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5'/>",
    "arrow-up": "<path d='M12 20V4M5 11l7-7 7 7'/>",
    "file": "<path d='M6 3h8l4 4v14H6zM14 3v4h4'/>",
    "file-pdf": "<path d='M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z'/>",
    "download": "<path d='M12 4v11M6 10l6 6 6-6M4 20h16'/>",
    "rocket": "<path d='M7 4l13 8-13 8z'/>",
    "angle-left": "<path d='M15 5l-7 7 7 7'/>",
    "angle-right": "<path d='M9 5l7 7-7 7'/>",
}
ABOUT = "fill='none' stroke='#000' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'"


def style_sheet():
    """Each icon as the variable `--icon` of its class."""
    return "".join(f'.fa-{name} {{ --icon: url("data:image/svg+xml,{quote(picture(name))}"); }}\n' for name in ICONS)


def picture(name):
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' {ABOUT}>{ICONS[name]}</svg>"
