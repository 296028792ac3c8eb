// What chapter 11's model has found on a text: maps of all heads, one of them large, lines of a word, and numbers.
"use strict";
globalThis.sentence_view = ({ figure, values, take, element }) => {
  const LETTERS = {
    "previous token": "P",
    "next token": "N",
    separators: "S",
    itself: "I",
    "same word elsewhere": "=",
  };
  const frame = figure.querySelector(".explorer-frame");
  const drawn = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const digits = (x, count = 2) => (Number.isFinite(x) ? x.toFixed(count) : "–");

  const maps = element("div", { class: "sentence-maps", tabindex: 0, role: "group" });
  maps.setAttribute("aria-label", "Maps of all heads, a row for each layer. Arrow keys choose one.");
  const cells = [];
  maps.append(element("span"), ...Array.from({ length: 12 }, (_, head) => element("span", {}, `${head + 1}`)));
  for (let layer = 0; layer < 6; layer++) {
    maps.append(element("span", {}, `${layer + 1}`));
    for (let head = 0; head < 12; head++) {
      const cell = element("div", { class: "sentence-cell" }, element("canvas"), element("b"));
      cell.addEventListener("click", () => choose(layer, head));
      cells.push(cell);
      maps.append(cell);
    }
  }
  const canvas = element("canvas");
  const [rows, columns] = [element("div", { class: "sentence-rows" }), element("div", { class: "sentence-columns" })];
  const large = element("div", { class: "sentence-large", tabindex: 0, role: "group" }, columns, rows, canvas);
  const lines = drawn("svg", { class: "sentence-lines", role: "img" });
  const read_out = element("output", { class: "sentence-read" });
  const about = element("p");
  const table = element("table");
  const cosines = element("p");
  frame.removeAttribute("role");
  frame.removeAttribute("aria-label");
  frame.replaceChildren(
    element(
      "div",
      { class: "sentence-view" },
      maps,
      about,
      element("div", { class: "sentence-both" }, element("div", { class: "sentence-scroll" }, large), lines),
      read_out,
      element("div", { class: "sentence-scroll" }, table),
      cosines,
    ),
  );

  let expected, text, found, opened; // what was asked for, what is shown, numbers, and the head that is large
  let compared = null;
  let at = [1, 0]; // the cell that is read out
  let pinned = false; // by a click, so that the pointer does not take it along

  function choose(layer, head) {
    if (layer < 0 || layer > 5 || head < 0 || head > 11) return;
    take("layer", layer + 1);
    take("head", head + 1);
  }
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  maps.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    choose(values.layer - 1 + step[0], values.head - 1 + step[1]);
  });
  large.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step || !opened) return;
    event.preventDefault();
    point(at[0] + step[0], at[1] + step[1]);
  });
  for (const kind of ["pointermove", "pointerdown"])
    canvas.addEventListener(kind, (event) => {
      const box = canvas.getBoundingClientRect();
      const L = text.tokens.length;
      if (kind === "pointerdown") pinned = !pinned;
      else if (pinned) return;
      point(
        Math.floor(((event.clientY - box.top) / box.height) * L),
        Math.floor(((event.clientX - box.left) / box.width) * L),
      );
    });
  new MutationObserver(() => found && paint_all()).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  new ResizeObserver(() => opened && lay_out()).observe(frame);

  /** The colour of weights in this theme: red, green, blue. */
  function colour() {
    const probe = element("canvas").getContext("2d");
    probe.fillStyle = getComputedStyle(figure).getPropertyValue("--am-weight").trim();
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data;
  }

  /** A square of numbers from 0 to 255: the more of the colour. Of a wide one, the largest of each block. */
  function paint(target, numbers, L, [red, green, blue], finest = 512) {
    const block = Math.ceil(L / finest);
    const size = Math.ceil(L / block);
    const image = new ImageData(size, size);
    for (let i = 0; i < L; i++)
      for (let j = 0; j < L; j++) {
        const k = 4 * (Math.floor(i / block) * size + Math.floor(j / block));
        image.data[k + 3] = Math.max(image.data[k + 3], numbers(i * L + j));
      }
    for (let k = 0; k < image.data.length; k += 4) {
      image.data[k] = red;
      image.data[k + 1] = green;
      image.data[k + 2] = blue;
    }
    [target.width, target.height] = [size, size];
    target.getContext("2d").putImageData(image, 0, 0);
  }

  function paint_all() {
    const [L, weight_colour] = [text.tokens.length, colour()];
    cells.forEach((cell, n) => {
      const here = n * L * L;
      paint(cell.querySelector("canvas"), (k) => found.maps[here + k], L, weight_colour, 64);
      const shares = Object.entries(found.heads[Math.floor(n / 12)][n % 12].shares);
      const [[kind, most]] = shares.filter(([, x]) => Number.isFinite(x)).sort(([, a], [, b]) => b - a);
      cell.querySelector("b").textContent = most >= 0.5 ? LETTERS[kind] : "";
      cell.classList.toggle("sentence-off", Boolean(values.heads_off[n]));
    });
    if (opened) paint_large(weight_colour);
  }

  function paint_large(weight_colour) {
    const L = text.tokens.length;
    paint(canvas, (k) => 255 * opened.weights[Math.floor(k / L)][k % L], L, weight_colour);
  }

  function expect(wanted) {
    expected = wanted;
  }

  function show(message, tell) {
    [text, found, compared, opened] = [expected, message, null, null];
    cosines.textContent = "Cosines: …";
    fill_table();
    paint_all();
    open(message.open, tell);
  }

  /** By layer what chapter 11 measures: medians and means over the heads. */
  function fill_table() {
    const middle = (x) =>
      [...x]
        .sort((a, b) => a - b)
        .slice(5, 7)
        .reduce((a, b) => a + b) / 2;
    const mean = (x) => x.reduce((a, b) => a + b) / x.length;
    const of = (name) => found.heads.map((heads) => heads.map((head) => head[name]));
    const separators = found.heads.map((heads) => heads.map(({ shares }) => shares.separators));
    const lines = {
      "std of the scaled scores": found.stds.map((x) => digits(x, 1)),
      "within a row, median head": of("within").map((x) => digits(middle(x), 1)),
      "keys in use, mean": of("in_use").map((x) => digits(mean(x), 1)),
      [`weight on separators (even weights: ${digits(2 / text.tokens.length)})`]: separators.map((x) =>
        digits(mean(x)),
      ),
      "length of values at separators": of("at_separators").map((x) => digits(mean(x), 1)),
      "length of values at words": of("at_words").map((x) => digits(mean(x), 1)),
    };
    const head = element(
      "tr",
      {},
      element("td", {}, "layer"),
      ...[1, 2, 3, 4, 5, 6].map((i) => element("th", { scope: "col" }, `${i}`)),
    );
    const body = Object.entries(lines).map(([name, row]) =>
      element("tr", {}, element("th", { scope: "row" }, name), ...row.map((x) => element("td", {}, x))),
    );
    table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  }

  function open(message, tell) {
    opened = message;
    const [layer, head] = message.seen;
    cells.forEach((cell, n) => cell.classList.toggle("sentence-chosen", n === layer * 12 + head));
    large.setAttribute(
      "aria-label",
      `Weights of layer ${layer + 1}, head ${head + 1}. Arrow keys go from cell to cell.`,
    );
    const { shares, in_use, std, within } = found.heads[layer][head];
    const told = Object.entries(shares).flatMap(([kind, x]) => (Number.isFinite(x) ? [`${kind} ${digits(x)}`] : []));
    about.textContent = `Layer ${layer + 1}, head ${head + 1}${values.heads_off[layer * 12 + head] ? " (off)" : ""}: ${told.join(", ")}; ${digits(in_use, 1)} keys in use; scaled scores: std ${digits(std, 1)}, within a row ${digits(within, 1)}.`;
    lay_out();
    paint_large(colour());
    point(...at);
    describe(tell);
  }

  function compare(message, tell) {
    compared = message;
    describe(tell);
  }

  function describe(tell) {
    if (!compared || !opened) return; // one of them is on its way
    const { own, before, after } = compared;
    const alone = `This vector and the one without your changes: cosine ${digits(own, 3)}.`;
    const both =
      before === undefined
        ? ""
        : ` The two sentences: ${digits(before, 3)} without your changes, ${digits(after, 3)} with them.`;
    cosines.textContent = alone + both;
    tell(`${text.tokens.length} tokens. ${about.textContent} ${cosines.textContent}`);
  }

  /** Words beside and above the large map, as large as there is room for. */
  function lay_out() {
    const L = text.tokens.length;
    const room = frame.clientWidth - 130 - (frame.clientWidth > 600 ? 270 : 0); // there the lines stand beside it
    const size = Math.max(L <= 24 ? 10 : 12, Math.min(22, Math.floor(room / L)));
    large.style.setProperty("--cell", `${L > 128 ? 4 : size}px`);
    const words = () => (L > 128 ? [] : text.tokens.map((token) => element("span", {}, token)));
    rows.replaceChildren(...words());
    columns.replaceChildren(...words());
    canvas.style.width = canvas.style.height = `calc(var(--cell) * ${L})`;
  }

  /** Read one weight out, and draw all of its row. */
  function point(i, j) {
    const L = text.tokens.length;
    at = [i, j].map((k) => Math.min(Math.max(k, 0), L - 1));
    if (!opened) return;
    const [weight, score] = [opened.weights, opened.scores].map((of) => of[at[0]][at[1]]);
    read_out.textContent = `${text.tokens[at[0]]} → ${text.tokens[at[1]]}: weight ${digits(weight)}, scaled score ${digits(score)}`;
    [...rows.children].forEach((word, k) => word.classList.toggle("sentence-here", k === at[0]));
    [...columns.children].forEach((word, k) => word.classList.toggle("sentence-here", k === at[1]));
    draw_lines();
  }

  function draw_lines() {
    const L = text.tokens.length;
    lines.toggleAttribute("hidden", L > 64); // an SVG element has no property of that name
    lines.replaceChildren();
    if (L > 64) return;
    lines.setAttribute("viewBox", `0 0 260 ${18 * L + 8}`);
    lines.setAttribute("aria-label", `Weights of ${text.tokens[at[0]]} as lines to the words that it looks at`);
    const y = (k) => 18 * k + 16;
    opened.weights[at[0]].forEach((weight, j) => {
      if (weight > 0.005)
        lines.append(
          drawn("line", {
            x1: 92,
            y1: y(at[0]) - 4,
            x2: 168,
            y2: y(j) - 4,
            "stroke-width": 6 * weight,
            "stroke-opacity": 0.25 + 0.75 * weight,
          }),
        );
    });
    text.tokens.forEach((token, k) => {
      for (const [x, anchor] of [
        [88, "end"],
        [172, "start"],
      ]) {
        const word = drawn("text", { x, y: y(k), "text-anchor": anchor });
        word.textContent = token.length > 12 ? `${token.slice(0, 11)}…` : token;
        if (anchor === "end" && k === at[0]) word.classList.add("sentence-here");
        if (anchor === "end") word.addEventListener("click", () => point(k, at[1]));
        lines.append(word);
      }
    });
  }

  return { compare, expect, open, show };
};
