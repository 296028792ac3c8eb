// Chapter 11: the trained model on the reader's own sentence. The model (sentence/model.js) is loaded when somebody asks
// for it, and runs in a worker; what it finds is shown by sentence/view.js, which comes with it.
(() => {
  "use strict";
  const folder = new URL("../sentence/", document.currentScript.src);
  const PAUSE = 500; // ms after the last letter
  const LONGEST = 512; // positions of the model

  /** A script of the folder, once it has run; a page on a disk may not fetch. */
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

  function wake({ figure, values, take, tell }) {
    const run = element("button", { type: "button", class: "sentence-run" }, "Load the model (23 MB), then run");
    const cancel = element("button", { type: "button", hidden: "" }, "Cancel");
    const forget = element("button", { type: "button", hidden: "" }, "Remove the model from this browser");
    const progress = element("progress", { max: 1, value: 0, hidden: "", "aria-label": "loading the model" });
    const note = element("span", { class: "sentence-note", role: "status" });
    const listed = element("p", { class: "sentence-tokens" });
    const bar = element("div", { class: "sentence-bar" }, run, progress, cancel, forget, note);
    const model_name =
      "Model: all-MiniLM-L6-v2 (Apache 2.0), in int8: 23 MB, or 31 from a server that does not compress. It runs in this page; your text stays on this machine.";
    const fields = Object.fromEntries(
      ["sentence", "second", "heads_off"].map((name) => [name, figure.querySelector(`[data-control="${name}"]`)]),
    );
    fields.second.after(bar, element("p", { class: "sentence-model" }, model_name), listed);
    const folded = element("details", { class: "sentence-heads" }, element("summary", {}, "Switch heads off"));
    fields.heads_off.replaceWith(folded);
    folded.append(fields.heads_off);

    const start = values.sentence; // the stored picture's
    let [model, opening, view] = [null, null, null]; // there is a view once the model can run
    let [running, wanted, numbers] = [0, null, 0]; // the run that is under way, what comes next, and how many there were

    /** Tokens of both texts, as they are run; a swap changes the first only. */
    function read(tokenize, sentence = values.sentence) {
      const written = tokenize(sentence, LONGEST);
      const second = values.second.trim() ? tokenize(values.second, LONGEST) : null;
      const swapped = [...written.ids.keys()];
      const k = values.swap_token;
      const swaps = k > 0 && k + 1 < written.ids.length - 1;
      if (swaps) [swapped[k], swapped[k + 1]] = [k + 1, k];
      const remarks = [];
      if (written.cut) remarks.push(`the model has ${LONGEST} positions: the last ${written.cut} tokens are left out`);
      if (second?.cut) remarks.push(`of the second, the last ${second.cut}`);
      const last = written.ids.length - 3; // the separators stay where they are
      const choice = last > 1 ? `choose 1 to ${last}` : last === 1 ? "choose 1" : "there is one";
      if (k > 0 && !swaps) remarks.push(`tokens ${k} and ${k + 1} cannot change places: ${choice}`);
      return {
        written,
        second,
        tokens: swapped.map((i) => written.tokens[i]),
        ids: swapped.map((i) => written.ids[i]),
        remarks,
      };
    }

    function list({ tokens, remarks }) {
      const words = tokens.map((token) => element("span", {}, token));
      listed.replaceChildren(`${tokens.length} tokens: `, ...words.flatMap((word) => [word, " "]));
      if (remarks.length) listed.prepend(element("em", {}, `(${remarks.join("; ")}) `));
    }

    const fault = (error) => {
      note.textContent = `${error.message}.`;
      note.classList.add("explorer-alert");
    };
    const failed = (error) => fault(new Error(`The words cannot be cut into tokens: ${error.message}`));
    const inform = (text) => {
      note.textContent = text;
      note.classList.remove("explorer-alert");
    };

    /** Run what the controls say, if the model is there; only the last of those that wait. */
    async function draw() {
      const text = read(await tokenizer());
      list(text);
      if (!view) return inform(`The picture is that of “${start}” until the model is loaded.`);
      wanted = text;
      if (!running) send();
    }

    let last = ""; // what was run last
    let patience = 0; // a timer: until it is said that it runs

    function send() {
      const { written, second, ids } = wanted;
      const everywhere = values.factor_in === "all layers";
      const factors = [1, 2, 3, 4, 5, 6].map((i) =>
        everywhere || values.factor_in === `layer ${i}` ? values.factor : 1,
      );
      const off = values.heads_off.flatMap((x, i) => (x ? [[Math.floor(i / 12), i % 12]] : []));
      const options = {
        factors,
        off,
        hide_separators: values.mask === "separators hidden",
        is_causal: values.mask === "causal",
      };
      const asked = { tokens: ids, as_written: written.ids, others: second?.ids ?? null, options };
      const [text, chosen] = [wanted, [values.layer - 1, values.head - 1]];
      wanted = null;
      if (JSON.stringify(asked) === last) return model.send({ look: chosen }); // another head of the same
      last = JSON.stringify(asked);
      running = ++numbers;
      view.expect(text);
      clearTimeout(patience);
      patience = setTimeout(() => inform("Running …"), 600);
      model.send({ run: running, chosen, ...asked });
    }

    function heard(message) {
      if (message.failed) {
        last = "";
        fault(new Error(`This could not be computed: ${message.failed}`));
      }
      if (message.done || (message.failed && message.run === running)) {
        clearTimeout(patience);
        running = 0;
      }
      if (message.done) {
        inform("");
        view.show(message, tell);
      }
      if (!running && wanted) send();
      if (message.done || message.failed) return;
      if (message.seen) view.open(message, tell);
      else view.compare(message, tell);
    }

    /** The program, and the model if this browser has kept it. */
    function open() {
      opening ??= (async () => {
        const manifest = await program(); // which brings what the next line calls
        model = globalThis.sentence_model(load, manifest, heard);
        if (await model.open()) loaded(true);
      })().catch((error) => {
        opening = null;
        throw error;
      });
      return opening;
    }

    function loaded(kept) {
      view = globalThis.sentence_view({ figure, values, take, element });
      run.textContent = "Run";
      forget.hidden = !kept;
    }

    async function ask() {
      run.disabled = true;
      try {
        await open();
        if (!view) {
          [progress.hidden, cancel.hidden] = [false, false];
          cancel.focus();
          const { bytes } = globalThis.sentence_manifest;
          inform(`0 of ${megabytes(bytes)} MB`);
          const told = (sum) => {
            progress.value = sum / bytes;
            inform(`${megabytes(sum)} of ${megabytes(bytes)} MB`);
          };
          loaded((await model.fill(told)).kept);
        }
        await draw();
      } catch (error) {
        if (error.stopped) return inform("Stopped. Nothing was kept.");
        fault(
          new Error(
            `The model is not loaded: ${error.message}. The chapter and the first picture need none; Run tries again`,
          ),
        );
      } finally {
        run.disabled = false;
        if (document.activeElement === cancel) run.focus();
        [progress.hidden, cancel.hidden] = [true, true];
      }
    }

    run.addEventListener("click", ask);
    cancel.addEventListener("click", () => {
      model.end();
      [model, opening] = [null, null];
    });
    forget.addEventListener("click", async () => {
      try {
        await model.forget();
        forget.hidden = true;
        inform("Removed. It stays in this page until you leave it.");
      } catch (error) {
        fault(new Error(`The model could not be removed: ${error.message}`));
      }
    });
    // A store of this name is there only with a whole model in it.
    const stores = Promise.resolve(globalThis.indexedDB?.databases?.() ?? []).catch(() => []);
    stores.then((found) => {
      if (!view && found.some(({ name }) => name === "attention-measured"))
        run.textContent = "Run (the model is on this machine)";
    });
    addEventListener("pagehide", (event) => event.persisted || model?.end());

    for (const name of ["sentence", "second"]) {
      const field = fields[name].querySelector("input");
      let pause = 0;
      const begin = () => {
        draw().catch(failed);
        open().catch(() => {}); // said when it is run
      };
      field.addEventListener("focus", begin, { once: true });
      field.addEventListener("input", async () => {
        clearTimeout(pause);
        pause = setTimeout(async () => {
          field.dispatchEvent(new Event("change"));
          if (name === "sentence" && values.sentence !== field.value) list(read(await tokenizer())); // it was refused
        }, PAUSE);
        if (name === "sentence" && field.value.trim()) list(read(await tokenizer(), field.value));
      });
    }
    return { draw: () => draw().catch(failed) };
  }

  explorers.own_sentence = { wake };
})();
