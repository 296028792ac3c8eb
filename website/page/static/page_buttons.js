// What the buttons above a page do. The theme says it in attributes, which the page's Content-Security-Policy forbids.
addEventListener("click", ({ target }) => {
  if (target.closest(".btn-download-pdf-button")) print();
  if (target.closest(".btn-fullscreen-button")) toggleFullScreen(); // the theme's
});
