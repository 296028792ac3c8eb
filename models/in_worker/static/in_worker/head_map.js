// One head's weights, for explorers that run a trained model: a large map with its words, the lines from one word, and a
// sentence that reads out one weight. Also what small maps need: colours and painting.
"use strict";
book.head_map = (() => {
  const { make } = book;
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const MOST_WORDS = 128;
  const MOST_LINES = 64;

  const drawn = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const digits = (x, count = 2) => (Number.isFinite(x) ? x.toFixed(count) : "–");

  /** The colour of weights in the page's theme: red, green, blue. (Some browsers lie about the pixels of a canvas.) */
  function colour(figure) {
    const probe = document.createElement("i");
    probe.style.color = "var(--am-weight)";
    figure.append(probe);
    const found = getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      .map(Number);
    probe.remove();
    return found;
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

  function build() {
    const canvas = make("canvas");
    const [rows, columns] = [make("div", { class: "model-rows" }), make("div", { class: "model-columns" })];
    const large = make("div", { class: "model-large", tabindex: 0, role: "group" }, columns, rows, canvas);
    const lines = drawn("svg", { class: "model-lines", role: "img" });
    const read_out = make("output", { class: "model-read" });
    const both = make("div", { class: "model-both" }, make("div", { class: "model-scroll" }, large), lines);
    return { canvas, rows, columns, large, lines, read_out, nodes: [both, read_out] };
  }

  /** Put words next to the map and above it, and make its cells as large as the room allows. */
  function lay_out({ frame, large, rows, columns, canvas, tokens, most_words }) {
    const L = tokens.length;
    const room = frame.clientWidth - 130 - (frame.clientWidth > 600 ? 270 : 0); // a wide frame has the lines next to it
    const size = Math.max(L <= 24 ? 10 : 12, Math.min(22, Math.floor(room / L)));
    large.style.setProperty("--cell", `${L > most_words ? Math.max(1, Math.min(4, Math.floor(room / L))) : size}px`);
    const words = () => (L > most_words ? [] : tokens.map((token) => make("span", {}, token)));
    rows.replaceChildren(...words());
    columns.replaceChildren(...words());
    canvas.style.width = canvas.style.height = `calc(var(--cell) * ${L})`;
  }

  const repaint = ({ figure, canvas, tokens, weights }) =>
    paint(
      canvas,
      (k) => 255 * weights[Math.floor(k / tokens.length)][k % tokens.length],
      tokens.length,
      colour(figure),
    );

  /** Read out the chosen weight, and draw all weights of its row. */
  function read(map) {
    const { rows, columns, read_out, tokens, weights, read_as, chosen } = map;
    const last = tokens.length - 1;
    const i = Math.min(chosen.row, last);
    const j = Math.min(chosen.column ?? weights[i].indexOf(Math.max(...weights[i])), last);
    map.at = [i, j];
    const [from, to] = map.at.map((k) => tokens[k]);
    read_out.textContent = read_as({ from, to, weight: digits(weights[i][j]) }, i, j);
    [...rows.children].forEach((word, k) => word.classList.toggle("model-here", k === i));
    [...columns.children].forEach((word, k) => word.classList.toggle("model-here", k === j));
    draw_lines(map);
  }

  function point(map, row, column) {
    map.chosen = { row: Math.max(row, 0), column: Math.max(column, 0) };
    read(map);
  }

  function draw_lines(map) {
    const { lines, tokens, weights, at } = map;
    const L = tokens.length;
    lines.toggleAttribute("hidden", L > MOST_LINES); // an SVG element has no property `hidden`
    lines.replaceChildren();
    if (L > MOST_LINES) return;
    lines.setAttribute("viewBox", `0 0 260 ${18 * L + 8}`);
    const name = book.say("Weights of {token} as lines to the words that it looks at", { token: tokens[at[0]] });
    lines.setAttribute("aria-label", name);
    const y = (k) => 18 * k + 16;
    weights[at[0]].forEach((weight, j) => {
      if (!(weight > 0.005)) return;
      const width = { "stroke-width": 6 * weight, "stroke-opacity": 0.25 + 0.75 * weight };
      lines.append(drawn("line", { x1: 92, y1: y(at[0]) - 4, x2: 168, y2: y(j) - 4, ...width }));
    });
    tokens.forEach((token, k) => {
      for (const [x, anchor] of [
        [88, "end"],
        [172, "start"],
      ]) {
        const word = drawn("text", { x, y: y(k), "text-anchor": anchor });
        word.textContent = token.length > 12 ? `${token.slice(0, 11)}…` : token;
        if (anchor === "end" && k === at[0]) word.classList.add("model-here");
        if (anchor === "end") word.addEventListener("click", () => point(map, k, at[1]));
        lines.append(word);
      }
    });
  }

  function bind(map) {
    const { canvas, large, frame } = map;
    large.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step || !map.weights) return;
      event.preventDefault();
      point(map, map.at[0] + step[0], map.at[1] + step[1]);
    });
    for (const kind of ["pointermove", "pointerdown"])
      canvas.addEventListener(kind, ({ clientX: x, clientY: y }) => {
        if (!map.weights) return;
        const box = canvas.getBoundingClientRect();
        const L = map.tokens.length;
        if (kind === "pointerdown") map.is_pinned = !map.is_pinned;
        else if (map.is_pinned) return;
        point(map, Math.floor(((y - box.top) / box.height) * L), Math.floor(((x - box.left) / box.width) * L));
      });
    new ResizeObserver(() => map.weights && lay_out(map)).observe(frame);
  }

  /** A large map for the figure's `frame`. Its `nodes` are to be placed there.
   *
   * At first `row` is read out, at its largest weight; a row of Infinity is the last one.
   * The map of a text with more than `most_words` tokens has no words at its edges.
   * `paint_small()` paints the small maps: in a new theme, all maps are painted again.
   * `show(tokens, weights, place, read_as)` shows the weights of a head, whose place is { layer, head };
   * `read_as({ from, to, weight }, i, j)` reads one out.
   */
  function large_map({ figure, frame, row, paint_small, most_words = MOST_WORDS }) {
    const first = { row, column: null };
    const map = { figure, frame, chosen: first, at: null, most_words, is_pinned: false, ...build() };
    bind(map);
    const in_new_theme = new MutationObserver(() => map.weights && (paint_small(), repaint(map)));
    in_new_theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    frame.removeAttribute("role"); // it is no longer a picture
    frame.removeAttribute("aria-label");
    return {
      nodes: map.nodes,
      show(tokens, weights, place, read_as = (found) => book.say("{from} → {to}: weight {weight}", found)) {
        Object.assign(map, { tokens, weights, read_as });
        const name = book.say("Weights of layer {layer}, head {head}. Arrow keys go from cell to cell.", place);
        map.large.setAttribute("aria-label", name);
        lay_out(map);
        repaint(map);
        read(map);
      },
      /** Read out the first row again, unless the reader has pinned another one. */
      forget_cell: () => (map.chosen = map.is_pinned ? map.chosen : first),
    };
  }

  return { STEPS, colour, digits, large_map, paint };
})();
