// Runs before all else. The colours are right from the first paint. And if the browser keeps nothing (cookies are blocked,
// the store is full, the page is in a sandbox), a stand-in keeps things for as long as the page is open, because the
// theme expects a store. `for_this_page` marks the stand-in.
(() => {
  "use strict";
  const KEY = "attention-measured/store";
  function stand_in(entries) {
    const kept = new Map(entries);
    return {
      for_this_page: true,
      get length() {
        return kept.size;
      },
      key: (place) => [...kept.keys()][place] ?? null,
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
    };
  }
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      globalThis[name].setItem(KEY, KEY);
      globalThis[name].removeItem(KEY);
    } catch {
      let before = [];
      try {
        before = Object.entries(globalThis[name]); // a full store can be read
      } catch {} // the browser refuses to read, too
      Object.defineProperty(globalThis, name, { value: stand_in(before), configurable: true });
    }
  }
  const root = document.documentElement.dataset;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.mode = localStorage.getItem("mode") || root.theme; // the page comes with the book's default
  root.theme = root.mode !== "auto" ? root.mode : dark ? "dark" : "light";
})();
