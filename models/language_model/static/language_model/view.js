// What the language model makes of a text: the next token's probabilities, a strip of layers, the maps of one layer's
// heads, one head enlarged, and what the model writes.
globalThis.language_view = (() => {
  "use strict";
  const { STEPS, colour, digits, large_map, paint } = globalThis.head_map;
  const { most_probable, probabilities } = globalThis.language_sampling;
  const [LAYERS, HEADS] = [30, 9];
  const SHOWN = 8; // tokens in the table of probabilities

  /** A group of small maps, of which arrow keys and clicks choose one. */
  function small_maps(element, count, label, choose) {
    const group = element("div", { class: "model-maps", tabindex: 0, role: "group", "aria-label": label });
    const cells = Array.from({ length: count }, (_, k) =>
      element("div", { class: "model-cell" }, element("i", {}, `${k + 1}`), element("canvas"), element("b")),
    );
    cells.forEach((cell, k) => cell.addEventListener("click", () => choose(() => k)));
    group.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      choose((k) => Math.min(Math.max(k + step[0] + step[1], 0), count - 1));
    });
    group.append(...cells);
    return { group, cells };
  }

  function build({ figure, frame, element, values, take }) {
    const strip = small_maps(element, LAYERS, "Layers: the mean of their heads' maps. Arrow keys choose one.", (move) =>
      take("layer", move(values.layer - 1) + 1),
    );
    const heads = small_maps(element, HEADS, "Heads of the chosen layer. Arrow keys choose one.", (move) =>
      take("head", move(values.head - 1) + 1),
    );
    strip.group.classList.add("language-strip");
    heads.group.classList.add("language-heads");
    const [table, about, text] = [
      element("table", { class: "language-next" }),
      element("p"),
      element("p", { class: "language-text" }),
    ];
    const map = large_map({ figure, frame, element, at: [Infinity, 0], most_words: 64 }); // the last token's row
    frame.removeAttribute("role");
    frame.removeAttribute("aria-label");
    const titles = ["Layers, the mean of their heads; small: mean weight on the first token", "Heads of this layer"];
    const [over_strip, over_heads] = titles.map((title) => element("p", {}, title));
    const parts = [over_strip, strip.group, over_heads, heads.group, about, ...map.nodes];
    const rest = element("div", { class: "model-view" }, ...parts);
    frame.replaceChildren(element("div", { class: "model-view" }, text, table, rest));
    return { strip, heads, table, about, text, map, over_heads, rest };
  }

  /** The words of the table: the most probable next tokens, with a bar for each model, and the token that the seed draws.
   * The unchanged model's numbers may have yet to arrive.
   */
  function fill_table(view) {
    const { table, element, values, logits, unchanged, is_changed, label, drawn } = view;
    const now = probabilities(logits, values);
    const before = unchanged && probabilities(unchanged, values);
    view.best = most_probable(now, SHOWN);
    const rest = [drawn(now), ...(before ? most_probable(before, 3) : [])].filter((id) => !view.best.includes(id));
    const bar = (p) =>
      element(
        "td",
        {},
        p > 0 && p < 0.0005 ? "<0.001" : digits(p, 3),
        element("span", { class: "language-bar", style: `--p: ${p}` }),
      );
    const bars = (id) =>
      is_changed ? [before ? bar(before[id]) : element("td", {}, "…"), bar(now[id])] : [bar(now[id])];
    const row = (id) => {
      const mark = id === drawn(now) ? [element("i", {}, ` ← seed ${values.seed}`)] : [];
      return element("tr", {}, element("th", { scope: "row" }, label(id), ...mark), ...bars(id));
    };
    const names = ["next token", ...(is_changed ? ["model as it is", "with your changes"] : ["probability"])];
    table.replaceChildren(
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...[...new Set([...view.best, ...rest])].map(row)),
    );
    return now;
  }

  function paint_strip({ strip, figure, tokens, found }) {
    const [L, weight_colour] = [tokens.length, colour(figure)];
    strip.cells.forEach((cell, layer) => {
      paint(cell.querySelector("canvas"), (k) => found.means[layer * L * L + k], L, weight_colour, 64);
      cell.querySelector("b").textContent = digits(found.firsts[layer]);
    });
  }

  const head_of = ({ weights }, head, L) =>
    Array.from({ length: L }, (_, i) =>
      Float64Array.from(weights.subarray((head * L + i) * L, (head * L + i + 1) * L)),
    );

  function paint_heads(view) {
    const { heads, strip, values, figure, tokens, opened, over_heads } = view;
    const [L, weight_colour] = [tokens.length, colour(figure)];
    strip.cells.forEach((cell, layer) => cell.classList.toggle("model-chosen", layer === opened.seen));
    over_heads.textContent = `Heads of layer ${opened.seen + 1}`;
    heads.cells.forEach((cell, head) => {
      const first = head * L * L;
      paint(cell.querySelector("canvas"), (k) => 255 * opened.weights[first + k], L, weight_colour, 64);
      cell.classList.toggle("model-chosen", head === values.head - 1);
      cell.classList.toggle("model-off", Boolean(values.heads_off[head * LAYERS + opened.seen]));
    });
  }

  /** One head enlarged, with its measurements. */
  function open_head(view) {
    const { values, tokens, opened, about, map, start, written } = view;
    const L = tokens.length;
    const rows = head_of(opened, values.head - 1, L);
    const where = `Layer ${opened.seen + 1}, head ${values.head}`;
    const mean = (of, from = 1) =>
      L > from ? rows.slice(from).reduce((sum, row, i) => sum + of(row, i + from), 0) / (L - from) : NaN;
    const in_use = mean((row) => Math.exp(globalThis.attention_core.entropy(row)));
    const first = digits(mean((row) => row[0]));
    const previous = digits(mean((row, i) => row[i - 1], 2)); // the second token's previous token is the first one
    const off = values.heads_off[(values.head - 1) * LAYERS + opened.seen] ? " (off)" : "";
    about.textContent = `${where}${off}: mean weight ${first} on the first token, ${previous} on the one before; ${digits(in_use, 1)} keys in use (e to the entropy of a row, mean).`;
    map.show(tokens, rows, `Weights of ${where.toLowerCase()}`);
    view.text.replaceChildren(start, view.element("strong", {}, written));
  }

  /** Draw everything again from the last messages. */
  function refresh(view, tell) {
    if (!view.opened) return;
    const now = fill_table(view);
    paint_heads(view);
    open_head(view);
    const best = view.best.slice(0, 3).map((id) => `“${view.label(id)}” ${digits(now[id])}`);
    const effect = view.unchanged ? ` Without your changes: “${view.label(most_probable(view.unchanged, 1)[0])}”.` : "";
    tell(`${view.tokens.length} tokens. Next: ${best.join(", ")}.${effect} ${view.about.textContent}`);
  }

  /** The view of an explorer. `take` sets a control, `element` makes an element, `label` names a token, and `drawn` draws
   * one from probabilities.
   */
  return ({ figure, values, take, element, label, drawn }) => {
    const frame = figure.querySelector(".explorer-frame");
    const view = { figure, values, element, label, drawn, ...build({ figure, frame, element, values, take }) };
    const repaint = new MutationObserver(() => {
      if (!view.opened) return;
      paint_strip(view);
      paint_heads(view);
      view.map.repaint();
    });
    repaint.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return {
      refresh: (tell) => refresh(view, tell),
      /** Show a new text or a changed model; `message` is the worker's `done`. */
      show({ tokens, start, written, is_changed }, message, tell) {
        Object.assign(view, { tokens, start, written, found: message, opened: message, logits: message.logits });
        Object.assign(view, { is_changed, unchanged: null });
        view.map.forget_cell();
        view.rest.classList.remove("language-waiting");
        paint_strip(view);
        refresh(view, tell);
      },
      compare(message, tell) {
        view.unchanged = message.logits;
        refresh(view, tell);
      },
      open(message, tell) {
        view.opened = message;
        refresh(view, tell);
      },
      /** While the model writes: its text so far, and the next token. */
      write(written, logits) {
        Object.assign(view, { written, logits, unchanged: null });
        view.rest.classList.add("language-waiting"); // the maps follow when the writing ends
        view.text.replaceChildren(view.start, element("strong", {}, written));
        fill_table(view);
      },
    };
  };
})();
