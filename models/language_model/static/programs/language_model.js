// The chapter on a language model: the model on the reader's own text. Its buttons (in_worker/bar.js) load the model, which
// runs in a worker; language_model/view.js, which is loaded with it, shows the results.
"use strict";
(() => {
  const { make } = book;
  const LONGEST = 256; // tokens, including the model's own: the cells of a larger map would be too small to see
  const ENDS = ["<|im_end|>", "<|endoftext|>"];

  /** The elements that this explorer adds: between its controls, and a line at its foot.
   *
   * What the model writes stands right below the buttons, in a box that keeps its height.
   */
  function add_parts(figure, bar) {
    const names = [book.say("Write"), book.say("Stop"), book.say("Take back what was written")];
    const [write, stop, clear] = names.map((text) => make("button", { type: "button" }, text));
    write.classList.add("language-write");
    [write.disabled, stop.hidden, clear.hidden] = [true, true, true];
    const name = book.say("what is written");
    const text = make("p", { class: "language-text", tabindex: 0, role: "group", "aria-label": name });
    const [count, listed] = [make("summary", {}, book.say("tokens")), make("p", { class: "model-tokens" })];
    const tokens = make("details", { class: "language-tokens" }, count, listed);
    const page = make("div", { class: "language-page" }, text, tokens, bar.status, clear);
    const of_control = (name) => figure.querySelector(`[data-control="${name}"]`);
    const writing = make("div", { class: "language-writing" }, write, stop);
    of_control("text").append(bar.run);
    of_control("text").after(writing, of_control("temperature"), of_control("seed"), page);
    of_control("heads_off").classList.add("model-heads");
    figure.querySelector(".explorer-more > summary").textContent = book.say("change the model");
    const cache = make("output", { class: "model-note" });
    bar.foot.querySelector(".model-about").append(" ", cache);
    figure.querySelector(".explorer-frame").after(bar.foot);
    return { text, count, listed, write, stop, clear, cache };
  }

  const options_of = (values) => ({
    factor: values.factor,
    off: values.heads_off.flatMap((x, i) => (x ? [[i % 30, Math.floor(i / 30)]] : [])), // a row per head, a column per layer
    hide_first: values.first_token === "hidden",
    window: values.window,
    keep_first: values.window_keeps === "first",
    positions: values.positions === "rotary",
    causal: values.mask === "causal",
  });

  /** A token as it is listed: a blank is ␣, the end of a line is ↵, and a part of a character is its bytes. */
  function label_of({ tokenizer }, id) {
    const text = tokenizer.decode([id]).replaceAll(" ", "␣").replaceAll("\n", "↵");
    if (!text.includes("\ufffd")) return text;
    return `⟨${tokenizer
      .bytes_of(id)
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join(" ")}⟩`;
  }

  /** The tokens of the text and of what was written after it. */
  function read(explorer) {
    const { values, tokenizer, written } = explorer;
    if (values.text !== explorer.text) {
      explorer.text = values.text;
      written.length = 0;
    }
    const all = tokenizer.encode(values.text);
    const ids = [...all.slice(0, LONGEST), ...written];
    list(explorer, ids, all.length - LONGEST);
    return ids;
  }

  /** List the tokens, and say how many there are and how many were cut. */
  function list(explorer, ids, cut = 0) {
    const words = ids.map((id) => make("span", {}, label_of(explorer, id)));
    const counted = { n: ids.length, longest: LONGEST, cut };
    explorer.parts.count.textContent =
      cut > 0
        ? book.say("{n} tokens (this page takes {longest}: the last {cut} are left out)", counted)
        : book.say_number("{n} token", "{n} tokens", ids.length);
    explorer.parts.listed.replaceChildren(...words.flatMap((word) => [word, " "]));
  }

  /** If the model is loaded, run it with the values of the controls; of the runs that wait, only the last is done. */
  function draw(explorer) {
    const { bar, start, view, values, tell } = explorer;
    if (!bar.loaded) {
      return bar.inform(book.say("The picture shows “{text}” until the model is loaded.", { text: start }));
    }
    const [text, options] = [values.text, options_of(values)];
    const is_same = text === explorer.text && JSON.stringify(options) === explorer.options;
    if (explorer.is_writing && !is_same) explorer.is_writing = false;
    if (explorer.is_writing) return;
    const tokens = read(explorer);
    explorer.options = JSON.stringify(options);
    const asked = JSON.stringify([tokens, options]);
    if (asked === explorer.last) {
      if (values.layer - 1 !== explorer.layer) bar.send({ look: (explorer.layer = values.layer - 1) });
      else if (!explorer.running) view.refresh(tell); // another head, or a different way to choose the next token
      return;
    }
    explorer.wanted = { asked, tokens, options };
    if (!explorer.running) send(explorer);
  }

  function send(explorer) {
    const { values, bar, wanted } = explorer;
    explorer.wanted = null;
    explorer.last = wanted.asked;
    explorer.layer = values.layer - 1;
    explorer.running = ++explorer.runs;
    explorer.shown = wanted;
    bar.wait();
    const { tokens, options } = wanted;
    bar.send({ run: explorer.running, tokens, options, layer: explorer.layer });
  }

  function show(explorer, message) {
    const { bar, view, values, shown, tokenizer, tell, parts, written } = explorer;
    bar.inform(explorer.remark);
    explorer.remark = "";
    explorer.logits = message.logits;
    const tokens = shown.tokens.map((id) => tokenizer.decode([id]).replaceAll("\n", "↵"));
    const start = tokenizer.decode(shown.tokens.slice(0, shown.tokens.length - written.length));
    explorer.start = values.text;
    view.show({ tokens, start, written: tokenizer.decode(written) }, message, tell);
    show_cache(explorer, message.bytes);
    parts.clear.hidden = !written.length;
  }

  /** Say how large the cache is and, while the model writes, how fast it writes. */
  function show_cache({ parts, shown, written, began, clock }, bytes, is_writing = false) {
    const added = is_writing ? written.length - began : 0;
    const [n, found] = [shown.tokens.length + added, { size: (bytes / 1e6).toFixed(2) }];
    if (added) found.speed = ((1000 * added) / (performance.now() - clock)).toFixed(0);
    parts.cache.textContent = added
      ? book.say("Cache: {n} tokens, {size} MB; {speed} tokens per second", { n, ...found })
      : book.say_number("Cache: {n} token, {size} MB", "Cache: {n} tokens, {size} MB", n, found);
  }

  /** Choose the next token and let the worker append it, until the reader stops, the text ends, or there is no room. */
  function step(explorer) {
    const { values, written, logits, tokenizer, shown, bar, view } = explorer;
    const { probabilities } = book.language_sampling;
    const id = drawn(explorer, probabilities(logits, values));
    const is_end = ENDS.includes(tokenizer.decode([id]));
    const is_full = shown.tokens.length + written.length - explorer.began >= LONGEST;
    let remark = "";
    if (is_full) remark = book.say("There is room for {n} tokens.", { n: LONGEST });
    else if (is_end) remark = book.say("The model ended its text here.");
    if (!explorer.is_writing || remark) return stop(explorer, remark);
    view.write(tokenizer.decode([...written, id]), logits); // before the push: the table marks the token drawn here
    written.push(id);
    list(explorer, [...shown.tokens, ...written.slice(explorer.began)]);
    bar.send({ append: id });
  }

  /** The token that the seed draws next. */
  function drawn({ values, written }, p) {
    const [u] = book.attention_core.uniform(1, { seed: values.seed, stream: written.length });
    return book.language_sampling.pick(p, u);
  }

  function begin(explorer) {
    const is_busy = Boolean(explorer.running || explorer.wanted);
    if (explorer.values.mask === "none") {
      const reason = book.say("Writing needs the causal mask: without it, each new token changes all rows before it.");
      if (is_busy) explorer.remark = reason; // still there when the run is done
      return explorer.bar.inform(reason);
    }
    explorer.wants_to_write = is_busy; // then it begins when the run is done
    if (explorer.wants_to_write || explorer.is_writing) return;
    Object.assign(explorer, { is_writing: true, began: explorer.written.length, clock: performance.now() });
    explorer.running = ++explorer.runs;
    const { write, stop: halt, clear } = explorer.parts;
    [write.hidden, halt.hidden, clear.hidden] = [true, false, true];
    halt.focus();
    step(explorer);
  }

  function end(explorer) {
    const { parts } = explorer;
    [explorer.is_writing, explorer.running] = [false, 0];
    [parts.write.hidden, parts.stop.hidden] = [false, true];
    parts.write.focus({ preventScroll: true });
  }

  function stop(explorer, remark) {
    end(explorer);
    explorer.remark = remark; // for the run that shows the maps of the whole text
    draw(explorer);
  }

  /** A message from the model's worker (see worker.js). */
  function heard(explorer, message) {
    const { view, tell } = explorer;
    if (message.failed) {
      explorer.wants_to_write = false;
      if (explorer.is_writing) end(explorer);
    }
    if ("appended" in message) {
      explorer.logits = message.logits;
      show_cache(explorer, message.bytes, true);
      return step(explorer);
    }
    if (message.done && message.done === explorer.runs) show(explorer, message);
    if (message.compared === explorer.runs && !explorer.is_writing) view.compare(message, tell);
    if ("seen" in message && !message.done && message.seen === explorer.layer) view.open(message, tell);
    if (!explorer.running && explorer.wanted) send(explorer);
    else if (message.done && explorer.wants_to_write) begin(explorer);
    else if (message.done && explorer.layer !== explorer.values.layer - 1) draw(explorer);
  }

  function bind(explorer) {
    const { parts, figure } = explorer;
    const halt = () => Object.assign(explorer, { is_writing: false, wants_to_write: false });
    const take_back = () => {
      halt();
      explorer.written.length = 0;
      draw(explorer);
    };
    parts.write.addEventListener("click", () => begin(explorer));
    parts.stop.addEventListener("click", halt);
    parts.clear.addEventListener("click", () => {
      parts.write.focus({ preventScroll: true });
      take_back();
    });
    figure.querySelector(".explorer-reset").addEventListener("click", take_back);
  }

  /** The model has been loaded, perhaps again. */
  function ready(explorer) {
    const { parts } = explorer;
    explorer.tokenizer ??= book.language_tokenizer(book.model_vocabulary);
    explorer.view ??= book.language_view({
      ...explorer,
      text: parts.text,
      label: (id) => label_of(explorer, id),
      drawn: (p) => drawn(explorer, p),
    });
    parts.write.disabled = false;
  }

  function cancelled(explorer) {
    if (explorer.is_writing) end(explorer);
    explorer.wants_to_write = false;
    explorer.parts.write.disabled = true;
  }

  const begin_with = (values) => ({
    start: values.text, // the picture shows it
    tokenizer: null,
    text: values.text,
    written: [], // the tokens that the model has written after the text
    is_writing: false,
    wants_to_write: false, // the reader has pressed Write during a run
    options: "", // the changes of the last run, as JSON
    layer: 0, // the layer whose heads are shown
    remark: "", // why the writing ended
  });
  const model = {
    name: "language_model",
    scripts: ["sampling.js", "view.js", "bpe.js", "model/vocabulary.js"],
    size: 97,
    about: book.mark("SmolLM2-135M-Instruct (Apache 2.0) in 4 and 8 bits a number"),
    reads: book.mark(
      "It has read mostly English, and writes English. A token is a word or a piece of one; of a Chinese text it is mostly one character, or some of its bytes.",
    ),
    store: "attention-measured-language-model",
  };
  const own = { begin: begin_with, add_parts, bind, ready, draw, cancelled, heard };
  book.explorers.language_model = book.model_bar.program(model, own);
})();
