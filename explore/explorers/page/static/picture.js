// The picture of an explorer: an SVG that matplotlib drew once, and in which each scene (see live.js) moves the artists.
"use strict";
book.explorer_picture = (() => {
  const all = (where, selector) => [...where.querySelectorAll(selector)];
  const set = (element, attributes) => Object.entries(attributes).forEach(([key, x]) => element.setAttribute(key, x));
  const point = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`;

  /** From data to points of the picture, for each axis, with its current limits. */
  function transforms({ box: [left, bottom, width, height], xscale, yscale, xlim, ylim }, picture_height) {
    const along = (scale, [low, high]) => {
      const f = scale === "log" ? Math.log : (v) => v;
      return (v) => (f(v) - f(low)) / (f(high) - f(low));
    };
    const [x, y] = [along(xscale, xlim), along(yscale, ylim)];
    return { x: (v) => left + width * x(v), y: (v) => picture_height - bottom - height * y(v) };
  }

  const line_path = ({ x, y }, to) =>
    x.length ? `M${Array.from(x, (v, i) => point(to.x(v), to.y(y[i]))).join("L")}` : "";

  function steps_path({ edges, values, baseline = 0 }, to) {
    let path = `M${point(to.x(edges[0]), to.y(baseline))}`;
    values.forEach((value, i) => {
      path += `L${point(to.x(edges[i]), to.y(value))}L${point(to.x(edges[i + 1]), to.y(value))}`;
    });
    return `${path}L${point(to.x(edges.at(-1)), to.y(baseline))}`;
  }

  /** Copy or remove elements until there are `count` of them; for a count of 0, one is kept and hidden. */
  function copies(elements, count) {
    while (elements.length > Math.max(count, 1)) elements.pop().remove();
    while (elements.length < count) {
      const copy = elements[0].cloneNode(true);
      elements.at(-1).after(copy);
      elements.push(copy);
    }
    elements.forEach((element) => (element.style.display = count ? "" : "none"));
    return elements;
  }

  const cells_of = (group) => all(group, "use, path").filter((element) => !element.closest("defs"));

  /** Squares: the further a cell is from 0, the stronger its colour. Negative cells have a different colour. */
  function paint(squares, cells) {
    squares.forEach((square, i) => {
      square.style.fill = `var(--am-${cells[i] < 0 ? "theory" : "weight"})`;
      square.style.fillOpacity = Math.abs(cells[i]);
    });
  }

  function move_artist(group, artist, to) {
    if ("text" in artist) group.querySelector("text").textContent = book.of_picture(artist.text);
    else if ("edges" in artist) set(group.querySelector(":scope > path"), { d: steps_path(artist, to) });
    else if ("cells" in artist) paint(cells_of(group), artist.cells);
    else {
      const line = group.querySelector(":scope > path"); // "o-" has both a line and marks
      if (line) set(line, { d: line_path(artist, to) });
      const marks = all(group, "use");
      if (marks.length)
        copies(marks, artist.x.length).forEach((mark, i) => set(mark, { x: to.x(artist.x[i]), y: to.y(artist.y[i]) }));
    }
  }

  /** Move the marks and the labels of an axis. The label of the axis itself is a separate artist. */
  function move_ticks(group, ticks, axis, to) {
    const marks = copies(all(group, ":scope > use"), ticks.length);
    const labels = copies(all(group, ":scope > text"), ticks.length);
    const shift = Number(labels[0].getAttribute(axis)) - Number(marks[0].getAttribute(axis));
    ticks.forEach(([place, text], i) => {
      marks[i].setAttribute(axis, to[axis](place));
      labels[i].setAttribute(axis, to[axis](place) + shift);
      labels[i].textContent = book.of_picture(text);
    });
  }

  const NO_NUMBER = /NaN|Infinity|undefined/;

  /** Raises an error before anything moves if part of the scene cannot be drawn. `of(name)` has the transforms and the
   * group of an artist.
   */
  function check_scene({ artists, axes, words }, of) {
    const places = [];
    for (const [name, { x, y, edges, values, text, cells }] of Object.entries(artists)) {
      const { to, group } = of(name);
      if (!group) throw new RangeError(`the picture has no ${name}`);
      if (cells) places.push(...cells);
      else if (text !== undefined) places.push(NO_NUMBER.test(text) ? NaN : 0);
      else for (const v of x ?? edges) places.push(to.x(v));
      for (const v of y ?? values ?? []) places.push(to.y(v));
      if (edges) places.push(to.y(0)); // the baseline of the steps must be drawn, too
    }
    for (const [name, { xticks, yticks }] of Object.entries(axes)) {
      const { to, group } = of(`${name}.x`);
      if (!group || !of(`${name}.y`).group) throw new RangeError(`the picture has no axes ${name}`);
      for (const [x] of xticks) places.push(to.x(x));
      for (const [y] of yticks) places.push(to.y(y));
    }
    if (NO_NUMBER.test(words) || !places.every(Number.isFinite))
      throw new RangeError(book.say("a number is not finite"));
  }

  const limits_of = (axes) =>
    Object.fromEntries(Object.entries(axes).map(([key, ax]) => [key, `${ax.xlim} ${ax.ylim}`]));

  /** Faint copies that show for a second where things were before they moved: `keep(scene, moved axes)` makes them. */
  function trail({ picture, axes, artists }) {
    let before = [];
    let limits = limits_of(axes); // the current ones
    let forgetting = 0;
    return (scene, moved) => {
      const now = limits_of(moved);
      if (!before.length)
        before = Object.keys(scene.artists).flatMap((part) => {
          const group = picture.querySelector(`[data-artist="${part}"]`);
          if (!group.querySelector("path, use") || scene.artists[part].cells) return [];
          const copy = group.cloneNode(true);
          copy.removeAttribute("data-artist");
          copy.classList.add("explorer-before");
          group.before(copy);
          return [{ copy, axes: artists[part] }];
        });
      // On axes that have moved, the copies would be in the wrong place.
      before = before.filter(({ copy, axes }) => now[axes] === limits[axes] || copy.remove());
      limits = now;
      clearTimeout(forgetting);
      forgetting = setTimeout(() => (before = before.filter(({ copy }) => copy.remove())), 1000);
    };
  }

  /** The function that shows a scene in the picture of an explorer (see live.js). */
  function mover(explorer) {
    const { picture, height, axes, artists } = explorer;
    const keep_before = trail(explorer);
    return (scene) => {
      const moved = Object.fromEntries(Object.entries(axes).map(([key, ax]) => [key, { ...ax, ...scene.axes[key] }]));
      const to = Object.fromEntries(Object.entries(moved).map(([key, ax]) => [key, transforms(ax, height)]));
      const of = (part) => ({
        to: to[artists[part] ?? part.replace(/\.[xy]$/, "")],
        group: picture.querySelector(`[data-artist="${part}"]`),
      });
      check_scene(scene, of);
      keep_before(scene, moved);
      for (const [key, { xticks, yticks }] of Object.entries(scene.axes)) {
        move_ticks(of(`${key}.x`).group, xticks, "x", to[key]);
        move_ticks(of(`${key}.y`).group, yticks, "y", to[key]);
      }
      for (const [key, artist] of Object.entries(scene.artists)) move_artist(of(key).group, artist, of(key).to);
    };
  }

  return { cells_of, mover, set };
})();
