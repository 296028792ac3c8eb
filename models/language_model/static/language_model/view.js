// What the language model makes of a text: what it writes, the next token's probabilities, small maps of all layers and
// of one layer's heads, and one head enlarged.
"use strict";
book.language_view = (() => {
  const { make } = book;
  const { STEPS, colour, digits, large_map, paint } = book.head_map;
  const { most_probable, probabilities } = book.language_sampling;
  const [LAYERS, HEADS] = [30, 9];
  const SHOWN = 8; // tokens in the table of probabilities

  /** A row of small maps, each with its number above and room for a bar below. For keys and screen readers it is a
   * slider; a click chooses, too. `choose(k)` takes a map's number, from 1.
   */
  function small_maps(count, label, choose) {
    const range = { "aria-label": label, "aria-valuemin": 1, "aria-valuemax": count, "aria-valuenow": 1 };
    const group = make("div", { class: "model-maps", tabindex: 0, role: "slider", ...range });
    const cells = Array.from({ length: count }, (_, k) =>
      make("div", { class: "model-cell" }, make("i", {}, `${k + 1}`), make("canvas"), make("b")),
    );
    cells.forEach((cell, k) => cell.addEventListener("click", () => choose(k + 1)));
    group.addEventListener("keydown", (event) => {
      const chosen = Number(group.getAttribute("aria-valuenow"));
      const columns = getComputedStyle(group).gridTemplateColumns.split(" ").length;
      const ends = { Home: 1, End: count };
      const [down, right] = STEPS[event.key] ?? [0, 0];
      if (!(event.key in STEPS) && !(event.key in ends)) return;
      event.preventDefault();
      choose(Math.min(Math.max(ends[event.key] ?? chosen + right + columns * down, 1), count));
    });
    group.append(...cells);
    return { group, cells };
  }

  /** Mark the chosen one of small maps, and say what it is. */
  function mark({ group, cells }, chosen, words) {
    cells.forEach((cell, k) => cell.classList.toggle("model-chosen", k === chosen));
    group.setAttribute("aria-valuenow", chosen + 1);
    group.setAttribute("aria-valuetext", words);
  }

  function build({ figure, frame, take, paint_small }) {
    const strip = small_maps(LAYERS, book.say("layer"), (number) => take("layer", number));
    const heads = small_maps(HEADS, book.say("head"), (number) => take("head", number));
    strip.group.classList.add("language-strip");
    heads.group.classList.add("language-heads");
    const [table, about, over_heads] = [make("table", { class: "language-next" }), make("p"), make("p")];
    const map = large_map({ figure, frame, row: Infinity, paint_small, most_words: 64 });
    const over_strip = make("p", {}, book.say("Where each layer looks; bar: weight on the first token"));
    const maps = make("div", { class: "language-maps" }, over_strip, strip.group, over_heads, heads.group);
    const one = make("div", { class: "language-one" }, about, ...map.nodes);
    frame.replaceChildren(make("div", { class: "model-view language-view" }, maps, table, one));
    return { strip, heads, table, about, map, over_heads, outdated: [maps, one] };
  }

  /** The words of the table: the most probable next tokens, with a bar for each model, and the token that the seed draws.
   * The unchanged model's numbers may have yet to arrive.
   */
  function fill_table(view) {
    const { table, values, logits, unchanged, is_changed, label, drawn } = view;
    const now = probabilities(logits, values);
    const before = unchanged && probabilities(unchanged, values);
    view.best = most_probable(now, SHOWN);
    const rest = [drawn(now), ...(before ? most_probable(before, 3) : [])].filter((id) => !view.best.includes(id));
    const bar = (p) =>
      make(
        "td",
        {},
        p > 0 && p < 0.0005 ? "<0.001" : digits(p, 3),
        make("span", { class: "language-bar", style: `--p: ${p}` }),
      );
    const bars = (id) => (is_changed ? [before ? bar(before[id]) : make("td", {}, "…"), bar(now[id])] : [bar(now[id])]);
    const row = (id) => {
      const mark = id === drawn(now) ? [make("i", {}, " ", book.say("← seed {seed}", { seed: values.seed }))] : [];
      return make("tr", {}, make("th", { scope: "row" }, label(id), ...mark), ...bars(id));
    };
    const of_models = [book.say("model as it is"), book.say("with your changes")];
    const names = [book.say("next token"), ...(is_changed ? of_models : [book.say("probability")])];
    table.replaceChildren(
      make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...[...new Set([...view.best, ...rest])].map(row)),
    );
    return now;
  }

  function paint_strip({ strip, figure, tokens, found }) {
    const [L, weight_colour] = [tokens.length, colour(figure)];
    strip.cells.forEach((cell, layer) => {
      paint(cell.querySelector("canvas"), (k) => found.means[layer * L * L + k], L, weight_colour, 64);
      cell.style.setProperty("--share", Number.isFinite(found.firsts[layer]) ? found.firsts[layer] : 0);
      const about = { layer: layer + 1, weight: digits(found.firsts[layer]) };
      cell.title = book.say("layer {layer}: weight {weight} on the first token", about);
    });
  }

  const head_of = ({ weights }, head, L) =>
    Array.from({ length: L }, (_, i) =>
      Float64Array.from(weights.subarray((head * L + i) * L, (head * L + i + 1) * L)),
    );

  function paint_heads(view) {
    const { heads, strip, values, figure, tokens, found, opened, over_heads } = view;
    const [L, weight_colour] = [tokens.length, colour(figure)];
    const place = { layer: opened.seen + 1, head: values.head, weight: digits(found.firsts[opened.seen]) };
    mark(strip, opened.seen, book.say("{layer}: weight {weight} on the first token", place));
    mark(heads, values.head - 1, book.say("{head} of layer {layer}", place));
    over_heads.textContent = book.say("Heads of layer {layer}", place);
    heads.cells.forEach((cell, head) => {
      const first = head * L * L;
      paint(cell.querySelector("canvas"), (k) => 255 * opened.weights[first + k], L, weight_colour, 64);
      cell.classList.toggle("model-off", Boolean(values.heads_off[head * LAYERS + opened.seen]));
    });
  }

  /** One head enlarged, with its measurements. */
  function open_head(view) {
    const { values, tokens, opened, about, map } = view;
    const L = tokens.length;
    const rows = head_of(opened, values.head - 1, L);
    const place = { layer: opened.seen + 1, head: values.head };
    const mean = (of, from = 1) =>
      L > from ? rows.slice(from).reduce((sum, row, i) => sum + of(row, i + from), 0) / (L - from) : NaN;
    const found = {
      ...place,
      first: digits(mean((row) => row[0])),
      previous: digits(mean((row, i) => row[i - 1], 2)), // the second token's previous token is the first one
      in_use: digits(
        mean((row) => Math.exp(book.attention_core.entropy(row))),
        1,
      ),
    };
    about.textContent = values.heads_off[(values.head - 1) * LAYERS + opened.seen]
      ? book.say(
          "Layer {layer}, head {head} (off): mean weight {first} on the first token, {previous} on the one before; {in_use} keys in use.",
          found,
        )
      : book.say(
          "Layer {layer}, head {head}: mean weight {first} on the first token, {previous} on the one before; {in_use} keys in use.",
          found,
        );
    map.show(tokens, rows, place);
  }

  /** The text and what the model has written after it; the end stays in sight. */
  function show_text({ text, start, written }) {
    text.replaceChildren(start, make("strong", {}, written));
    text.scrollTop = text.scrollHeight;
  }

  /** Draw everything again from the last messages. */
  function refresh(view, tell) {
    if (!view.opened) return;
    const now = fill_table(view);
    paint_heads(view);
    open_head(view);
    const best = view.best
      .slice(0, 3)
      .map((id) => book.say("“{token}” {probability}", { token: view.label(id), probability: digits(now[id]) }));
    const words = [
      book.say_number("{n} token.", "{n} tokens.", view.tokens.length),
      book.say("Next: {tokens}.", { tokens: best.join(", ") }),
    ];
    if (view.unchanged) {
      const token = view.label(most_probable(view.unchanged, 1)[0]);
      words.push(book.say("Without your changes: “{token}”.", { token }));
    }
    tell([...words, view.about.textContent].join(" "));
  }

  /** The view of an explorer. `take` sets a control, `text` is the element for what is
   * written, `label` names a token, and `drawn` draws one from probabilities.
   */
  return ({ figure, values, take, text, label, drawn }) => {
    const frame = figure.querySelector(".explorer-frame");
    const paint_small = () => {
      paint_strip(view);
      paint_heads(view);
    };
    const view = { figure, values, text, label, drawn, ...build({ figure, frame, take, paint_small }) };
    const wait = (is_waiting) => view.outdated.forEach((part) => part.classList.toggle("language-waiting", is_waiting));
    return {
      refresh: (tell) => refresh(view, tell),
      /** Show a new text or a changed model; `message` is the worker's `done`. */
      show({ tokens, start, written }, message, tell) {
        const { logits, is_changed } = message;
        Object.assign(view, { tokens, start, written, logits, is_changed, found: message, opened: message });
        view.unchanged = null;
        view.map.forget_cell();
        wait(false);
        show_text(view);
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
        wait(true); // the maps follow when the writing ends
        show_text(view);
        fill_table(view);
      },
    };
  };
})();
