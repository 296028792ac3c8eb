// The trained encoder on the reader's own sentence. Its buttons (in_worker/bar.js) load the model, which runs in a
// worker; own_sentence/view.js, which is loaded with it, shows the results.
"use strict";
(() => {
  const { make } = book;
  const { folder_of, load, once, problem_of, program } = book.model_bar;
  const PAUSE = 500; // ms after the last key
  const LONGEST = 512; // positions of the model

  const tokenizer = once(async () => {
    const files = ["wordpiece.js", "model/vocabulary.js"];
    await Promise.all(files.map((file) => load(new URL(file, folder_of("own_sentence")))));
    return book.sentence_tokenizer(book.model_vocabulary);
  });

  /** The elements that this explorer adds: below its fields, and a line at its foot. */
  function add_parts(figure, bar) {
    const listed = make("p", { class: "model-tokens" });
    const fields = Object.fromEntries(
      ["sentence", "second", "heads_off"].map((name) => [name, figure.querySelector(`[data-control="${name}"]`)]),
    );
    fields.second.after(make("div", { class: "model-bar" }, bar.run, bar.status), listed);
    figure.querySelector(".explorer-frame").after(bar.foot);
    fields.heads_off.classList.add("model-heads");
    return { listed, fields };
  }

  /** The tokens of both texts in the order in which the model gets them; a swap changes only the first text. */
  function read(values, tokenize, sentence = values.sentence) {
    const written = tokenize(sentence, LONGEST);
    const second = values.second.trim() ? tokenize(values.second, LONGEST) : null;
    const swapped = [...written.ids.keys()];
    const k = values.swap_token;
    const swaps = k > 0 && k + 1 < written.ids.length - 1;
    if (swaps) [swapped[k], swapped[k + 1]] = [k + 1, k];
    const remarks = remarks_on(written.cut, second?.cut);
    if (k > 0 && !swaps) remarks.push(no_swap(k, written.ids.length - 3)); // the separators stay where they are
    const [tokens, ids] = [written.tokens, written.ids].map((all) => swapped.map((i) => all[i]));
    return { written, second, tokens, ids, remarks };
  }

  /** How many tokens of the two texts are left out. */
  function remarks_on(first, second) {
    const remarks = [];
    if (first)
      remarks.push(
        book.say_number(
          "the model has {longest} positions: the last token is left out",
          "the model has {longest} positions: the last {n} tokens are left out",
          first,
          { longest: LONGEST },
        ),
      );
    if (second)
      remarks.push(
        book.say_number(
          "the last token of the second sentence is left out",
          "the last {n} tokens of the second sentence are left out",
          second,
        ),
      );
    return remarks;
  }

  /** Why tokens k and k + 1 cannot change places; the last that can is `last`. */
  function no_swap(k, last) {
    const found = { k, next: k + 1, last };
    if (last > 1) return book.say("tokens {k} and {next} cannot change places: choose 1 to {last}", found);
    if (last === 1) return book.say("tokens {k} and {next} cannot change places: choose 1", found);
    return book.say("tokens {k} and {next} cannot change places: there are too few tokens", found);
  }

  function list({ listed }, { tokens, remarks }) {
    const words = tokens.map((token) => make("span", {}, token));
    const count = book.say_number("{n} token:", "{n} tokens:", tokens.length);
    listed.replaceChildren(count, " ", ...words.flatMap((word) => [word, " "]));
    if (remarks.length) listed.prepend(make("em", {}, book.say("({remarks})", { remarks: remarks.join("; ") }), " "));
  }

  /** If the model is loaded, run it with the values of the controls; if several runs wait, only the last is done. */
  async function draw(explorer) {
    const { values, parts, bar, start } = explorer;
    const text = read(values, await tokenizer());
    list(parts, text);
    if (!bar.loaded) {
      return bar.inform(book.say("The picture shows “{text}” until the model is loaded.", { text: start }));
    }
    explorer.wanted = text;
    if (!explorer.running) send(explorer);
  }

  const draw_or_say = (explorer) =>
    draw(explorer).catch((error) => {
      const problem = problem_of(error.message);
      explorer.bar.fault(book.say("The text cannot be cut into tokens: {problem}.", { problem }));
    });

  function send(explorer) {
    const { values, bar, view, wanted } = explorer;
    const { written, second, ids } = wanted;
    const everywhere = values.factor_in === "all_layers";
    const factors = [1, 2, 3, 4, 5, 6].map((i) =>
      everywhere || values.factor_in === `layer_${i}` ? values.factor : 1,
    );
    const off = values.heads_off.flatMap((x, i) => (x ? [[Math.floor(i / 12), i % 12]] : []));
    const hide_separators = values.mask === "separators_hidden";
    const options = { factors, off, hide_separators, is_causal: values.mask === "causal" };
    const asked = { tokens: ids, as_written: written.ids, others: second?.ids ?? null, options };
    const chosen = [values.layer - 1, values.head - 1];
    explorer.wanted = null;
    if (JSON.stringify(asked) === explorer.last) return bar.send({ look: chosen }); // a different head of the same run
    explorer.last = JSON.stringify(asked);
    explorer.running = ++explorer.runs;
    view.expect(wanted);
    bar.wait();
    bar.send({ run: explorer.running, chosen, ...asked });
  }

  /** A message from the model's worker (see worker.js). */
  function heard(explorer, message) {
    const { view, bar, tell } = explorer;
    if (message.done) {
      bar.inform("");
      explorer.start = explorer.values.sentence;
      view.show(message, tell);
    }
    if (!explorer.running && explorer.wanted) send(explorer);
    if (message.done || message.failed) return;
    if (message.seen) view.open(message, tell);
    else view.compare(message, tell);
  }

  /** Tokens are listed while the reader types; the model runs after a pause. */
  function bind_field(explorer, name) {
    const { values, parts, bar } = explorer;
    const field = parts.fields[name].querySelector("input");
    let pause = 0;
    const begin = () => {
      draw_or_say(explorer);
      bar.open().catch(() => {}); // if it fails again, the run says so
    };
    field.addEventListener("focus", begin, { once: true });
    field.addEventListener("input", async () => {
      clearTimeout(pause);
      pause = setTimeout(async () => {
        field.dispatchEvent(new Event("change"));
        const is_refused = name === "sentence" && values.sentence !== field.value;
        if (is_refused) list(parts, read(values, await tokenizer()));
      }, PAUSE);
      if (name === "sentence" && field.value.trim()) list(parts, read(values, await tokenizer(), field.value));
    });
  }

  const model = {
    name: "own_sentence",
    scripts: ["view.js"],
    size: 24,
    about: book.mark("all-MiniLM-L6-v2 (Apache 2.0) in 8 bits a number"),
    reads: book.mark(
      "It was trained on English. A token is a word or a piece of one; a Chinese text is cut into its characters, and those that the vocabulary lacks become [UNK].",
    ),
    store: "attention-measured",
  };
  book.explorers.own_sentence = program(model, {
    begin: (values) => ({ start: values.sentence }), // the picture shows it
    add_parts,
    bind: (explorer) => ["sentence", "second"].forEach((name) => bind_field(explorer, name)),
    ready: (explorer) => (explorer.view ??= book.sentence_view(explorer)),
    draw: draw_or_say,
    heard,
  });
})();
