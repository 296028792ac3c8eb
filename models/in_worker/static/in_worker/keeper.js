// This script runs in a model's worker. It gets the model, keeps it in this browser, and answers messages in order:
//   { open: manifest }    whether this browser has kept the model: { opened: true or false }
//   { part, packed }      the next of the manifest's parts: { received }, and after the last one { loaded, kept }
//   { forget }            remove the model that this browser has kept: { forgotten }
// and the messages of the model's own `kinds`. If something fails, the answer is { failed: message, kind, run }.
"use strict";
book.model_keeper = (() => {
  /** Remove everything that this browser has kept as `name`. */
  function removed(name) {
    return new Promise((done, failed) => {
      const removing = indexedDB.deleteDatabase(name);
      removing.onsuccess = done;
      removing.onerror = () => failed(removing.error);
      removing.onblocked = () => failed(new Error(book.say("another page of this book is using it")));
    });
  }

  /** The result of a request to this browser's own store `name`. (A page opened from disk has no Cache API.) */
  function stored(name, mode, request) {
    return new Promise((done, failed) => {
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => {
        if (mode === "readonly") return opening.transaction.abort(); // no store yet; a read must not create one
        opening.result.createObjectStore("models");
      };
      opening.onerror = () => failed(opening.error);
      opening.onsuccess = () => {
        if (!opening.result.objectStoreNames.contains("models")) {
          opening.result.close();
          return failed(new Error(`the store ${name} was made by something else`));
        }
        const transaction = opening.result.transaction("models", mode);
        const asked = request(transaction.objectStore("models"));
        transaction.oncomplete = () => done(asked?.result);
        transaction.onerror = transaction.onabort = () => failed(transaction.error);
        transaction.addEventListener("complete", () => opening.result.close());
      };
    });
  }

  /** `prepare(room, manifest)` is called when the model is complete. */
  return (prepare, own_kinds) => {
    let manifest, room;

    function make_room() {
      const binary = Uint8Array.from(atob(book.model_products), (letter) => letter.charCodeAt(0));
      return book.model_linear.room(binary, manifest);
    }

    async function open({ open, sayings }) {
      manifest = open;
      book.sayings = sayings; // the page's, because errors are shown there
      const opened = await take_kept().catch(() => false);
      if (opened) prepare(room, manifest);
      postMessage({ opened });
    }

    async function receive({ part, packed }) {
      room ??= make_room();
      room.bytes.set(await book.model_unpacked(packed, manifest.parts[part]), manifest.parts[part].at);
      if (part < manifest.parts.length - 1) return postMessage({ received: part });
      prepare(room, manifest);
      const kept = await keep().then(
        () => true,
        () => false,
      );
      postMessage({ received: part, loaded: true, kept });
    }

    /** Put the model into this browser's store, in place of what is there, even if something else has made the store. */
    const keep = () => put_parts().catch(() => removed(manifest.store).then(put_parts));

    /** Only one version of the model is kept, and only when it is complete. One part after another needs less memory. */
    const put_parts = () =>
      stored(manifest.store, "readwrite", (models) => {
        models.clear();
        const put = (part) => {
          if (part === manifest.parts.length) return;
          const { file, at, bytes } = manifest.parts[part];
          const asked = models.put(room.bytes.slice(at, at + bytes), `${manifest.made} ${file}`);
          asked.onsuccess = () => put(part + 1);
        };
        put(0);
      });

    async function take_kept() {
      for (const { file, at, bytes, sum } of manifest.parts) {
        const part = await stored(manifest.store, "readonly", (models) => models.get(`${manifest.made} ${file}`));
        if (part?.byteLength !== bytes || book.model_sum(part) !== sum) return false;
        room ??= make_room();
        room.bytes.set(part, at);
      }
      return true;
    }

    async function forget() {
      await removed(manifest.store);
      postMessage({ forgotten: true });
    }

    const kinds = { open, part: receive, forget, ...own_kinds };
    let before = Promise.resolve();
    addEventListener("message", ({ data }) => {
      const kind = Object.keys(kinds).find((name) => name in data);
      before = before
        .then(() => kinds[kind](data))
        .catch((error) => postMessage({ failed: error.message, kind, run: data.run }));
    });
  };
})();
