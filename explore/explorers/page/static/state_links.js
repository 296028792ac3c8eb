// Every state of an explorer (see live.js) has an address: #NAME&sigma=0.37&n=12
"use strict";
book.explorer_links = (() => {
  function address({ figure, controls, values }) {
    const { written } = book.fields;
    const same = (control) => written(control, values[control.name]) === written(control, control.start);
    const changed = controls.filter((control) => !same(control));
    const pairs = changed.map((control) => [control.name, written(control, values[control.name])]);
    return `#${figure.id}${changed.length ? `&${new URLSearchParams(pairs)}` : ""}`;
  }

  const short = (written) => [...written].slice(0, 30).join("");

  /** Set the controls that an address names; returns what is wrong with each part that is refused. */
  function set({ controls }, given) {
    const { light } = book.explorer_states;
    for (const control of controls) control.take(control.start);
    return [...given].flatMap(([name, written]) => {
      const control = controls.find((other) => other.name === name);
      if (!control) return book.say("no control is named {name}", { name: short(name) });
      light(control.element);
      return control.read(written) || [];
    });
  }

  /** Is the address that of an explorer which the page does not have? Then the page's first explorer says so. */
  const is_lost = (ident, figure) =>
    /^[\w-]+$/.test(ident) &&
    !document.getElementById(ident) &&
    figure === document.querySelector("figure.explorer[data-live]");

  /** Bind links in the text, and the two buttons; returns the function that takes the state from the page's address. */
  function bind_links(explorer) {
    const { figure, controls, announce } = explorer;
    let opened = ""; // the address that last set the state: going back to it changes nothing

    const refuse = (refused) => {
      const parts = refused.join("; ");
      const words = parts && book.say("Parts of the link are left out: {parts}.", { parts });
      figure.querySelector(".explorer-refused").textContent = words;
    };

    function restore() {
      const [ident, ...rest] = location.hash.slice(1).split("&");
      if (!rest.length || location.hash === opened) return;
      if (ident === figure.id) refuse(set(explorer, new URLSearchParams(rest.join("&"))));
      else if (is_lost(ident, figure)) {
        refuse([book.say("no explorer on this page is named {name}", { name: short(ident) })]);
      } else return;
      opened = location.hash;
      book.explorer_states.unfold(figure);
      figure.tabIndex = -1; // keyboard navigation continues from here
      figure.focus({ preventScroll: true });
      figure.scrollIntoView();
    }

    document.addEventListener("click", ({ target }) => {
      const link = target.closest?.("a[href^='#']");
      if (!link?.hash.startsWith(`#${figure.id}&`)) return;
      opened = ""; // a link in the text always opens its state
      if (link.hash === location.hash) restore();
    });
    figure.querySelector(".explorer-link").addEventListener("click", async () => {
      opened = address(explorer);
      try {
        history.replaceState(null, "", opened);
        await navigator.clipboard.writeText(location.href);
        announce(book.say("The link has been copied; it opens this state."), "note");
      } catch {
        announce(book.say("The address of this page now opens this state; copy it from the address bar."), "note");
      }
    });
    figure.querySelector(".explorer-reset").addEventListener("click", () => {
      refuse([]);
      for (const control of controls) control.take(control.start);
      if (location.hash.startsWith(`#${figure.id}&`)) history.replaceState(null, "", `#${figure.id}`);
    });
    return restore;
  }

  return { bind_links };
})();
