// A model in its worker, as the page sees it. The model is in `folder`, in `model/`; `load(address)` runs a script.
// `heard(message)` gets all messages from the worker except the answers to questions that are asked here.
"use strict";
book.model_client = (folder, load, manifest, heard) => {
  if (typeof Worker === "undefined") {
    throw new Error(book.say("this browser has no workers, and the model runs in one"));
  }
  const address = URL.createObjectURL(new Blob([book.model_worker], { type: "text/javascript" }));
  const worker = new Worker(address);
  let [next, tries, waiting] = [0, 0, null]; // the part to load, how often loading has begun, and the question that awaits an answer
  let stop;
  const stopped = new Promise((_, failed) => (stop = failed));
  stopped.catch(() => {}); // so that browsers report no error when nothing waits for `stopped`

  const ask = (message, transferred = []) => {
    const answer = new Promise((done, failed) => (waiting = { done, failed }));
    worker.postMessage(message, transferred);
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
    const message = event.message || book.say("the worker did not start");
    waiting?.failed(new Error(message));
    heard({ failed: message });
  };

  /** The letters of a part's script. Browsers keep the text of a script that they ran, so the script is only read where a
   * page can read it: a page opened from disk, or in a sandbox, cannot.
   */
  async function letters_of(file, fresh) {
    const address = new URL(`model/${file}${fresh}`, folder);
    const answer = address.protocol === "file:" ? null : await fetch(address).catch(() => null);
    if (!answer) {
      await load(address);
      const letters = book.model_parts[file];
      delete book.model_parts[file];
      return letters;
    }
    if (!answer.ok) throw new Error(book.say("{file} could not be loaded", { file }));
    const [, , , letters] = new TextDecoder("utf-16le").decode(await answer.arrayBuffer()).split('"');
    return letters;
  }

  /** Load all parts from the first missing one; `report(bytes)` is called after each. Fails when end() is called. */
  async function fill(report) {
    let answer;
    const fresh = tries++ ? `?again=${tries}` : ""; // so that no damaged part comes from the browser's cache
    for (; next < manifest.parts.length; next++) {
      const { file, at, bytes } = manifest.parts[next];
      const letters = await Promise.race([letters_of(file, fresh), stopped]);
      if (!letters) throw new Error(book.say("{file} arrived incomplete", { file }));
      const packed = book.model_packed(letters, manifest.parts[next]);
      answer = await ask({ part: next, packed }, [packed.buffer]);
      report(at + bytes);
    }
    return answer;
  }

  return {
    open: () => ask({ open: manifest, sayings: book.sayings }).then(({ opened }) => opened),
    fill,
    send: (message) => worker.postMessage(message),
    forget: () => ask({ forget: true }),
    end() {
      stop(Object.assign(new Error(book.say("stopped")), { stopped: true }));
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
};
