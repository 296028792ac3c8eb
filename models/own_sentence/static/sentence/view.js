// What chapter 11's model finds in a text: maps of all heads, one large map, the lines of a word, and numbers.
globalThis.sentence_view = (() => {
  "use strict";
  const LETTERS = {
    "previous token": "P",
    "next token": "N",
    separators: "S",
    itself: "I",
    "same word elsewhere": "=",
  };
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

  const drawn = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const digits = (x, count = 2) => (Number.isFinite(x) ? x.toFixed(count) : "–");

  /** The elements of the view, which replace the stored picture in `frame`. */
  function build(frame, element) {
    const maps = element("div", { class: "sentence-maps", tabindex: 0, role: "group" });
    maps.setAttribute("aria-label", "Maps of all heads, one row per layer. Arrow keys choose one.");
    const cells = [];
    maps.append(element("span"), ...Array.from({ length: 12 }, (_, head) => element("span", {}, `${head + 1}`)));
    for (let layer = 0; layer < 6; layer++) {
      const row = Array.from({ length: 12 }, () =>
        element("div", { class: "sentence-cell" }, element("canvas"), element("b")),
      );
      cells.push(...row);
      maps.append(element("span", {}, `${layer + 1}`), ...row);
    }
    const canvas = element("canvas");
    const [rows, columns] = [element("div", { class: "sentence-rows" }), element("div", { class: "sentence-columns" })];
    const large = element("div", { class: "sentence-large", tabindex: 0, role: "group" }, columns, rows, canvas);
    const lines = drawn("svg", { class: "sentence-lines", role: "img" });
    const read_out = element("output", { class: "sentence-read" });
    const [about, table, cosines] = [element("p"), element("table"), element("p")];
    const both = element("div", { class: "sentence-both" }, element("div", { class: "sentence-scroll" }, large), lines);
    const scrolled = element("div", { class: "sentence-scroll" }, table);
    frame.removeAttribute("role");
    frame.removeAttribute("aria-label");
    frame.replaceChildren(element("div", { class: "sentence-view" }, maps, about, both, read_out, scrolled, cosines));
    return { maps, cells, canvas, rows, columns, large, lines, read_out, about, table, cosines };
  }

  function choose({ take }, layer, head) {
    if (layer < 0 || layer > 5 || head < 0 || head > 11) return;
    take("layer", layer + 1);
    take("head", head + 1);
  }

  /** Clicks and arrow keys choose a head, and a cell of the large map. */
  function bind(view) {
    const { values, frame, maps, cells, canvas, large } = view;
    cells.forEach((cell, n) => cell.addEventListener("click", () => choose(view, Math.floor(n / 12), n % 12)));
    maps.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      choose(view, values.layer - 1 + step[0], values.head - 1 + step[1]);
    });
    large.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step || !view.opened) return;
      event.preventDefault();
      point(view, view.at[0] + step[0], view.at[1] + step[1]);
    });
    for (const kind of ["pointermove", "pointerdown"])
      canvas.addEventListener(kind, ({ clientX: x, clientY: y }) => {
        const box = canvas.getBoundingClientRect();
        const L = view.text.tokens.length;
        if (kind === "pointerdown") view.pinned = !view.pinned;
        else if (view.pinned) return;
        point(view, Math.floor(((y - box.top) / box.height) * L), Math.floor(((x - box.left) / box.width) * L));
      });
    const repaint = new MutationObserver(() => view.found && paint_all(view));
    repaint.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    new ResizeObserver(() => view.opened && lay_out(view)).observe(frame);
  }

  /** The colour of weights in this theme: red, green, blue. */
  function colour({ figure, element }) {
    const probe = element("canvas").getContext("2d");
    probe.fillStyle = getComputedStyle(figure).getPropertyValue("--am-weight").trim();
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data;
  }

  /** A square of numbers from 0 to 255: a larger number has more of the colour. If the square is too wide, it shows
   * the largest number of each block.
   */
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

  function paint_all(view) {
    const { values, cells, text, found } = view;
    const [L, weight_colour] = [text.tokens.length, colour(view)];
    cells.forEach((cell, n) => {
      const here = n * L * L;
      paint(cell.querySelector("canvas"), (k) => found.maps[here + k], L, weight_colour, 64);
      const shares = Object.entries(found.heads[Math.floor(n / 12)][n % 12].shares);
      const [[kind, most]] = shares.filter(([, x]) => Number.isFinite(x)).sort(([, a], [, b]) => b - a);
      cell.querySelector("b").textContent = most >= 0.5 ? LETTERS[kind] : "";
      cell.classList.toggle("sentence-off", Boolean(values.heads_off[n]));
    });
    if (view.opened) paint_large(view, weight_colour);
  }

  function paint_large({ canvas, text, opened }, weight_colour) {
    const L = text.tokens.length;
    paint(canvas, (k) => 255 * opened.weights[Math.floor(k / L)][k % L], L, weight_colour);
  }

  function show(view, message, tell) {
    Object.assign(view, { text: view.expected, found: message, compared: null, opened: null });
    view.cosines.textContent = "Cosines: …";
    fill_table(view);
    paint_all(view);
    open(view, message.open, tell);
  }

  /** The measurements of chapter 11 for each layer: medians and means over the heads. */
  function fill_table({ table, text, found, element }) {
    const middle = (x) =>
      [...x]
        .sort((a, b) => a - b)
        .slice(5, 7)
        .reduce((a, b) => a + b) / 2;
    const mean = (x) => x.reduce((a, b) => a + b) / x.length;
    const of = (name) => found.heads.map((heads) => heads.map((head) => head[name]));
    const separators = found.heads.map((heads) => heads.map(({ shares }) => shares.separators));
    const rows = {
      "std of the scaled scores": found.stds.map((x) => digits(x, 1)),
      "within a row, median head": of("within").map((x) => digits(middle(x), 1)),
      "keys in use, mean": of("in_use").map((x) => digits(mean(x), 1)),
      [`weight on separators (even weights: ${digits(2 / text.tokens.length)})`]: separators.map((x) =>
        digits(mean(x)),
      ),
      "length of values at separators": of("at_separators").map((x) => digits(mean(x), 1)),
      "length of values at words": of("at_words").map((x) => digits(mean(x), 1)),
    };
    const layers = [1, 2, 3, 4, 5, 6].map((i) => element("th", { scope: "col" }, `${i}`));
    const head = element("tr", {}, element("td", {}, "layer"), ...layers);
    const body = Object.entries(rows).map(([name, row]) =>
      element("tr", {}, element("th", { scope: "row" }, name), ...row.map((x) => element("td", {}, x))),
    );
    table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  }

  /** Show one head in the large map. */
  function open(view, message, tell) {
    const { values, cells, large, about, found } = view;
    view.opened = message;
    const [layer, head] = message.seen;
    cells.forEach((cell, n) => cell.classList.toggle("sentence-chosen", n === layer * 12 + head));
    const where = `${layer + 1}, head ${head + 1}`;
    large.setAttribute("aria-label", `Weights of layer ${where}. Arrow keys go from cell to cell.`);
    const { shares, in_use, std, within } = found.heads[layer][head];
    const off = values.heads_off[layer * 12 + head] ? " (off)" : "";
    const finite = Object.entries(shares).filter(([, x]) => Number.isFinite(x));
    const listed = finite.map(([kind, x]) => `${kind} ${digits(x)}`).join(", ");
    const scores = `std ${digits(std, 1)}, within a row ${digits(within, 1)}`;
    about.textContent = `Layer ${where}${off}: ${listed}; ${digits(in_use, 1)} keys in use; scaled scores: ${scores}.`;
    lay_out(view);
    paint_large(view, colour(view));
    point(view, ...view.at);
    describe(view, tell);
  }

  function compare(view, message, tell) {
    view.compared = message;
    describe(view, tell);
  }

  function describe({ compared, opened, text, about, cosines }, tell) {
    if (!compared || !opened) return; // one of them has yet to arrive
    const { own, before, after } = compared;
    const alone = `This vector and the one without your changes: cosine ${digits(own, 3)}.`;
    const both = `The two sentences: ${digits(before, 3)} without your changes, ${digits(after, 3)} with them.`;
    cosines.textContent = before === undefined ? alone : `${alone} ${both}`;
    tell(`${text.tokens.length} tokens. ${about.textContent} ${cosines.textContent}`);
  }

  /** Words next to the large map and above it, as large as there is room for. */
  function lay_out({ frame, large, rows, columns, canvas, text, element }) {
    const L = text.tokens.length;
    const room = frame.clientWidth - 130 - (frame.clientWidth > 600 ? 270 : 0); // a wide frame has the lines next to it
    const size = Math.max(L <= 24 ? 10 : 12, Math.min(22, Math.floor(room / L)));
    large.style.setProperty("--cell", `${L > 128 ? 4 : size}px`);
    const words = () => (L > 128 ? [] : text.tokens.map((token) => element("span", {}, token)));
    rows.replaceChildren(...words());
    columns.replaceChildren(...words());
    canvas.style.width = canvas.style.height = `calc(var(--cell) * ${L})`;
  }

  /** Read out one weight, and draw all weights of its row. */
  function point(view, i, j) {
    const { rows, columns, read_out, text, opened } = view;
    const at = [i, j].map((k) => Math.min(Math.max(k, 0), text.tokens.length - 1));
    view.at = at;
    if (!opened) return;
    const [weight, score] = [opened.weights, opened.scores].map((of) => digits(of[at[0]][at[1]]));
    const [from, to] = at.map((k) => text.tokens[k]);
    read_out.textContent = `${from} → ${to}: weight ${weight}, scaled score ${score}`;
    [...rows.children].forEach((word, k) => word.classList.toggle("sentence-here", k === at[0]));
    [...columns.children].forEach((word, k) => word.classList.toggle("sentence-here", k === at[1]));
    draw_lines(view);
  }

  function draw_lines(view) {
    const { lines, text, opened, at } = view;
    const L = text.tokens.length;
    lines.toggleAttribute("hidden", L > 64); // an SVG element has no property of that name
    lines.replaceChildren();
    if (L > 64) return;
    lines.setAttribute("viewBox", `0 0 260 ${18 * L + 8}`);
    lines.setAttribute("aria-label", `Weights of ${text.tokens[at[0]]} as lines to the words that it looks at`);
    const y = (k) => 18 * k + 16;
    opened.weights[at[0]].forEach((weight, j) => {
      if (!(weight > 0.005)) return;
      const width = { "stroke-width": 6 * weight, "stroke-opacity": 0.25 + 0.75 * weight };
      lines.append(drawn("line", { x1: 92, y1: y(at[0]) - 4, x2: 168, y2: y(j) - 4, ...width }));
    });
    text.tokens.forEach((token, k) => {
      for (const [x, anchor] of [
        [88, "end"],
        [172, "start"],
      ]) {
        const word = drawn("text", { x, y: y(k), "text-anchor": anchor });
        word.textContent = token.length > 12 ? `${token.slice(0, 11)}…` : token;
        if (anchor === "end" && k === at[0]) word.classList.add("sentence-here");
        if (anchor === "end") word.addEventListener("click", () => point(view, k, at[1]));
        lines.append(word);
      }
    });
  }

  /** The view of an explorer; `take` sets a control, `element` makes an element. */
  return ({ figure, values, take, element }) => {
    const frame = figure.querySelector(".explorer-frame");
    const view = {
      figure,
      values,
      take,
      element,
      frame,
      ...build(frame, element),
      expected: null, // the text that the model is working on
      text: null, // the text that is shown
      found: null, // numbers for all heads
      opened: null, // the head in the large map
      compared: null, // cosines
      at: [1, 0], // the cell that is read out
      pinned: false, // by a click: then the cell does not follow the pointer
    };
    bind(view);
    return {
      expect: (text) => (view.expected = text),
      show: (message, tell) => show(view, message, tell),
      open: (message, tell) => open(view, message, tell),
      compare: (message, tell) => compare(view, message, tell),
    };
  };
})();
