// A link to this page in another language leads to the place that the reader sees. The choice is kept: the title page
// opens in that language.
"use strict";
(() => {
  const KEY = "attention-measured/language";
  const links = [...document.querySelectorAll(".other-language")];

  /** The section whose beginning the reader has passed last; no name at the beginning of the page. */
  function place() {
    const sections = [...document.querySelectorAll(".bd-article section section[id]")];
    return sections.findLast((section) => section.getBoundingClientRect().top < innerHeight / 3)?.id ?? "";
  }
  for (const link of links)
    link.addEventListener("click", () => {
      link.hash = place();
      localStorage.setItem(KEY, link.hreflang);
    });

  const chosen = links.find((link) => link.hreflang === localStorage.getItem(KEY));
  if (chosen && document.querySelector(".opening")) location.replace(chosen.href);
})();
