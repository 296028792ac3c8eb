// Chapter 11: the trained model on the reader's own sentence. The model (sentence/model.js) is loaded when the reader asks
// for it, and runs in a worker; sentence/view.js, which is loaded with it, shows the results.
(() => {
  "use strict";
  const folder = new URL("../sentence/", document.currentScript.src);
  const PAUSE = 500; // ms after the last key
  const LONGEST = 512; // positions of the model

  /** Runs a script of the folder. (A page on a disk may not fetch.) */
  function load(file) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = new URL(file, folder);
      script.onload = () => done(script.remove());
      script.onerror = () =>
        failed(new Error(`${file.split("/").at(-1).split("?")[0]} could not be loaded`), script.remove());
      document.head.append(script);
    });
  }

  const once = (action) => {
    let result;
    return () => (result ??= action().catch((error) => ((result = null), Promise.reject(error))));
  };

  const tokenizer = once(async () => {
    await Promise.all([load("wordpiece.js"), load("model/vocabulary.js")]);
    return globalThis.sentence_tokenizer(globalThis.sentence_vocabulary);
  });

  const program = once(async () => {
    await Promise.all([load("model.js"), load("view.js"), load("model/manifest.js"), load("model/worker.js")]);
    return globalThis.sentence_manifest;
  });

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);

  /** The elements that this explorer adds to its controls. */
  function add_parts(figure) {
    const run = element("button", { type: "button", class: "sentence-run" }, "Load the model (23 MB), then run");
    const cancel = element("button", { type: "button", hidden: "" }, "Cancel");
    const forget = element("button", { type: "button", hidden: "" }, "Remove the model from this browser");
    const progress = element("progress", { max: 1, value: 0, hidden: "", "aria-label": "loading the model" });
    const note = element("span", { class: "sentence-note", role: "status" });
    const listed = element("p", { class: "sentence-tokens" });
    const bar = element("div", { class: "sentence-bar" }, run, progress, cancel, forget, note);
    const model_name =
      "Model: all-MiniLM-L6-v2 (Apache 2.0) in int8: 23 MB, or 31 MB from a server that does not compress. It runs in this page, and your text stays on this machine.";
    const fields = Object.fromEntries(
      ["sentence", "second", "heads_off"].map((name) => [name, figure.querySelector(`[data-control="${name}"]`)]),
    );
    fields.second.after(bar, element("p", { class: "sentence-model" }, model_name), listed);
    const folded = element("details", { class: "sentence-heads" }, element("summary", {}, "Switch heads off"));
    fields.heads_off.replaceWith(folded);
    folded.append(fields.heads_off);
    return { run, cancel, forget, progress, note, listed, fields };
  }

  const fault = ({ note }, error) => {
    note.textContent = `${error.message}.`;
    note.classList.add("explorer-alert");
  };

  const inform = ({ note }, text) => {
    note.textContent = text;
    note.classList.remove("explorer-alert");
  };

  /** The tokens of both texts in the order in which the model gets them; a swap changes only the first text. */
  function read(values, tokenize, sentence = values.sentence) {
    const written = tokenize(sentence, LONGEST);
    const second = values.second.trim() ? tokenize(values.second, LONGEST) : null;
    const swapped = [...written.ids.keys()];
    const k = values.swap_token;
    const swaps = k > 0 && k + 1 < written.ids.length - 1;
    if (swaps) [swapped[k], swapped[k + 1]] = [k + 1, k];
    const remarks = [];
    if (written.cut) remarks.push(`the model has ${LONGEST} positions: the last ${written.cut} tokens are left out`);
    if (second?.cut) remarks.push(`the last ${second.cut} tokens of the second sentence are left out`);
    const last = written.ids.length - 3; // the separators stay where they are
    const choice = last > 1 ? `choose 1 to ${last}` : last === 1 ? "choose 1" : "there are too few tokens";
    if (k > 0 && !swaps) remarks.push(`tokens ${k} and ${k + 1} cannot change places: ${choice}`);
    const [tokens, ids] = [written.tokens, written.ids].map((all) => swapped.map((i) => all[i]));
    return { written, second, tokens, ids, remarks };
  }

  function list({ listed }, { tokens, remarks }) {
    const words = tokens.map((token) => element("span", {}, token));
    listed.replaceChildren(`${tokens.length} tokens: `, ...words.flatMap((word) => [word, " "]));
    if (remarks.length) listed.prepend(element("em", {}, `(${remarks.join("; ")}) `));
  }

  /** Run the model with the values of the controls, if it is there; of the runs that wait, only the last is done. */
  async function draw(explorer) {
    const { values, parts, start } = explorer;
    const text = read(values, await tokenizer());
    list(parts, text);
    if (!explorer.view) return inform(parts, `The picture shows “${start}” until the model is loaded.`);
    explorer.wanted = text;
    if (!explorer.running) send(explorer);
  }

  const draw_or_say = (explorer) =>
    draw(explorer).catch((error) =>
      fault(explorer.parts, new Error(`The text cannot be cut into tokens: ${error.message}`)),
    );

  function send(explorer) {
    const { values, model, view, parts, wanted } = explorer;
    const { written, second, ids } = wanted;
    const everywhere = values.factor_in === "all layers";
    const factors = [1, 2, 3, 4, 5, 6].map((i) =>
      everywhere || values.factor_in === `layer ${i}` ? values.factor : 1,
    );
    const off = values.heads_off.flatMap((x, i) => (x ? [[Math.floor(i / 12), i % 12]] : []));
    const hide_separators = values.mask === "separators hidden";
    const options = { factors, off, hide_separators, is_causal: values.mask === "causal" };
    const asked = { tokens: ids, as_written: written.ids, others: second?.ids ?? null, options };
    const chosen = [values.layer - 1, values.head - 1];
    explorer.wanted = null;
    if (JSON.stringify(asked) === explorer.last) return model.send({ look: chosen }); // a different head of the same run
    explorer.last = JSON.stringify(asked);
    explorer.running = ++explorer.runs;
    view.expect(wanted);
    clearTimeout(explorer.patience);
    explorer.patience = setTimeout(() => inform(parts, "Running …"), 600);
    model.send({ run: explorer.running, chosen, ...asked });
  }

  /** A message from the model's worker (see worker.js). */
  function heard(explorer, message) {
    const { view, parts, tell } = explorer;
    if (message.failed) {
      explorer.last = "";
      fault(parts, new Error(`This could not be computed: ${message.failed}`));
    }
    if (message.done || (message.failed && message.run === explorer.running)) {
      clearTimeout(explorer.patience);
      explorer.running = 0;
    }
    if (message.done) {
      inform(parts, "");
      view.show(message, tell);
    }
    if (!explorer.running && explorer.wanted) send(explorer);
    if (message.done || message.failed) return;
    if (message.seen) view.open(message, tell);
    else view.compare(message, tell);
  }

  /** Load the program, and the model if this browser has kept it. */
  function open(explorer) {
    explorer.opening ??= (async () => {
      const manifest = await program(); // it brings sentence_model
      explorer.model = globalThis.sentence_model(load, manifest, (message) => heard(explorer, message));
      if (await explorer.model.open()) has_loaded(explorer, true);
    })().catch((error) => {
      explorer.opening = null;
      throw error;
    });
    return explorer.opening;
  }

  function has_loaded(explorer, kept) {
    const { figure, values, take, parts } = explorer;
    explorer.view = globalThis.sentence_view({ figure, values, take, element });
    parts.run.textContent = "Run";
    parts.forget.hidden = !kept;
  }

  /** Load all that is missing, then run. */
  async function ask(explorer) {
    const { parts } = explorer;
    const { run, cancel, progress } = parts;
    run.disabled = true;
    try {
      await open(explorer);
      if (!explorer.view) {
        [progress.hidden, cancel.hidden] = [false, false];
        cancel.focus();
        const { bytes } = globalThis.sentence_manifest;
        inform(parts, `0 of ${megabytes(bytes)} MB`);
        const report = (sum) => {
          progress.value = sum / bytes;
          inform(parts, `${megabytes(sum)} of ${megabytes(bytes)} MB`);
        };
        has_loaded(explorer, (await explorer.model.fill(report)).kept);
      }
      await draw(explorer);
    } catch (error) {
      if (error.stopped) return inform(parts, "Stopped. Nothing was kept.");
      const rest = "The chapter and the first picture work without it. Press the button to try again";
      fault(parts, new Error(`The model could not be loaded: ${error.message}. ${rest}`));
    } finally {
      run.disabled = false;
      if (document.activeElement === cancel) run.focus();
      [progress.hidden, cancel.hidden] = [true, true];
    }
  }

  function bind_buttons(explorer) {
    const { parts } = explorer;
    const { run, cancel, forget } = parts;
    run.addEventListener("click", () => ask(explorer));
    cancel.addEventListener("click", () => {
      explorer.model.end();
      [explorer.model, explorer.opening] = [null, null];
    });
    forget.addEventListener("click", async () => {
      try {
        await explorer.model.forget();
        forget.hidden = true;
        inform(parts, "Removed from this browser. The model stays in this page until you leave it.");
      } catch (error) {
        fault(parts, new Error(`The model could not be removed: ${error.message}`));
      }
    });
    // A store of this name exists only with a whole model in it.
    const stores = Promise.resolve(globalThis.indexedDB?.databases?.() ?? []).catch(() => []);
    stores.then((found) => {
      if (!explorer.view && found.some(({ name }) => name === "attention-measured"))
        run.textContent = "Run (the model is on this machine)";
    });
    addEventListener("pagehide", (event) => event.persisted || explorer.model?.end());
  }

  /** Tokens are listed while the reader types; the model runs after a pause. */
  function bind_field(explorer, name) {
    const { values, parts } = explorer;
    const field = parts.fields[name].querySelector("input");
    let pause = 0;
    const begin = () => {
      draw_or_say(explorer);
      open(explorer).catch(() => {}); // if it fails again, the run says so
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

  function wake({ figure, values, take, tell }) {
    const explorer = {
      figure,
      values,
      take,
      tell,
      parts: add_parts(figure),
      start: values.sentence, // the stored picture shows it
      model: null,
      opening: null, // a promise
      view: null, // there is one once the model can run
      running: 0, // the number of the present run
      runs: 0, // how many there have been
      wanted: null, // the text of the next run
      last: "", // the last run, as JSON
      patience: 0, // a timer: after it the reader learns that the model is running
    };
    bind_buttons(explorer);
    for (const name of ["sentence", "second"]) bind_field(explorer, name);
    return { draw: () => draw_or_say(explorer) };
  }

  explorers.own_sentence = { wake };
})();
