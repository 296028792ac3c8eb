// Chapter 11's model in its worker, as the page sees it. `load(file)` runs a script of this folder, `heard(message)` gets
// what the worker says but for what is asked for here.
globalThis.sentence_model = (load, manifest, heard) => {
  "use strict";
  if (typeof Worker === "undefined") throw new Error("this browser has no workers, which the model runs in");
  const address = URL.createObjectURL(new Blob([globalThis.sentence_worker], { type: "text/javascript" }));
  const worker = new Worker(address);
  let [next, tries, waiting] = [0, 0, null]; // the part to load, how often that was begun, and who waits for an answer
  let stop;
  const stopped = new Promise((_, failed) => (stop = failed));
  stopped.catch(() => {}); // nobody may be waiting

  const ask = (message) => {
    const answer = new Promise((done, failed) => (waiting = { done, failed }));
    worker.postMessage(message);
    return Promise.race([answer, stopped]);
  };
  worker.onmessage = ({ data }) => {
    const { done, failed } = waiting ?? {};
    if ("opened" in data || "received" in data || "forgotten" in data) done(data);
    else if (["open", "part", "forget"].includes(data.kind)) failed(new Error(data.failed));
    else heard(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    const message = event.message || "the worker does not start";
    waiting?.failed(new Error(message));
    heard({ failed: message });
  };

  /** All parts from the first that is missing; `told(bytes)` hears of each. An error once it is ended. */
  async function fill(told) {
    let answer;
    const fresh = tries++ ? `?again=${tries}` : ""; // not what a browser has kept of a part that was damaged
    for (; next < manifest.parts.length; next++) {
      const { file, at, bytes } = manifest.parts[next];
      await Promise.race([load(`model/${file}${fresh}`), stopped]);
      const letters = globalThis.sentence_parts?.[file];
      delete globalThis.sentence_parts?.[file];
      if (!letters) throw new Error(`${file} came, but not whole`);
      answer = await ask({ part: next, letters });
      told(at + bytes);
    }
    return answer;
  }

  return {
    open: () => ask({ open: manifest }).then(({ opened }) => opened),
    fill,
    send: (message) => worker.postMessage(message),
    forget: () => ask({ forget: true }),
    end() {
      stop(Object.assign(new Error("stopped"), { stopped: true }));
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
};
