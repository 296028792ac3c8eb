// Explorers that compute. Each has a program, explorers.NAME(values), which returns a scene in the data's coordinates:
//   artists: { name: { x, y } or { edges, values } or { cells } or { text } }, all that move
//   axes:    { name: { xlim, ylim, xticks: [[x, "label"], ...], yticks } }, all whose limits move
//   words:   what it shows, for readers who cannot see it
// The first picture is matplotlib's, which has the artists' names; a scene moves what it names. Or its program is an
// object: its wake(tools) returns { draw() }, which shows the values as it likes, and when it likes.
(() => {
  "use strict";
  const { check, in_words, nearest, slider_values } = globalThis.fields ?? {};

  // The picture

  /** From data to points of the picture, for each axis; limits as they are now. */
  function transforms({ box: [left, bottom, width, height], xscale, yscale, xlim, ylim }, pictureHeight) {
    const along = (scale, [low, high]) => {
      const f = scale === "log" ? Math.log : (v) => v;
      return (v) => (f(v) - f(low)) / (f(high) - f(low));
    };
    const [x, y] = [along(xscale, xlim), along(yscale, ylim)];
    return { x: (v) => left + width * x(v), y: (v) => pictureHeight - bottom - height * y(v) };
  }

  const point = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`;

  const line_path = ({ x, y }, to) =>
    x.length ? `M${Array.from(x, (v, i) => point(to.x(v), to.y(y[i]))).join("L")}` : "";

  function steps_path({ edges, values, baseline = 0 }, to) {
    let path = `M${point(to.x(edges[0]), to.y(baseline))}`;
    values.forEach((value, i) => {
      path += `L${point(to.x(edges[i]), to.y(value))}L${point(to.x(edges[i + 1]), to.y(value))}`;
    });
    return `${path}L${point(to.x(edges.at(-1)), to.y(baseline))}`;
  }

  /** As many copies of the first of the elements as there are places. */
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

  const all = (where, selector) => [...where.querySelectorAll(selector)];
  const set = (element, attributes) => Object.entries(attributes).forEach(([key, x]) => element.setAttribute(key, x));

  const cells_of = (group) => all(group, "use, path").filter((element) => !element.closest("defs"));

  /** Squares: the more of their colour the further from 0, negative ones in another. */
  function paint(squares, cells) {
    squares.forEach((square, i) => {
      square.style.fill = `var(--am-${cells[i] < 0 ? "theory" : "weight"})`;
      square.style.fillOpacity = Math.abs(cells[i]);
    });
  }

  function move_artist(group, artist, to) {
    if ("text" in artist) group.querySelector("text").textContent = artist.text;
    else if ("edges" in artist) set(group.querySelector(":scope > path"), { d: steps_path(artist, to) });
    else if ("cells" in artist) paint(cells_of(group), artist.cells);
    else {
      const line = group.querySelector(":scope > path"); // of "o-" both
      if (line) set(line, { d: line_path(artist, to) });
      const marks = all(group, "use");
      if (marks.length)
        copies(marks, artist.x.length).forEach((mark, i) => set(mark, { x: to.x(artist.x[i]), y: to.y(artist.y[i]) }));
    }
  }

  /** The marks and the labels of an axis; a label of the axis itself has a name of its own. */
  function move_ticks(group, ticks, axis, to) {
    const marks = copies(all(group, ":scope > use"), ticks.length);
    const labels = copies(all(group, ":scope > text"), ticks.length);
    const shift = Number(labels[0].getAttribute(axis)) - Number(marks[0].getAttribute(axis));
    ticks.forEach(([place, text], i) => {
      marks[i].setAttribute(axis, to[axis](place));
      labels[i].setAttribute(axis, to[axis](place) + shift);
      labels[i].textContent = text;
    });
  }

  const NO_NUMBER = /NaN|Infinity|undefined/;

  /** A scene that cannot be drawn whole is not begun. `of(name)` has the transforms and the group of an artist. */
  function check_scene({ artists, axes, words }, of) {
    const places = [];
    for (const [name, { x, y, edges, values, text, cells }] of Object.entries(artists)) {
      const { to, group } = of(name);
      if (!group) throw new RangeError(`the picture has no ${name}`);
      if (cells) places.push(...cells);
      else if (text !== undefined) places.push(NO_NUMBER.test(text) ? NaN : 0);
      else for (const v of x ?? edges) places.push(to.x(v));
      for (const v of y ?? values ?? []) places.push(to.y(v));
      if (edges) places.push(to.y(0)); // where the steps stand
    }
    for (const [name, { xticks, yticks }] of Object.entries(axes)) {
      const { to, group } = of(`${name}.x`);
      if (!group || !of(`${name}.y`).group) throw new RangeError(`the picture has no axes ${name}`);
      for (const [x] of xticks) places.push(to.x(x));
      for (const [y] of yticks) places.push(to.y(y));
    }
    if (NO_NUMBER.test(words) || !places.every(Number.isFinite)) throw new RangeError("a number is beyond all bounds");
  }

  // One explorer

  function wake(figure) {
    const { name, caption, height, axes, artists, controls } = JSON.parse(figure.dataset.live);
    const program = globalThis.explorers?.[name];
    const picture = figure.querySelector(".explorer-frame");
    const description = figure.querySelector(".explorer-text");
    const status = figure.querySelector("[role=status]");
    const fieldset = figure.querySelector("fieldset");
    const values = Object.fromEntries(controls.map((control) => [control.name, control.start]));
    const handles = []; // in the picture, of points
    let waiting = false;
    let announcement = 0;

    /** Words under the picture: what it shows, for readers who cannot see it; or for everybody, as a note or an alert. */
    const say = (text, forAll = "") => {
      clearTimeout(announcement); // of an earlier picture
      status.textContent = text;
      status.classList.toggle("explorer-note", forAll === "note");
      status.classList.toggle("explorer-alert", forAll === "alert");
    };
    if (!program || !globalThis.attention_core || !globalThis.fields) {
      say("What this explorer computes with could not be loaded. Load the page again.", "alert");
      return;
    }
    const in_short = () => controls.map((c) => `${c.label} = ${in_words(c, values[c.name])}`).join(", ");

    function draw() {
      waiting = false;
      try {
        if (view) view.draw();
        else show(program(values));
      } catch (error) {
        say(`No picture for ${in_short()}: ${error.message}. The picture is that of before.`, "alert");
      }
    }

    function show(scene) {
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
      picture.setAttribute("aria-label", `${caption} (${in_short()})`);
      tell(scene.words);
    }

    /** What the picture shows now. */
    function tell(words) {
      for (const control of controls) control.follow?.();
      figure.querySelector(".explorer-values").textContent = in_short(); // on paper there are no controls
      description.textContent = words;
      say("");
      // Told to a screen reader once the control has come to rest; the control itself tells its value at once.
      announcement = setTimeout(() => say(words), 700);
    }

    let before = []; // faint copies of what was there before the last moves, for a second
    const limits_of = (some) =>
      Object.fromEntries(Object.entries(some).map(([key, ax]) => [key, `${ax.xlim} ${ax.ylim}`]));
    let limits = limits_of(axes); // as they are now
    let forgetting = 0;

    function keep_before(scene, moved) {
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
      // On axes that have moved they would be in the wrong place.
      before = before.filter(({ copy, axes }) => now[axes] === limits[axes] || copy.remove());
      limits = now;
      clearTimeout(forgetting);
      forgetting = setTimeout(() => (before = before.filter(({ copy }) => copy.remove())), 1000);
    }

    /** At most once a frame: values that have been passed are not drawn. */
    function draw_soon() {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(draw);
    }

    for (const control of controls) {
      const part = (selector) => figure.querySelector(`[data-control="${control.name}"] :is(${selector})`);
      const [range, output] = [part("input[type=range]"), part("output")];
      const cells = ["table", "switches"].includes(control.kind)
        ? all(figure, `[data-control="${control.name}"] td > *`)
        : [];
      const field = cells.length ? null : part("input[type=text]");
      const [menu, box, again] = [part("select"), part("input[type=checkbox]"), part("button")];
      const problem = part(".explorer-problem");
      const places = range && (control.options ?? slider_values(control));
      control.show = () => {
        const value = values[control.name];
        const words = in_words(control, value);
        if (menu) menu.selectedIndex = control.options.indexOf(value);
        if (box) box.checked = value;
        if (control.kind === "table")
          cells.forEach((cell, i) => {
            cell.value = value[i];
            cell.removeAttribute("aria-invalid");
          });
        if (range) range.value = nearest(places, value);
        if (output) output.textContent = words;
        if (field) field.value = words;
        range?.setAttribute("aria-valuetext", words);
        field?.removeAttribute("aria-invalid");
        if (problem) problem.textContent = "";
      };
      control.take = (value) => {
        values[control.name] = value;
        control.show();
        draw_soon();
      };
      /** Take what read() returns; where it fails, say so at the place, or else below the next picture. */
      control.attempt = (read, place) => {
        try {
          control.take(read());
        } catch (error) {
          place?.setAttribute("aria-invalid", "true");
          if (problem) problem.textContent = error.message;
          else requestAnimationFrame(() => say(error.message, "alert"));
        }
      };
      /** What somebody has written in a field or in an address. */
      control.read = (written) => {
        control.attempt(() => check(control, written), field);
        if (field?.hasAttribute("aria-invalid")) field.value = written;
      };
      range?.addEventListener("input", () => control.take(places[Number(range.value)]));
      range?.addEventListener("keydown", (event) => {
        const steps = { PageUp: 10, PageDown: -10 }[event.key]; // ten, in all browsers
        if (!steps) return;
        event.preventDefault();
        range.value = Number(range.value) + steps;
        control.take(places[Number(range.value)]);
      });
      field?.addEventListener("change", () => control.read(field.value));
      if (control.kind === "table") bind_table(control, cells);
      if (control.kind === "switches") bind_switches(control, cells);
      if (control.kind === "point") bind_point(control, again);
      menu?.addEventListener("input", () => control.take(control.options[menu.selectedIndex]));
      box?.addEventListener("input", () => control.take(box.checked));
      if (!control.kind) again?.addEventListener("click", () => control.take((values[control.name] + 1) % 2 ** 32));
      part("label, .explorer-name").addEventListener("dblclick", () => control.take(control.start));
    }

    /** Each number of a table has a field of its own. */
    function bind_table(control, cells) {
      const entry = { ...control, columns: 0 };
      cells.forEach((cell, k) =>
        cell.addEventListener("change", () => {
          const refused = cells.filter((other) => other !== cell && other.hasAttribute("aria-invalid"));
          const written = refused.map((other) => other.value);
          control.attempt(() => values[control.name].map((x, i) => (i === k ? check(entry, cell.value) : x)), cell);
          // What cannot be in another field stays there, and stays said.
          refused.forEach((other, i) => {
            other.value = written[i];
            control.attempt(() => check(entry, written[i]), other);
          });
        }),
      );
    }

    /** A switch in the table, or the cell of the picture that shows it, turns over with a click. */
    function bind_switches(control, cells) {
      const turn = (k) => control.take(values[control.name].map((x, i) => (i === k ? 1 - x : x)));
      const shown = control.shown_as ? cells_of(picture.querySelector(`[data-artist="${control.shown_as}"]`)) : [];
      shown.forEach((cell, k) => cell.addEventListener("click", () => turn(k)));
      shown.forEach((cell) => cell.classList.add("explorer-switch"));
      cells.forEach((cell, k) => {
        cell.addEventListener("click", () => turn(k));
        // One stop for the Tab key; arrow keys go from one to the next.
        cell.tabIndex = k ? -1 : 0;
        cell.addEventListener("keydown", (event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -control.columns, ArrowDown: control.columns }[
            event.key
          ];
          const next = cells[k + step];
          if (!next) return;
          event.preventDefault();
          [cell.tabIndex, next.tabIndex] = [-1, 0];
          next.focus();
        });
      });
      control.follow = () =>
        cells.forEach((cell, k) =>
          cell.setAttribute(
            "aria-pressed",
            shown[k] ? getComputedStyle(shown[k]).fillOpacity > 0.01 : Boolean(values[control.name][k]),
          ),
        );
      control.follow();
    }

    /** The mark of the same name is a handle for a pointer; its button takes arrow keys. */
    function bind_point(control, button) {
      const { low, high } = control;
      const within = (x) => Math.min(Math.max(Math.round(x * 100) / 100, low), high);
      const mark = picture.querySelector(`[data-artist="${control.name}"] use`);
      const svg = mark.ownerSVGElement;
      const ax = axes[artists[control.name]];
      const handle = document.createElementNS(svg.namespaceURI, "circle"); // as large as a thumb needs
      set(handle, { class: "explorer-handle", r: 16 });
      svg.append(handle);
      picture.classList.add("explorer-handles");
      control.follow = () => set(handle, { cx: mark.getAttribute("x"), cy: mark.getAttribute("y") });
      control.follow();
      const place_of = (event) =>
        new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      handles.push(handle);
      handle.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        const { x, y } = place_of(event);
        const distance = (other) => Math.hypot(x - other.getAttribute("cx"), y - other.getAttribute("cy"));
        // Of those that lie over each other, the nearest.
        handles.reduce((a, b) => (distance(b) < distance(a) ? b : a)).setPointerCapture(event.pointerId);
      });
      handle.addEventListener("pointermove", (event) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const at = place_of(event);
        const [left, bottom, width, boxHeight] = ax.box;
        const x = ax.xlim[0] + ((at.x - left) / width) * (ax.xlim[1] - ax.xlim[0]);
        const y = ax.ylim[0] + ((height - bottom - at.y) / boxHeight) * (ax.ylim[1] - ax.ylim[0]);
        control.take([within(x), within(y)]);
      });
      button.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!step) return;
        event.preventDefault();
        const size = event.shiftKey ? 0.5 : 0.05;
        control.take(values[control.name].map((x, i) => within(x + size * step[i])));
      });
    }

    // Every state has an address: #NAME&sigma=0.37&n=12

    function address() {
      const same = (control) => in_words(control, values[control.name]) === in_words(control, control.start);
      const changed = controls.filter((control) => !same(control));
      const written = changed.map((control) => [control.name, in_words(control, values[control.name])]);
      return `#${figure.id}${changed.length ? `&${new URLSearchParams(written)}` : ""}`;
    }

    let opened = ""; // the address that the state was last taken from: going back to it changes nothing
    document.addEventListener("click", ({ target }) => {
      const link = target.closest?.("a[href^='#']");
      if (!link?.hash.startsWith(`#${figure.id}&`)) return;
      opened = ""; // a link in the text always opens its state
      if (link.hash === location.hash) restore();
    });

    function restore() {
      const [ident, ...rest] = location.hash.slice(1).split("&");
      if (ident !== figure.id || !rest.length || location.hash === opened) return;
      opened = location.hash;
      const given = new URLSearchParams(rest.join("&"));
      for (const control of controls) control.take(control.start);
      for (const control of controls) if (given.has(control.name)) control.read(given.get(control.name));
      figure.tabIndex = -1; // the keyboard goes on from here
      figure.focus({ preventScroll: true });
      figure.scrollIntoView();
    }

    figure.querySelector(".explorer-link").addEventListener("click", async () => {
      opened = address();
      try {
        history.replaceState(null, "", opened);
        await navigator.clipboard.writeText(location.href);
        say("The link is copied; it opens this state.", "note");
      } catch {
        say("The address of this page now opens this state; copy it from the address bar.", "note");
      }
    });
    figure.querySelector(".explorer-reset").addEventListener("click", () => {
      for (const control of controls) control.take(control.start);
      if (location.hash.startsWith(`#${figure.id}&`)) history.replaceState(null, "", `#${figure.id}`);
    });
    const take = (name, value) => controls.find((control) => control.name === name).take(value);
    const view = program.wake?.({ figure, values, take, say, tell });
    addEventListener("hashchange", restore);
    fieldset.disabled = false;
    for (const control of controls) control.show(); // a browser may have kept the positions of an earlier visit
    restore();
  }

  // Each in a task of its own: what goes wrong with one does not keep the others asleep.
  for (const figure of document.querySelectorAll("figure.explorer[data-live]")) setTimeout(wake, 0, figure);
})();
