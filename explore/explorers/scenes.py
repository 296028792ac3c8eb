"""Where axes and named artists are in a figure: a program on the page needs to know this in order to move them.

Artists that a program moves have a gid. Axes with limits that it moves have a label.
"""


def name_axes(fig):
    """In all axes that have a label, name the x axis, the y axis and their labels: live.js looks for these names."""
    for name, ax in _axes(fig):
        if name == ax.get_label():
            for letter, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
                axis.set_gid(f"{name}.{letter}")
                axis.label.set_gid(f"{name}.{letter}.label")


def layout_of(fig):
    """Where the axes are, in points from the lower left corner, and which axes each artist belongs to."""
    width, height = (72 * x for x in fig.get_size_inches())
    axes = {}
    for name, ax in _axes(fig):
        left, bottom, w, h = ax.get_position().bounds
        box = [round(x, 4) for x in (left * width, bottom * height, w * width, h * height)]
        limits = {"xlim": list(map(float, ax.get_xlim())), "ylim": list(map(float, ax.get_ylim()))}
        axes[name] = {"box": box, "xscale": ax.get_xscale(), "yscale": ax.get_yscale()} | limits
    return {"height": height, "axes": axes, "artists": {artist.get_gid(): name for name, artist in _artists(fig)}}


def _axes(fig):
    """Pairs of a name (the label, or else the number) and axes. A label that begins with "_" is matplotlib's own."""
    for number, ax in enumerate(fig.axes):
        label = ax.get_label()
        yield (label if label and not label.startswith("_") else f"axes {number}"), ax


def _artists(fig):
    """Each artist that has a gid, in a pair after the name of its axes."""
    for name, ax in _axes(fig):
        of_axis = {id(part) for axis in (ax.xaxis, ax.yaxis) for part in axis.findobj()}
        for artist in ax.findobj(lambda artist: artist.get_gid()):
            if id(artist) not in of_axis:
                yield name, artist
