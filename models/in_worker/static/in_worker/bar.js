// The buttons of an explorer that runs a trained model: load it, cancel, remove it from this browser. The model is loaded
// when the reader asks for it, and runs in a worker (client.js, keeper.js).
"use strict";
book.model_bar = (() => {
  const shared = new URL("./", document.currentScript.src);
  const { models } = document.currentScript.dataset; // where they are, seen from here
  const left_out = document.currentScript.dataset.leftOut.split(" "); // names of explorers whose models are not published
  const { make } = book;

  /** Where the scripts and the model of an explorer are: those of a page in another language are the English site's. */
  const folder_of = (name) => new URL(`${models}${name}/`, shared);

  /** Run a script. (A page opened from disk cannot fetch data.) */
  function load(address) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => done(script.remove());
      script.onerror = () => {
        script.remove();
        const file = script.src.split("/").at(-1).split("?")[0];
        failed(new Error(book.say("{file} could not be loaded", { file })));
      };
      document.head.append(script);
    });
  }

  const once = (action) => {
    let result;
    return () => (result ??= action().catch((error) => ((result = null), Promise.reject(error))));
  };

  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);

  /** What an error says, for the middle of a sentence. */
  const problem_of = (message) => message.replace(/\.+$/, "");

  function inform({ note }, text, is_alert = false) {
    note.textContent = text;
    note.classList.toggle("explorer-alert", is_alert);
  }

  const fault = (bar, text) => inform(bar, text, true);

  /** The elements; the explorer places `run`, `status` (what is going on, with Cancel) and `foot` (about the model). */
  function build(label, { about, reads, size }, is_left_out) {
    const run = make("button", { type: "button", class: "model-run", hidden: is_left_out }, label);
    const cancel = make("button", { type: "button", hidden: true }, book.say("Cancel"));
    const forget = make("button", { type: "button", hidden: true }, book.say("Remove the model from this browser"));
    const loading = book.say("loading the model");
    const progress = make("progress", { max: 1, value: 0, hidden: true, "aria-label": loading });
    const note = make("span", { class: "model-note", role: "status" });
    const status = make("div", { class: "model-status", hidden: is_left_out }, progress, cancel, note);
    const words = is_left_out
      ? book.say("This copy of the book comes without the model. In the chapter's notebook, the explorer runs it.")
      : book.say("Model: {about}: {size} MB. It runs in this page, and your text stays on this machine. {reads}", {
          about: book.say(about),
          reads: book.say(reads),
          size,
        });
    const foot = make("div", { class: "model-foot" }, make("p", { class: "model-about" }, words), forget);
    return { run, cancel, forget, progress, note, status, foot };
  }

  const stopped = () => Object.assign(new Error(book.say("stopped")), { stopped: true });

  /** Load the program, and the model if this browser has kept it. */
  function open(bar) {
    bar.opening ??= (async () => {
      const attempt = ++bar.attempts;
      const manifest = await bar.program();
      if (attempt !== bar.attempts) throw stopped();
      bar.model = book.model_client(bar.folder, load, manifest, bar.heard);
      if (await bar.model.open()) has_loaded(bar, true);
    })().catch((error) => {
      if (!error.stopped) bar.opening = null; // whoever stopped it may have begun again
      throw error;
    });
    return bar.opening;
  }

  function has_loaded(bar, kept) {
    Object.assign(bar, { loaded: true, kept });
    bar.run.textContent = book.say("Run");
    bar.forget.hidden = !kept;
    bar.ready();
  }

  /** Load what is missing. */
  async function fill(bar) {
    await open(bar);
    if (bar.loaded) return;
    bar.progress.hidden = false;
    const { bytes } = book.model_manifest;
    const report = (sum) => {
      bar.progress.value = sum / bytes;
      inform(bar, book.say("{loaded} of {all} MB", { loaded: megabytes(sum), all: megabytes(bytes) }));
    };
    report(0);
    has_loaded(bar, (await bar.model.fill(report)).kept);
  }

  /** Load the model unless it is there, then run it. */
  async function ask(bar) {
    const { run, cancel, progress } = bar;
    run.disabled = true;
    try {
      if (!bar.loaded) {
        cancel.hidden = false;
        cancel.focus();
        await Promise.race([fill(bar), new Promise((_, failed) => (bar.stop = () => failed(stopped())))]);
        rest(bar);
      }
      await bar.draw();
    } catch (error) {
      rest(bar);
      if (error.stopped) return inform(bar, book.say("Stopped. Nothing was kept."));
      const words = book.say(
        "The model could not be loaded: {problem}. The chapter and the first picture work without it. Press the button to try again.",
        { problem: problem_of(error.message) },
      );
      fault(bar, words);
    } finally {
      run.disabled = false;
      if (bar.had_focus) run.focus();
      [progress.hidden, bar.had_focus] = [true, false];
    }
  }

  /** The model has begun to run: if that takes long, say so, and let the reader cancel it. */
  function wait(bar) {
    clearTimeout(bar.patience);
    bar.patience = setTimeout(() => {
      inform(bar, book.say("Running …"));
      bar.cancel.hidden = false;
    }, 600);
  }

  /** Nothing is going on that could be cancelled. */
  function rest(bar) {
    clearTimeout(bar.patience);
    bar.had_focus = document.activeElement === bar.cancel;
    bar.cancel.hidden = true;
    if (bar.had_focus && !bar.run.disabled) bar.run.focus();
  }

  /** A worker cannot be interrupted, only ended; the model has to be loaded again, from this browser if it is kept here. */
  function cancel(bar) {
    const was_running = bar.loaded;
    bar.attempts++;
    bar.stop?.();
    bar.model?.end();
    Object.assign(bar, { model: null, opening: null, loaded: false });
    if (!was_running) return; // ask() says what has happened
    rest(bar);
    bar.run.textContent = bar.kept ? book.say("Run") : bar.label;
    inform(bar, book.say("Cancelled."));
    bar.cancelled();
  }

  function bind(bar, store) {
    bar.run.addEventListener("click", () => ask(bar));
    bar.cancel.addEventListener("click", () => cancel(bar));
    bar.forget.addEventListener("click", async () => {
      try {
        await open(bar); // there is no worker after Cancel
        await bar.model.forget();
        bar.kept = false;
        bar.forget.hidden = true;
        inform(bar, book.say("Removed from this browser. The model stays in this page until you leave it."));
      } catch (error) {
        fault(bar, book.say("The model could not be removed: {problem}.", { problem: problem_of(error.message) }));
      }
    });
    // A store of this name exists only if it holds a complete model. Asking may throw at once, or fail later. A page in a
    // sandbox has no stores, and there Chromium reports an error even if it is caught.
    const is_sandboxed = globalThis.origin === "null" && location.protocol !== "file:";
    const asked = async () => (!is_sandboxed && (await globalThis.indexedDB?.databases?.())) || [];
    const say_if_kept = (stores) => {
      if (!bar.loaded && stores.some(({ name }) => name === store))
        bar.run.textContent = book.say("Run (the model is on this machine)");
    };
    asked().then(say_if_kept, () => {});
    addEventListener("pagehide", (event) => event.persisted || bar.model?.end());
  }

  /** The bar of an explorer, for a model that program() describes. */
  function bar_of(model, { ready, draw, cancelled, heard }) {
    const folder = folder_of(model.name);
    const program = once(async () => {
      const own = [...model.scripts, "model/manifest.js", "model/worker.js"].map((file) => new URL(file, folder));
      await Promise.all(["client.js", "head_map.js", "parts.js"].map((file) => load(new URL(file, shared))));
      for (const script of own) await load(script);
      return book.model_manifest;
    });
    const is_left_out = left_out.includes(model.name);
    const label = book.say("Load the model ({size} MB), then run", { size: model.size });
    const bar = {
      ...build(label, model, is_left_out),
      is_left_out,
      label,
      folder,
      program,
      ready,
      draw,
      cancelled,
      heard,
      model: null,
      opening: null, // what open() returned
      attempts: 0, // how often opening has begun or was cancelled
      stop: null, // ends the loading
      loaded: false,
      kept: false, // whether this browser keeps the model
      patience: 0, // a timer: when it ends, the reader learns that the model is running
      had_focus: false, // whether Cancel had it
      inform: (text) => inform(bar, text),
      fault: (text) => fault(bar, text),
      open: () => open(bar),
      send: (message) => bar.model.send(message),
      wait: () => wait(bar),
      rest: () => rest(bar),
    };
    bind(bar, model.store);
    return bar;
  }

  /** The program (live.js) of an explorer that runs a model.
   *
   * `model` has the explorer's `name`, which is also the name of the folder of its scripts; a publisher can leave out its
   * model. `scripts` are those to run before the model, in order. `size` (in MB), `about` and what it `reads` are shown
   * before anything is loaded. The browser keeps the model as `store`. `own` has the explorer's own functions, which get the explorer:
   * its tools (live.js), its `bar`, its `parts`, and the state that begin(values) returns.
   *   add_parts(figure, bar)    add elements, and return them as `parts`
   *   bind(explorer)            react to the reader
   *   ready(explorer)           the model has been loaded, perhaps again
   *   draw(explorer)            the values have changed, or the reader wants the model to run
   *   cancelled(explorer)       the reader has ended a run, and with it the worker
   *   heard(explorer, message)  a message from the model's worker
   */
  function program(model, own) {
    return {
      wake(tools) {
        const explorer = {
          ...tools,
          view: null, // there is one once the model can run
          running: 0, // the number of the current run
          runs: 0, // how many there have been
          wanted: null, // what the next run gets
          last: "", // what the last run got, as JSON
          ...own.begin(tools.values),
        };
        const bar = bar_of(model, {
          ready: () => own.ready(explorer),
          draw: () => own.draw(explorer),
          cancelled() {
            Object.assign(explorer, { running: 0, wanted: null, last: "" });
            own.cancelled?.(explorer);
          },
          heard(message) {
            if (message.failed) {
              explorer.last = "";
              const problem = problem_of(message.failed);
              bar.fault(book.say("This could not be computed: {problem}.", { problem }));
            }
            if (message.done || (message.failed && message.run === explorer.running)) {
              bar.rest();
              explorer.running = 0;
            }
            own.heard(explorer, message);
          },
        });
        Object.assign(explorer, { bar, parts: own.add_parts(tools.figure, bar) });
        if (bar.is_left_out) return { draw() {} };
        own.bind(explorer);
        return { draw: () => own.draw(explorer) };
      },
    };
  }

  return { folder_of, load, once, problem_of, program };
})();
