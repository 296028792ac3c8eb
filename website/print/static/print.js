// Paper is white, and nothing on it can be unfolded.
let restore = null; // set while the browser prints
addEventListener("beforeprint", () => {
  if (restore) return;
  const theme = document.documentElement.dataset.theme;
  const folded = document.querySelectorAll(".bd-article details:not([open])");
  document.documentElement.dataset.theme = "light";
  folded.forEach((details) => (details.open = true));
  restore = () => {
    document.documentElement.dataset.theme = theme;
    folded.forEach((details) => (details.open = false));
    restore = null;
  };
});
addEventListener("afterprint", () => restore?.());
