// The machine on a page: tiles in place of the stored picture, with a lens, tables to drag, and a word to follow.
"use strict";
book.machine_view = (() => {
  const { make } = book;
  const DRAG = 12; // pixels for a step of 1

  const with_index = (title) => {
    const [name, index] = title.split("_");
    return index ? [name, make("sub", {}, index)] : [title];
  };
  /** e^(2) as e with a raised 2. */
  const with_powers = (text) =>
    text.split(/(e\^\([^)]*\))/).flatMap((part) => {
      const power = /^e\^\(([^)]*)\)$/.exec(part);
      return power ? ["e", make("sup", {}, power[1])] : [part];
    });

  const in_words = (sentence) => (sentence ? book.say(book.four_words[sentence[0]], sentence[1]) : "");

  /** The columns of the floor: what happens there, and its matrices. */
  const columns_of = (heads) => [
    [book.say("words"), ["x"]],
    [book.say("× tables"), ["w_q", "w_k", "w_v"]],
    [book.say("= ask, be found, give"), ["q", "k", "v"]],
    [
      book.say("Q · Kᵀ, softmax"),
      Array.from({ length: heads }, (_, h) => [`products_${h}`, `scores_${h}`, `weights_${h}`]).flat(),
    ],
    ["× V", ["output"]],
  ];

  /** A matrix as a grid of tiles; `view.tiles` maps each place to its tile. */
  function build_matrix(view, name, matrix) {
    const { numbers, rows, columns, role, title } = matrix;
    const [n, m] = [numbers.length, numbers[0].length];
    const is_table = name.startsWith("w_");
    const spoken = title.replace("_", " ");
    const grid = make("div", {
      class: "machine-grid",
      role: "group",
      "aria-label": book.say("{name}, {n} by {m}", { name: spoken, n, m }),
    });
    grid.style.gridTemplateColumns = `auto repeat(${m}, var(--tile))`;
    const { low, high } = view.tables[name] ?? {};
    const kind = is_table ? { role: "spinbutton", "aria-valuemin": low, "aria-valuemax": high } : { role: "button" };
    if (columns.length)
      grid.append(make("span"), ...columns.map((word) => make("i", { class: "machine-column", title: word }, word)));
    numbers.forEach((row, i) => {
      const label = make("i", { class: "machine-word", title: rows[i] }, rows[i]);
      if (!is_table) {
        // For a pointer; the keyboard has the control "follow".
        label.classList.add("machine-to-follow");
        label.dataset.row = i;
        label.addEventListener("click", () => view.take("follow", view.values.follow === i + 1 ? 0 : i + 1));
      }
      grid.append(label);
      row.forEach((_, j) => {
        const at = `${name} ${i} ${j}`;
        const tile = make("span", { class: "machine-tile", "data-at": at, tabindex: i || j ? -1 : 0, ...kind });
        tile.style.setProperty("--role", role === "ink" ? "var(--am-muted)" : `var(--am-${role})`);
        const place = { name: spoken, row: rows[i], n: j + 1 };
        if (is_table) tile.setAttribute("aria-label", book.say("{name}, {row}, column {n}", place));
        view.tiles.set(at, tile);
        grid.append(tile);
      });
    });
    const is_of_head = view.values.two_heads && role === "weight"; // its name needs the line
    const shape = make("small", {}, is_of_head ? "" : `(${n}, ${m})`);
    const heading = make("div", { class: "machine-name" }, ...with_index(title), " ", shape);
    heading.style.color = role === "ink" ? "var(--am-ink)" : `var(--am-${role})`;
    const at_stage = { class: "machine-stage", "data-stage": matrix.stage, "data-matrix": name };
    return make("div", at_stage, heading, grid);
  }

  function build(view, made) {
    view.tiles.clear();
    const across = ["x", "w_q", "q", "scores_0", "output"].map((name) => made[name].numbers[0].length);
    const columns = across.reduce((sum, m) => sum + m, 0);
    view.floor.style.setProperty("--columns", columns);
    const parts = columns_of(made.weights_1 ? 2 : 1).map(([head, names], k) => {
      const stages = names.map((name) => build_matrix(view, name, made[name]));
      const part = { class: "machine-part", "data-part": k };
      return make("div", part, make("div", { class: "machine-head" }, head), ...stages);
    });
    view.floor.replaceChildren(...parts);
  }

  /** A number in at most four characters, as explore's tiles write it; shares and outputs have two digits. */
  function on_tile(number, name, short) {
    if (name === "output" || name.startsWith("weights")) return number.toFixed(2).replace("-", "−");
    const text = short(number);
    return text.length > 4 ? number.toFixed(1).replace("-", "−") : text;
  }

  function spoken_tile(name, row, column, number) {
    if (!column) return book.say("{name}, {row}: {number}", { name, row, number });
    return book.say("{name}, {row}, {column}: {number}", { name, row, column, number });
  }

  /** Set the numbers and colours of all tiles. */
  function fill(view, { made, place, parents }) {
    const { values, short } = view;
    const lit = new Set([...parents, ...(place ? [place] : [])].map((at) => at.join(" ")));
    for (const [name, { numbers, rows, columns, title }] of Object.entries(made)) {
      const finite = numbers.flat().filter(Number.isFinite).map(Math.abs);
      const largest = name.startsWith("weights") ? 1 : Math.max(...finite, 1e-9);
      numbers.forEach((row, i) =>
        row.forEach((number, j) => {
          const at = `${name} ${i} ${j}`;
          const tile = view.tiles.get(at);
          const is_hidden = number === -Infinity;
          const text = is_hidden ? short(number) : on_tile(number, name, short);
          if (tile.textContent !== text) tile.textContent = text;
          tile.style.setProperty("--strength", is_hidden ? 0 : 0.06 + (0.49 * Math.abs(number)) / largest);
          tile.classList.toggle("machine-minus", number < 0 && !is_hidden);
          tile.classList.toggle("machine-hidden", is_hidden);
          tile.classList.toggle("machine-lit", lit.has(at));
          tile.classList.toggle("machine-eye", place?.join(" ") === at);
          tile.classList.toggle("machine-follow", values.follow === i + 1 && !name.startsWith("w_"));
          if (name.startsWith("w_")) tile.setAttribute("aria-valuenow", number);
          else tile.setAttribute("aria-label", spoken_tile(title, rows[i], columns[j], text));
        }),
      );
    }
    for (const label of view.floor.querySelectorAll(".machine-word"))
      label.classList.toggle("machine-follow", values.follow > 0 && label.dataset.row === `${values.follow - 1}`);
  }

  /** Show the stages up to the step: the new one is strong, earlier ones are faint, later ones are outlines. */
  function show_stages(view) {
    const { step } = view.values;
    for (const stage of view.floor.querySelectorAll(".machine-stage")) {
      const at = Number(stage.dataset.stage);
      const name = stage.dataset.matrix;
      const is_over = name.startsWith("products") && step > at; // the scores take the place of the products
      stage.hidden = is_over || (name.startsWith("scores") && step < at);
      stage.dataset.when = at > step ? "later" : at === step ? "now" : "past";
      stage.inert = at > step;
    }
    view.floor.dataset.step = step;
  }

  function draw(view, compute) {
    const { values, sum, goal, tell } = view;
    const found = compute(values);
    const { made } = found;
    const is_outline = found.place && made[found.place[0]].stage > values.step;
    if (is_outline) Object.assign(found, { place: null, parents: [], sum: null });
    const shape = `${values.two_heads} ${values.words}`;
    if (shape !== view.shape) build(view, made);
    view.shape = shape;
    fill(view, found);
    show_stages(view);
    const said = in_words(found.sum);
    const verdict = in_words(found.verdict);
    const ask = book.say("Point at a number or tap it, and the numbers that it was made from light up.");
    sum.replaceChildren(...with_powers(said || in_words(found.follow) || ask));
    goal.replaceChildren(...with_powers(verdict));
    goal.hidden = !verdict;
    goal.dataset.verdict = found.verdict ? found.verdict[0].split(" ")[0] : "";
    const shown = Object.entries(made).filter(([, matrix]) => matrix.stage === values.step);
    const in_letters = shown.map(([, { title, rows, numbers }]) => {
      const lines = numbers.map((row, i) => `${rows[i]} ${row.map(view.short).join(" ")}`);
      return book.say("{name}: {numbers}.", { name: title, numbers: lines.join("; ") });
    });
    tell([view.sentences[values.step], ...in_letters, said, verdict].filter(Boolean).join(" "));
  }

  const place_of_tile = (tile) => {
    const [name, i, j] = tile.dataset.at.split(" ");
    return { name, i: Number(i), j: Number(j) };
  };

  /** Change the table entry under this tile; by() gives its new value. */
  function change(view, tile, by) {
    const { name, i, j } = place_of_tile(tile);
    const { columns, low, high } = view.tables[name];
    const at = i * columns + j;
    const to = Math.min(Math.max(Math.round(10 * by(view.values[name][at])) / 10, low), high);
    const changed = view.values[name].map((x, k) => (k === at ? to : x));
    if (to !== view.values[name][at]) view.take(name, changed);
  }

  function bind_lens(view) {
    const tile_of = (event) => event.target.closest?.(".machine-tile");
    const look = (tile) => view.values.look !== tile.dataset.at && view.take("look", tile.dataset.at);
    view.floor.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && !view.dragged && tile_of(event) && look(tile_of(event)),
    );
    view.floor.addEventListener("focusin", (event) => tile_of(event) && look(tile_of(event)));
    view.floor.addEventListener("click", (event) => tile_of(event) && look(tile_of(event)));
    view.floor.addEventListener("keydown", (event) => {
      const tile = tile_of(event);
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (!tile || !step) return;
      event.preventDefault();
      const { name, i, j } = place_of_tile(tile);
      // In a table, the up and down arrows change the number; with Ctrl they go to the next row, as they do elsewhere.
      if (name.startsWith("w_") && step[0] && !event.ctrlKey)
        return change(view, tile, (x) => x - step[0] * (event.shiftKey ? 0.1 : 1));
      const next = view.tiles.get(`${name} ${i + step[0]} ${j + step[1]}`);
      if (!next) return;
      [tile.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
    });
  }

  /** Dragging a table's entry up raises its number, and dragging it down lowers it. */
  function bind_drag(view) {
    const { floor } = view;
    floor.addEventListener("pointerdown", (event) => {
      const tile = event.target.closest?.(".machine-tile[role=spinbutton]");
      if (!tile) return;
      const { name, i, j } = place_of_tile(tile);
      view.dragged = { tile, y: event.clientY, from: view.values[name][i * view.tables[name].columns + j] };
      tile.setPointerCapture(event.pointerId);
    });
    floor.addEventListener("pointermove", (event) => {
      if (!view.dragged) return;
      const { tile, y, from } = view.dragged;
      change(view, tile, () => from + Math.round((y - event.clientY) / DRAG));
    });
    for (const kind of ["pointerup", "pointercancel"]) floor.addEventListener(kind, () => (view.dragged = null));
  }

  /** Fill the tables with whole numbers; each press draws new ones. */
  function draw_again(view) {
    view.draws = (view.draws ?? 0) + 1;
    const numbers = [...book.attention_core.uniform(40, { seed: view.draws })].map((u) => Math.floor(5 * u) - 2);
    for (const { name, rows, columns } of Object.values(view.tables))
      view.take(name, numbers.splice(0, rows * columns));
  }

  /** The rarer controls go behind a button; on a phone, all but the steps do. (A link opens each fold around a control
   * that it sets. This one stays closed: a goal's numbers are on the tiles.)
   */
  function arrange({ figure, tables }, again, clear) {
    const fieldset = figure.querySelector("fieldset");
    const control = (name) => fieldset.querySelector(`[data-control="${name}"]`);
    const foot = figure.querySelector(".explorer-foot");
    const buttons = foot.querySelector(".explorer-buttons");
    const numbers = make("div", { class: "machine-tables" }, ...Object.keys(tables).map(control));
    const more = make("button", { type: "button", class: "machine-more", "aria-expanded": "false" }, book.say("more"));
    const rare = make("div", { class: "machine-rare" }, control("goal"), control("follow"), buttons, numbers);
    more.addEventListener("click", () => more.setAttribute("aria-expanded", more.ariaExpanded !== "true"));
    control("look").hidden = true;
    buttons.prepend(clear);
    control("step").append(again, buttons.querySelector(".explorer-reset"));
    fieldset.append(more, rare);
    foot.remove();
    fieldset.classList.add("machine-controls");
  }

  /** A machine that has all its steps behind it begins with the first, and the rest as outlines. */
  function begin({ figure, take }, steps) {
    const open = () => steps.start === steps.options.length - 1 && take("step", 0);
    figure.querySelector(".explorer-reset").addEventListener("click", open);
    open();
  }

  return ({ figure, values, take, tell }, compute, short) => {
    const again = make("button", { type: "button", class: "machine-again" }, book.say("draw again"));
    const clear = make("button", { type: "button" }, book.say("all zero"));
    const floor = make("div", { class: "machine-floor" });
    const [sum, goal] = [make("p", { class: "machine-sum" }), make("p", { class: "machine-goal", hidden: true })];
    const frame = figure.querySelector(".explorer-frame");
    const sentences = JSON.parse(figure.querySelector(".explorer-steps input").dataset.labels);
    const { controls } = JSON.parse(figure.dataset.live);
    const of_tables = controls.filter(({ kind }) => kind === "table");
    const tables = Object.fromEntries(of_tables.map((table) => [table.name, table]));
    const view = {
      figure,
      tables,
      values,
      take,
      tell,
      short,
      sum,
      goal,
      floor,
      sentences,
      tiles: new Map(),
      dragged: null,
    };
    frame.removeAttribute("role");
    frame.removeAttribute("aria-label");
    frame.replaceChildren(floor, sum, goal);
    arrange(view, again, clear);
    again.addEventListener("click", () => draw_again(view));
    clear.addEventListener("click", () => {
      for (const { name, rows, columns } of Object.values(tables)) take(name, Array(rows * columns).fill(0));
    });
    bind_lens(view);
    bind_drag(view);
    const steps = controls.find(({ name }) => name === "step");
    begin(view, steps);
    draw(view, compute);
    return { draw: () => draw(view, compute) };
  };
})();
