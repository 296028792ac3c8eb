// Explorers that compute. Each has a program, explorers.NAME(values), which returns a scene in the data's coordinates:
//   artists: { name: { x, y } or { edges, values } or { text } }
//   axes:    { name: { xlim, ylim, xticks: [[x, "label"], ...], yticks } }, where limits move
//   words:   what it shows, for who cannot see it
// The first picture is matplotlib's, which has the artists' names; a scene moves what it names and the rest stays.
(() => {
  "use strict";
  const STEPS = 400; // of a slider; a field takes what lies between
  const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
  const in_words = (value) => (typeof value === "number" ? String(Number(value.toPrecision(12))) : value);

  /** The number that somebody has written; an error says what is wrong with it, as explore/fields.py does. */
  function check({ label, low, high, whole }, written) {
    const plain = written.normalize("NFKC").trim().replaceAll("−", "-");
    const what = `${label} must be ${whole ? "an integer" : "a number"} from ${in_words(low)} to ${in_words(high)}`;
    if (!plain) throw new RangeError(`${what}; the field is empty`);
    if (!NUMBER.test(plain)) throw new RangeError(`${what}, got ${written.trim().slice(0, 30)}`);
    const value = Number(plain);
    if (!(value >= low && value <= high) || (whole && !Number.isInteger(value)))
      throw new RangeError(`${what}, got ${plain.slice(0, 30)}`);
    return value;
  }

  /** What a slider's positions stand for. Of integers each only once, or a key would do nothing. */
  function slider_values({ low, high, log, whole, options }) {
    if (options) return options;
    const count = whole && !log ? Math.min(high - low, STEPS) : STEPS;
    const between = (share) => (log ? low * (high / low) ** share : low + (high - low) * share);
    const short = (x) => Math.min(Math.max(whole ? Math.round(x) : Number(x.toPrecision(3)), low), high);
    return [...new Set(Array.from({ length: count + 1 }, (_, i) => short(between(i / count))))];
  }

  /** The place of the value, or of the one nearest to it. */
  function position_of({ options, on_slider, log }, value) {
    if (options) return options.indexOf(value);
    const distance = (x) => Math.abs(log ? Math.log(x / value) : x - value);
    return on_slider.reduce((best, x, i) => (distance(x) < distance(on_slider[best]) ? i : best), 0);
  }

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

  const line_path = ({ x, y }, to) => `M${Array.from(x, (v, i) => point(to.x(v), to.y(y[i]))).join("L")}`;

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

  function move_artist(group, artist, to) {
    if ("text" in artist) group.querySelector("text").textContent = artist.text;
    else if ("edges" in artist) set(group.querySelector("path"), { d: steps_path(artist, to) });
    else {
      const marks = all(group, "use");
      if (!marks.length) set(group.querySelector("path"), { d: line_path(artist, to) });
      copies(marks, marks.length && artist.x.length).forEach((mark, i) => {
        set(mark, { x: to.x(artist.x[i]), y: to.y(artist.y[i]) });
      });
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

  const numbers_of = (scene) =>
    [...Object.values(scene.artists), ...Object.values(scene.axes ?? {})].flatMap((part) =>
      ["x", "y", "edges", "values", "xlim", "ylim"].flatMap((key) => (part[key] ? Array.from(part[key]) : [])),
    );

  // One explorer

  function wake(figure) {
    const { name, caption, height, axes, artists, controls } = JSON.parse(figure.dataset.live);
    const program = globalThis.explorers?.[name];
    const picture = figure.querySelector(".explorer-frame");
    const description = figure.querySelector(".explorer-text");
    const status = figure.querySelector("[role=status]");
    const values = Object.fromEntries(controls.map((control) => [control.name, control.start]));
    let waiting = false;
    let announcement = 0;

    /** Words under the picture: hidden where the picture shows the same, else for everybody. */
    const say = (text, forAll = false) => {
      clearTimeout(announcement); // of an earlier picture
      status.textContent = text;
      status.classList.toggle("explorer-alert", forAll);
    };
    if (!program || !globalThis.attention_core) {
      say("What this explorer computes with could not be loaded. Load the page again.", true);
      return;
    }
    const in_short = () => controls.map((c) => `${c.label} = ${in_words(values[c.name])}`).join(", ");

    function draw() {
      waiting = false;
      try {
        const scene = program(values);
        if (!numbers_of(scene).every(Number.isFinite)) throw new RangeError("a number is beyond all bounds");
        show(scene);
      } catch (error) {
        say(`No picture for ${in_short()}: ${error.message}. The picture is that of before.`, true);
      }
    }

    function show(scene) {
      for (const [key, limits] of Object.entries(scene.axes ?? {})) Object.assign(axes[key], limits);
      const to = Object.fromEntries(Object.entries(axes).map(([key, ax]) => [key, transforms(ax, height)]));
      for (const [key, { xticks, yticks }] of Object.entries(scene.axes ?? {}))
        for (const [axis, ticks] of [["x", xticks], ["y", yticks]])
          if (ticks) move_ticks(picture.querySelector(`[data-artist="${key}.${axis}"]`), ticks, axis, to[key]);
      for (const [key, artist] of Object.entries(scene.artists))
        move_artist(picture.querySelector(`[data-artist="${key}"]`), artist, to[artists[key]]);
      picture.setAttribute("aria-label", `${caption} (${in_short()})`);
      description.textContent = scene.words;
      say("");
      // Told to a screen reader once the control has come to rest; the control itself tells its value at once.
      announcement = setTimeout(() => say(scene.words), 700);
    }

    /** At most once a frame: values that have been passed are not drawn. */
    function draw_soon() {
      if (!waiting) requestAnimationFrame(draw);
      waiting = true;
    }

    for (const control of controls) {
      const part = (selector) => figure.querySelector(`[data-control="${control.name}"] ${selector}`);
      const [range, field, problem] = [part("input[type=range]"), part("input[type=text]"), part(".explorer-problem")];
      control.on_slider = slider_values(control);
      if (range) range.max = control.on_slider.length - 1;
      const [menu, box, again] = [part("select"), part("input[type=checkbox]"), part("button")];
      control.show = () => {
        const value = values[control.name];
        if (menu) menu.selectedIndex = control.options.indexOf(value);
        if (box) box.checked = value;
        if (range) range.value = position_of(control, value);
        range?.setAttribute("aria-valuetext", in_words(value));
        if (field) field.value = in_words(value);
        field?.removeAttribute("aria-invalid");
        if (problem) problem.textContent = "";
      };
      control.take = (value) => {
        values[control.name] = value;
        control.show();
        draw_soon();
      };
      control.read = (written) => {
        try {
          control.take(control.options ? option(control, written) : check(control, written));
        } catch (error) {
          problem.textContent = error.message;
          field?.setAttribute("aria-invalid", "true");
        }
      };
      range?.addEventListener("input", () => control.take(control.on_slider[Number(range.value)]));
      range?.addEventListener("keydown", (event) => {
        const pages = { PageUp: 10, PageDown: -10 }[event.key]; // ten steps, in all browsers
        if (!pages) return;
        event.preventDefault();
        range.value = Number(range.value) + pages;
        control.take(control.on_slider[Number(range.value)]);
      });
      field?.addEventListener("change", () => control.read(field.value));
      menu?.addEventListener("input", () => control.take(control.options[menu.selectedIndex]));
      box?.addEventListener("input", () => control.take(box.checked));
      again?.addEventListener("click", () => control.take((values[control.name] + 1) % 2 ** 32));
      part("label").addEventListener("dblclick", () => control.take(control.start));
    }

    function option(control, written) {
      const found = control.options.find((value) => String(value) === written);
      const what = `${control.label} must be one of ${control.options.join(", ")}`;
      if (found === undefined) throw new RangeError(`${what}, got ${written.slice(0, 30)}`);
      return found;
    }

    // Every state has an address: #NAME&sigma=0.37&n=12

    function address() {
      const changed = controls.filter((control) => values[control.name] !== control.start);
      const parameters = new URLSearchParams(changed.map((control) => [control.name, in_words(values[control.name])]));
      return `${location.href.split("#")[0]}#${figure.id}${changed.length ? `&${parameters}` : ""}`;
    }

    function restore() {
      const [ident, ...rest] = location.hash.slice(1).split("&");
      if (ident !== figure.id || !rest.length) return;
      const given = new URLSearchParams(rest.join("&"));
      for (const control of controls) control.take(control.start);
      for (const control of controls) if (given.has(control.name)) control.read(given.get(control.name));
      figure.scrollIntoView();
    }

    figure.querySelector(".explorer-link").addEventListener("click", async () => {
      history.replaceState(null, "", address());
      try {
        await navigator.clipboard.writeText(location.href);
        say("The link is copied; it opens this state.", true);
      } catch {
        say("The address of this page now opens this state; copy it from the address bar.", true);
      }
    });
    figure.querySelector(".explorer-reset").addEventListener("click", () => {
      for (const control of controls) control.take(control.start);
      if (location.hash.startsWith(`#${figure.id}&`)) history.replaceState(null, "", `#${figure.id}`);
    });
    addEventListener("hashchange", restore);
    figure.querySelector("fieldset").disabled = false;
    for (const control of controls) control.show(); // a browser may have kept the positions of an earlier visit
    restore();
  }

  for (const figure of document.querySelectorAll("figure.explorer[data-live]")) wake(figure);
})();
