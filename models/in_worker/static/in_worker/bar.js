// The buttons of an explorer that runs a trained model: load it, cancel, remove it from this browser. The model is loaded
// when the reader asks for it, and runs in a worker (client.js, keeper.js).
globalThis.model_bar = (() => {
  "use strict";
  const shared = new URL("./", document.currentScript.src);

  /** Run a script. (A page opened from disk cannot fetch data.) */
  function load(address) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => done(script.remove());
      script.onerror = () =>
        failed(new Error(`${script.src.split("/").at(-1).split("?")[0]} could not be loaded`), script.remove());
      document.head.append(script);
    });
  }

  const once = (action) => {
    let result;
    return () => (result ??= action().catch((error) => ((result = null), Promise.reject(error))));
  };

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);

  function fault({ note }, error) {
    note.textContent = `${error.message}.`;
    note.classList.add("explorer-alert");
  }

  function inform({ note }, text) {
    note.textContent = text;
    note.classList.remove("explorer-alert");
  }

  function build(size, about, is_left_out) {
    const run = element("button", { type: "button", class: "model-run" }, `Load the model (${size} MB), then run`);
    const cancel = element("button", { type: "button", hidden: "" }, "Cancel");
    const forget = element("button", { type: "button", hidden: "" }, "Remove the model from this browser");
    const progress = element("progress", { max: 1, value: 0, hidden: "", "aria-label": "loading the model" });
    const note = element("span", { class: "model-note", role: "status" });
    const row = element("div", { class: "model-bar" }, run, progress, cancel, forget, note);
    if (is_left_out) {
      row.hidden = true;
      about = "This copy of the book comes without the model. In the chapter's notebook, the explorer runs it.";
    }
    return { run, cancel, forget, progress, note, nodes: [row, element("p", { class: "model-about" }, about)] };
  }

  /** Load the program, and the model if this browser has kept it. */
  function open(bar) {
    bar.opening ??= (async () => {
      const manifest = await bar.program();
      bar.model = globalThis.model_client(bar.folder, load, manifest, bar.heard);
      if (await bar.model.open()) has_loaded(bar, true);
    })().catch((error) => {
      bar.opening = null;
      throw error;
    });
    return bar.opening;
  }

  function has_loaded(bar, kept) {
    bar.loaded = true;
    bar.run.textContent = "Run";
    bar.forget.hidden = !kept;
    bar.ready();
  }

  /** Load whatever is missing, then run. */
  async function ask(bar) {
    const { run, cancel, progress } = bar;
    run.disabled = true;
    try {
      await open(bar);
      if (!bar.loaded) {
        [progress.hidden, cancel.hidden] = [false, false];
        cancel.focus();
        const { bytes } = globalThis.model_manifest;
        inform(bar, `0 of ${megabytes(bytes)} MB`);
        const report = (sum) => {
          progress.value = sum / bytes;
          inform(bar, `${megabytes(sum)} of ${megabytes(bytes)} MB`);
        };
        has_loaded(bar, (await bar.model.fill(report)).kept);
      }
      await bar.draw();
    } catch (error) {
      if (error.stopped) return inform(bar, "Stopped. Nothing was kept.");
      const rest = "The chapter and the first picture work without it. Press the button to try again";
      fault(bar, new Error(`The model could not be loaded: ${error.message}. ${rest}`));
    } finally {
      run.disabled = false;
      if (document.activeElement === cancel) run.focus();
      [progress.hidden, cancel.hidden] = [true, true];
    }
  }

  function bind(bar, store) {
    bar.run.addEventListener("click", () => ask(bar));
    bar.cancel.addEventListener("click", () => {
      bar.model.end();
      [bar.model, bar.opening] = [null, null];
    });
    bar.forget.addEventListener("click", async () => {
      try {
        await bar.model.forget();
        bar.forget.hidden = true;
        inform(bar, "Removed from this browser. The model stays in this page until you leave it.");
      } catch (error) {
        fault(bar, new Error(`The model could not be removed: ${error.message}`));
      }
    });
    // A store of this name exists only if it holds a complete model.
    const stores = Promise.resolve(globalThis.indexedDB?.databases?.() ?? []).catch(() => []);
    stores.then((found) => {
      if (!bar.loaded && found.some(({ name }) => name === store))
        bar.run.textContent = "Run (the model is on this machine)";
    });
    addEventListener("pagehide", (event) => event.persisted || bar.model?.end());
  }

  /** The bar of an explorer.
   *
   * `name` is the explorer's name; a publisher can leave out its model. The model is in `folder`, in `model/`.
   * `scripts` are more scripts in that folder, in the order in which they are run. `size` (in MB) and `about`
   * are shown before anything is loaded. The browser keeps the model as `store`. `ready()` is called when the model has
   * been loaded, `draw()` is called to run it, and `heard(message)` gets each message from its worker.
   */
  function bar({ name, folder, scripts, size, about, store, ready, draw, heard }) {
    const program = once(async () => {
      const own = [...scripts, "model/manifest.js", "model/worker.js"].map((file) => new URL(file, folder));
      await Promise.all(["client.js", "head_map.js", "parts.js"].map((file) => load(new URL(file, shared))));
      for (const script of own) await load(script);
      return globalThis.model_manifest;
    });
    const is_left_out = Boolean(globalThis.models_left_out?.includes(name));
    const made = {
      ...build(size, about, is_left_out),
      folder,
      program,
      ready,
      draw,
      heard,
      model: null,
      opening: null,
      loaded: false,
    };
    bind(made, store);
    return {
      nodes: made.nodes,
      is_left_out,
      inform: (text) => inform(made, text),
      fault: (error) => fault(made, error),
      open: () => open(made),
      send: (message) => made.model.send(message),
    };
  }

  return { bar, element, load, once };
})();
