// The sections for a second reading are closed at first. A button opens them all, and this machine stores the choice.
// Here, too, an address opens the fold that it names, of a section, of questions or an answer (website/asked) or of a
// solution, and uncovers what follows a prediction (website/boxes).
if (typeof document !== "undefined") {
  const folds = [...document.querySelectorAll("section.second-reading > details")];
  const KEY = "attention-measured/first-reading";
  const button = document.querySelector("button.open-all");

  const are_open = () => folds.every((fold) => fold.open);
  const show = () => {
    button.setAttribute("aria-pressed", are_open());
  };
  const open_all = (open) => {
    for (const fold of folds) fold.open = open;
    if (open) document.dispatchEvent(new Event("second-reading")); // covered answers are shown, too
    show();
  };
  const keep = (open) => (open ? localStorage.setItem(KEY, "no") : localStorage.removeItem(KEY));
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // the address was not written by this site
    }
  };
  /** Unfold a section, an answer or a solution if the address names it, its heading, or a place in it. */
  const unfold_target = () => {
    const [hash] = location.hash.slice(1).split("&"); // the state of an explorer follows
    const place = document.getElementById(hash) ?? document.getElementById(decoded(hash));
    const section = place?.localName === "span" ? place.parentElement : place; // its second name is on an empty span
    const folds = ":is(.second-reading, .asked, .tag_hide-cell) > details";
    const named = [...document.querySelectorAll(folds)].filter(
      (fold) => fold.contains(place) || fold.parentElement === section,
    );
    for (const fold of named) fold.open = true;
    const covered = place?.closest("[hidden]") ?? place?.querySelector(":scope > .cell_output[hidden]");
    covered?.dispatchEvent(new Event("beforematch", { bubbles: true })); // as the browser's own search does
    if (named.length || covered) place.scrollIntoView();
  };

  if (button) {
    button.addEventListener("click", () => {
      const open = !are_open();
      open_all(open);
      keep(open);
    });
    for (const fold of folds) fold.addEventListener("toggle", show);
    if (location.hash === "#first-reading") keep(false);
    open_all(localStorage.getItem(KEY) === "no");
  }
  unfold_target();
  addEventListener("hashchange", unfold_target);
}
