// A first reading: one button folds all sections marked as second reading. The choice is kept on this machine.
if (typeof document !== "undefined") {
  const folds = [...document.querySelectorAll("section.second-reading > details")];
  const KEY = "attention-measured/first-reading";
  const button = document.querySelector("button.first-reading");

  const is_first = () => folds.every((fold) => !fold.open);
  const show = () => {
    button.setAttribute("aria-pressed", is_first());
  };
  const fold_all = (first) => {
    for (const fold of folds) fold.open = !first;
    show();
  };
  const keep = (first) => {
    try {
      if (first) localStorage.setItem(KEY, "yes");
      else localStorage.removeItem(KEY);
    } catch {} // this browser keeps nothing
  };
  const kept = () => {
    try {
      return localStorage.getItem(KEY) === "yes";
    } catch {
      return false;
    }
  };
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // the address was not written by this site
    }
  };
  /** Unfold the section that the address points at, points into, or whose heading it names. */
  const unfold_target = () => {
    const hash = location.hash.slice(1);
    const place = document.getElementById(hash) ?? document.getElementById(decoded(hash));
    for (const fold of folds) if (fold.contains(place) || fold.parentElement === place) fold.open = true;
    if (place && folds.some((fold) => fold.contains(place))) place.scrollIntoView();
  };

  if (button) {
    button.addEventListener("click", () => {
      const first = !is_first();
      fold_all(first);
      keep(first);
    });
    for (const fold of folds) fold.addEventListener("toggle", show);
    const begins = location.hash === "#first-reading";
    if (begins) keep(true);
    fold_all(begins || kept());
    unfold_target();
    addEventListener("hashchange", unfold_target);
  }
}
