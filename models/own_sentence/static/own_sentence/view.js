// The view of the trained encoder's results for a text: maps of all heads, one large map, the lines of a word, and numbers.
"use strict";
book.sentence_view = (() => {
  const { make } = book;
  const { STEPS, colour, digits, large_map, paint } = book.head_map;
  const LETTERS = { previous: "P", next: "N", separators: "S", itself: "I", same: "=" };
  const KINDS = {
    previous: book.mark("previous token {share}"),
    next: book.mark("next token {share}"),
    separators: book.mark("separators {share}"),
    itself: book.mark("itself {share}"),
    same: book.mark("same word elsewhere {share}"),
  };

  /** The elements of the view, which replace the stored picture in `frame`. */
  function build({ figure, frame, paint_small }) {
    const maps = make("div", { class: "model-maps", tabindex: 0, role: "group", style: "--heads: 12" });
    maps.setAttribute("aria-label", book.say("Maps of all heads, one row per layer. Arrow keys choose one."));
    const cells = [];
    maps.append(make("span"), ...Array.from({ length: 12 }, (_, head) => make("span", {}, `${head + 1}`)));
    for (let layer = 0; layer < 6; layer++) {
      const row = Array.from({ length: 12 }, () => make("div", { class: "model-cell" }, make("canvas"), make("b")));
      cells.push(...row);
      maps.append(make("span", {}, `${layer + 1}`), ...row);
    }
    const [about, table, cosines] = [make("p"), make("table"), make("p")];
    const scrolled = make("div", { class: "model-scroll" }, table);
    const map = large_map({ figure, frame, row: 1, paint_small });
    frame.replaceChildren(make("div", { class: "model-view" }, maps, about, ...map.nodes, scrolled, cosines));
    return { maps, cells, map, about, table, cosines };
  }

  function choose({ take }, layer, head) {
    if (layer < 0 || layer > 5 || head < 0 || head > 11) return;
    take("layer", layer + 1);
    take("head", head + 1);
  }

  /** Clicks and arrow keys choose a head. */
  function bind(view) {
    const { values, maps, cells } = view;
    cells.forEach((cell, n) => cell.addEventListener("click", () => choose(view, Math.floor(n / 12), n % 12)));
    maps.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      choose(view, values.layer - 1 + step[0], values.head - 1 + step[1]);
    });
  }

  function paint_all(view) {
    const { values, cells, text, found } = view;
    const [L, weight_colour] = [text.tokens.length, colour(view.figure)];
    cells.forEach((cell, n) => {
      const here = n * L * L;
      paint(cell.querySelector("canvas"), (k) => found.maps[here + k], L, weight_colour, 64);
      const shares = Object.entries(found.heads[Math.floor(n / 12)][n % 12].shares);
      const [[kind, most]] = shares.filter(([, x]) => Number.isFinite(x)).sort(([, a], [, b]) => b - a);
      cell.querySelector("b").textContent = most >= 0.5 ? LETTERS[kind] : "";
      cell.classList.toggle("model-off", Boolean(values.heads_off[n]));
    });
  }

  function show(view, message, tell) {
    Object.assign(view, { text: view.expected, found: message, compared: null, opened: null });
    view.cosines.textContent = book.say("Cosines: …");
    fill_table(view);
    paint_all(view);
    open(view, message.open, tell);
  }

  /** The chapter's measurements for each layer: medians and means over the heads. */
  function fill_table({ table, text, found }) {
    const middle = (x) =>
      [...x]
        .sort((a, b) => a - b)
        .slice(5, 7)
        .reduce((a, b) => a + b) / 2;
    const mean = (x) => x.reduce((a, b) => a + b) / x.length;
    const of = (name) => found.heads.map((heads) => heads.map((head) => head[name]));
    const separators = found.heads.map((heads) => heads.map(({ shares }) => shares.separators));
    const even = digits(2 / text.tokens.length);
    const rows = [
      [book.say("std of the scaled scores"), found.stds.map((x) => digits(x, 1))],
      [book.say("within a row, median head"), of("within").map((x) => digits(middle(x), 1))],
      [book.say("keys in use, mean"), of("in_use").map((x) => digits(mean(x), 1))],
      [book.say("weight on separators (even weights: {even})", { even }), separators.map((x) => digits(mean(x)))],
      [book.say("length of values at [CLS]"), of("at_cls").map((x) => digits(mean(x), 1))],
      [book.say("length of values at [SEP]"), of("at_sep").map((x) => digits(mean(x), 1))],
      [book.say("length of values at words"), of("at_words").map((x) => digits(mean(x), 1))],
    ];
    const layers = [1, 2, 3, 4, 5, 6].map((i) => make("th", { scope: "col" }, `${i}`));
    const head = make("tr", {}, make("td", {}, book.say("layer")), ...layers);
    const body = rows.map(([name, row]) =>
      make("tr", {}, make("th", { scope: "row" }, name), ...row.map((x) => make("td", {}, x))),
    );
    table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
  }

  /** Show one head in the large map. */
  function open(view, message, tell) {
    const { values, cells, map, text, about, found } = view;
    view.opened = message;
    const [layer, head] = message.seen;
    cells.forEach((cell, n) => cell.classList.toggle("model-chosen", n === layer * 12 + head));
    const place = { layer: layer + 1, head: head + 1 };
    const { shares, in_use, std, within } = found.heads[layer][head];
    const finite = Object.entries(shares).filter(([, x]) => Number.isFinite(x));
    const measured = {
      ...place,
      shares: finite.map(([kind, x]) => book.say(KINDS[kind], { share: digits(x) })).join(", "),
      in_use: digits(in_use, 1),
      std: digits(std, 1),
      within: digits(within, 1),
    };
    about.textContent = values.heads_off[layer * 12 + head]
      ? book.say(
          "Layer {layer}, head {head} (off): {shares}; {in_use} keys in use; scaled scores: std {std}, within a row {within}.",
          measured,
        )
      : book.say(
          "Layer {layer}, head {head}: {shares}; {in_use} keys in use; scaled scores: std {std}, within a row {within}.",
          measured,
        );
    const read_as = (read, i, j) =>
      book.say("{from} → {to}: weight {weight}, scaled score {score}", {
        ...read,
        score: digits(message.scores[i][j]),
      });
    map.show(text.tokens, message.weights, place, read_as);
    describe(view, tell);
  }

  function compare(view, message, tell) {
    view.compared = message;
    describe(view, tell);
  }

  function describe({ compared, opened, text, about, cosines }, tell) {
    if (!compared || !opened) return; // one of them has yet to arrive
    const { own, before, after } = compared;
    const words = [book.say("This vector and the one without your changes: cosine {own}.", { own: digits(own, 3) })];
    if (before !== undefined) {
      const both = { before: digits(before, 3), after: digits(after, 3) };
      words.push(book.say("The two sentences: {before} without your changes, {after} with them.", both));
    }
    cosines.textContent = words.join(" ");
    const count = book.say_number("{n} token.", "{n} tokens.", text.tokens.length);
    tell([count, about.textContent, ...words].join(" "));
  }

  /** The view of an explorer; `take` sets a control. */
  return ({ figure, values, take }) => {
    const frame = figure.querySelector(".explorer-frame");
    const view = {
      figure,
      values,
      take,
      frame,
      ...build({ figure, frame, paint_small: () => paint_all(view) }),
      expected: null, // the text that the model is working on
      text: null, // the text that is shown
      found: null, // numbers for all heads
      opened: null, // the head in the large map
      compared: null, // cosines
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
