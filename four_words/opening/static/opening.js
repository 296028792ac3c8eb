// The title page's picture: the slider sharpens the weights, and a word that is clicked asks. four_words/opening/picture.py
// draws it, with all sixteen arcs; here only widths, colours and words change.
"use strict";
(() => {
  const GROWTH = 1400; // ms from an average of all to the usual sharpness, once, on arrival
  const figure = document.querySelector("figure.opening");
  const looks = book.opening_looks;
  if (!figure || !looks || !book.four_words) return; // without the scripts, the picture is still and has no slider
  const all = (selector) => [...figure.querySelectorAll(selector)];
  const data = JSON.parse(figure.dataset.opening);
  const [svg, slider, said] = ["svg", "input", ".opening-said"].map((part) => figure.querySelector(part));
  const [arcs, words, parts] = [all(".opening-arcs"), all(".opening-word"), all(".opening-part")];
  const bar = parts.map((part) => part.querySelector("rect"));
  const left = Number(bar[0].getAttribute("x"));
  const room = bar.reduce((sum, rect) => sum + Number(rect.getAttribute("width")), 0);
  let { asks } = data;
  let is_growing = false;

  function draw() {
    const weights = looks.weights_of(data, asks, Number(slider.value));
    const [ident, values] = looks.look_of(data, asks, weights);
    const sentence = book.say(book.four_words[ident], values);
    arcs.forEach((group, i) => (group.style.display = i === asks ? "" : "none"));
    let x = left;
    weights.forEach((weight, j) => {
      const arc = arcs[asks].children[j].style;
      [arc.strokeWidth, arc.strokeOpacity] = [`${26 * weight}px`, 0.25 + 0.65 * weight];
      show_word(words[j], weight, j === asks);
      show_part(parts[j], data.words[j], x, weight);
      x += room * weight;
    });
    said.textContent = sentence;
    svg.setAttribute("aria-label", sentence);
    slider.setAttribute("aria-valuetext", book.say("{sharpness}. {sentence}", { sharpness: slider.value, sentence }));
  }

  function show_word(word, weight, is_asking) {
    const [letters, number] = word.querySelectorAll("text");
    letters.style.fill = is_asking ? "var(--am-query)" : "var(--am-ink)";
    letters.style.fontWeight = is_asking ? 700 : 400;
    number.textContent = weight.toFixed(2);
    word.setAttribute("aria-pressed", is_asking);
  }

  function show_part(part, word, x, weight) {
    const [rect, text] = part.children;
    const width = room * weight;
    rect.setAttribute("x", x);
    rect.setAttribute("width", width);
    rect.style.fillOpacity = 0.12 + 0.4 * weight;
    text.setAttribute("x", x + width / 2);
    text.textContent = width > 50 ? word : "";
  }

  /** Let a word ask. What it finds is announced, as it is for the slider. */
  function ask(j) {
    [asks, is_growing] = [j, false];
    said.setAttribute("aria-live", "polite");
    draw();
  }

  function bind_words() {
    svg.setAttribute("role", "group"); // a picture would hide its buttons
    words.forEach((word, j) => {
      const name = book.say("let “{word}”, word {n}, ask", { word: data.words[j], n: j + 1 });
      for (const [key, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": name }))
        word.setAttribute(key, value);
      word.addEventListener("click", () => ask(j));
      word.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        ask(j);
      });
    });
  }

  /** Once, the weights grow from an average to the usual sharpness: so one sees that the picture moves. */
  function grow() {
    const [end, begin] = [Number(slider.value), performance.now()];
    is_growing = true;
    const step = (now) => {
      if (!is_growing) return;
      const t = Math.min(Math.max((now - begin) / GROWTH, 0), 1);
      slider.value = end * t * t * (3 - 2 * t);
      draw();
      if (t < 1) requestAnimationFrame(step);
    };
    step(begin);
    const finish = () => {
      if (!is_growing) return;
      [is_growing, slider.value] = [false, end];
      draw();
    };
    addEventListener("beforeprint", finish);
    slider.addEventListener("pointerdown", () => (is_growing = false));
    setTimeout(finish, 2 * GROWTH); // a page in the background draws no frames
  }

  slider.addEventListener("input", () => {
    is_growing = false;
    said.setAttribute("aria-live", "off"); // the slider itself says what it shows
    draw();
  });
  draw();
  bind_words();
  slider.disabled = false;
  if (!location.hash && !matchMedia("(prefers-reduced-motion: reduce)").matches) grow();
})();
